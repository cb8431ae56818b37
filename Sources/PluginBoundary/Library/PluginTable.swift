import CPluginABI
import Foundation
import Localization

/// The functions of a plugin, checked.
// Unchecked: the table is constant and lives as long as the process; its functions may be called from any thread.
package struct PluginTable: @unchecked Sendable {
  let path: String
  let describe: @convention(c) () -> sous_bytes
  let create: @convention(c) (UnsafePointer<sous_host>?, sous_bytes, sous_bytes, sous_completion) -> OpaquePointer?
  let destroy: @convention(c) (OpaquePointer?) -> Void
  let start: @convention(c) (OpaquePointer?, UnsafePointer<sous_call>?, sous_completion) -> Void
  let cancel: @convention(c) (OpaquePointer?, UInt64) -> Void

  /// Opens a library for good and takes its table. Runs code of the plugin, and may block.
  package init(opening path: String) throws(PluginError) {
    self.path = path
    try PluginTable.requireELF(path)
    guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL | PluginTable.keep) else {
      let words = dlerror().map { String(cString: $0) } ?? "?"
      throw PluginError(
        .notLoadable,
        LocalizedText(
          """
          The plugin \(path) cannot be loaded: \(words). Install what is missing ('ldd \(path)' lists its libraries) or \
          build it for this system.
          """,
          de: """
            Das Plugin \(path) lässt sich nicht laden: \(words). Fehlendes installieren ('ldd \(path)' zeigt seine \
            Bibliotheken) oder für dieses System bauen.
            """), path: path)
    }
    guard let symbol = dlsym(library, SOUS_PLUGIN_ENTRY) else {
      throw PluginError(
        .noEntry,
        LocalizedText(
          "\(path) is a library but no plugin: it does not export '\(SOUS_PLUGIN_ENTRY)'. ",
          de: "\(path) ist eine Bibliothek, aber kein Plugin: '\(SOUS_PLUGIN_ENTRY)' wird nicht exportiert. ")
          + PluginTable.exportLine,
        path: path)
    }
    typealias Entry = @convention(c) () -> UnsafePointer<sous_plugin>?
    // `dlsym` gives data and functions alike as a raw pointer; the header fixes the type of this one.
    guard let table = unsafeBitCast(symbol, to: Entry.self)() else {
      throw PluginError(
        .refused,
        LocalizedText(
          "The plugin \(path) refuses to be loaded. Look for a version for this Sous.",
          de: "Das Plugin \(path) verweigert das Laden. Nach einer Version für dieses Sous sehen."), path: path)
    }
    let raw = UnsafeRawPointer(table)
    let magic = raw.load(as: UInt32.self)
    guard magic == SOUS_PLUGIN_MAGIC else {
      throw PluginError(
        .badMagic,
        LocalizedText(
          "\(path) does not hand out a plugin table: it starts with \(hex(magic)), not \(hex(SOUS_PLUGIN_MAGIC)). ",
          de: "\(path) liefert keine Plugin-Tabelle: Sie beginnt mit \(hex(magic)), nicht \(hex(SOUS_PLUGIN_MAGIC)). ")
          + PluginTable.exportLine,
        path: path)
    }
    let version = raw.load(fromByteOffset: 4, as: UInt32.self)
    guard version == SOUS_ABI_VERSION else { throw PluginTable.mismatch(path, version) }
    let size = raw.load(fromByteOffset: 8, as: Int.self)
    guard size >= MemoryLayout<sous_plugin>.size else {
      throw PluginTable.invalid(
        path,
        LocalizedText(
          "its size is \(size) bytes, not at least \(MemoryLayout<sous_plugin>.size)",
          de: "sie ist \(size) Byte groß, nicht mindestens \(MemoryLayout<sous_plugin>.size)"))
    }
    let functions = table.pointee
    guard let describe = functions.describe, let create = functions.create, let destroy = functions.destroy,
      let start = functions.start, let cancel = functions.cancel
    else {
      let missing = [
        ("describe", functions.describe == nil), ("create", functions.create == nil),
        ("destroy", functions.destroy == nil), ("start", functions.start == nil), ("cancel", functions.cancel == nil),
      ].filter(\.1).map(\.0).joined(separator: ", ")
      throw PluginTable.invalid(path, LocalizedText("NULL stands for \(missing)", de: "NULL steht für \(missing)"))
    }
    self.describe = describe
    self.create = create
    self.destroy = destroy
    self.start = start
    self.cancel = cancel
  }

  // RTLD_NODELETE, which glibc only declares with its own extensions.
  private static let keep: Int32 = 0x1000

  /// The manifest text.
  package func manifest(limit: Int) throws(PluginError) -> [UInt8] {
    let bytes = describe()
    guard let data = bytes.data, bytes.size > 0 else {
      throw PluginError.invalidManifest(path, LocalizedText("it is empty", de: "es ist leer"))
    }
    guard bytes.size <= limit else {
      throw PluginError.invalidManifest(
        path,
        LocalizedText(
          "it has \(bytes.size) bytes, more than \(limit)", de: "es hat \(bytes.size) Byte, mehr als \(limit)"))
    }
    return Array(UnsafeBufferPointer(start: data, count: bytes.size))
  }

  private static func requireELF(_ path: String) throws(PluginError) {
    var header = [UInt8](repeating: 0, count: 4)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    let reason = descriptor < 0 ? String(cString: strerror(errno)) : nil
    defer { if descriptor >= 0 { close(descriptor) } }
    if reason == nil, read(descriptor, &header, 4) == 4, header == [0x7f, 0x45, 0x4c, 0x46] { return }
    throw PluginError(
      .notLoadable,
      reason.map {
        LocalizedText("The plugin \(path) cannot be read: \($0).", de: "Das Plugin \(path) ist nicht lesbar: \($0).")
      }
        ?? LocalizedText(
          "\(path) is no shared library: it does not start like an ELF file. Build or download it again.",
          de: "\(path) ist keine Bibliothek: Sie beginnt nicht wie eine ELF-Datei. Neu bauen oder herunterladen."),
      path: path)
  }

  private static func mismatch(_ path: String, _ version: UInt32) -> PluginError {
    let own = SOUS_ABI_VERSION
    let remedy =
      version < own
      ? LocalizedText(
        "Rebuild it against the installed sous_plugin.h, or look for a newer version of it.",
        de: "Gegen die installierte sous_plugin.h neu bauen oder nach einer neueren Version sehen.")
      : LocalizedText(
        "Update Sous, or rebuild the plugin against the installed sous_plugin.h.",
        de: "Sous aktualisieren oder das Plugin gegen die installierte sous_plugin.h neu bauen.")
    return PluginError(
      .abiMismatch,
      LocalizedText(
        "The plugin \(path) was built for plugin ABI \(version); this Sous speaks \(own). ",
        de: "Das Plugin \(path) ist für Plugin-ABI \(version) gebaut; dieses Sous spricht \(own). ") + remedy,
      path: path)
  }

  private static func invalid(_ path: String, _ reason: LocalizedText) -> PluginError {
    PluginError(
      .invalidStruct,
      LocalizedText(
        "The plugin table of \(path) cannot be used: ", de: "Die Plugin-Tabelle von \(path) ist nicht zu gebrauchen: ")
        + reason
        + LocalizedText(
          ". Rebuild it against the installed sous_plugin.h.",
          de: ". Gegen die installierte sous_plugin.h neu bauen."), path: path)
  }
}

private func hex(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }

extension PluginTable {
  /// The code by which authors export a table.
  fileprivate static let exportLine = LocalizedText(
    """
    Its author writes in C: __attribute__((visibility("default"))) const sous_plugin *\(SOUS_PLUGIN_ENTRY)(void), \
    returning a table that begins with SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(sous_plugin); in Swift: \
    @_cdecl("\(SOUS_PLUGIN_ENTRY)") public func entry() -> UnsafeRawPointer? { PluginEntry.pointer(for: MyPlugin.self) }
    """,
    de: """
      Wer es schreibt, schreibt in C: __attribute__((visibility("default"))) const sous_plugin *\(SOUS_PLUGIN_ENTRY)(void), \
      mit einer Tabelle, die mit SOUS_PLUGIN_MAGIC, SOUS_ABI_VERSION, sizeof(sous_plugin) beginnt; in Swift: \
      @_cdecl("\(SOUS_PLUGIN_ENTRY)") public func entry() -> UnsafeRawPointer? { PluginEntry.pointer(for: MyPlugin.self) }
      """)
}
