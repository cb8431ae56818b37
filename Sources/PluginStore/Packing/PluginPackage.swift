public import Expressions
import Foundation
import Hashing
import Localization
import OperatingSystem
import PluginBoundary
public import PluginHost

/// An archive of a plugin for others: `<id>-<version>-<platform>.tar.gz` with the library and its manifest.
public struct PluginPackage: Sendable {
  /// The path of the archive.
  public let path: String
  /// The manifest of the plugin.
  public let manifest: PluginManifest
  /// The SHA-256 of the archive.
  public let sha256: String

  /// Writes the archive. The library is opened in a worker process, to read its manifest. Blocks the calling thread; needs `gzip`.
  ///
  /// - Parameters:
  ///   - library: The library `lib<id>.so`.
  ///   - folder: The folder of the archive; an archive of the same name is replaced.
  ///   - environment: The environment for `gzip`.
  ///   - probe: Opens the library.
  /// - Throws: ``PluginStoreError``
  public init(
    library: String, folder: String, environment: [String: String], probe: any PluginProbing = PluginProbe()
  ) throws(PluginStoreError) {
    let text: [UInt8]
    do throws(PluginError) {
      let path = SystemPath.resolved(library) ?? library
      text = try probe.manifest(ofLibraryAt: path)
      manifest = try PluginManifest(json: text, path: path)
    } catch {
      throw PluginStoreError(.notUsable, error.message)
    }
    let name = "\(manifest.id)-\(manifest.version)-\(PluginIndex.platform)"
    let isName = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || [0x2B, 0x2D, 0x2E, 0x5F].contains(byte)
    }
    guard isName else {
      throw PluginStoreError(
        .notUsable,
        LocalizedText(
          "the version '\(manifest.version)' has characters that a file name must not have; use a version such as 1.2.0",
          de:
            "die Version '\(manifest.version)' hat Zeichen, die kein Dateiname haben soll; eine Version wie 1.2.0 verwenden"
        ))
    }
    path = folder + "/" + name + ".tar.gz"
    sha256 = try Self.write(
      library, manifest: text, id: manifest.id, to: path, environment: environment)
  }

  private static func write(
    _ library: String, manifest: [UInt8], id: String, to path: String, environment: [String: String]
  ) throws(PluginStoreError) -> String {
    let tar = path + ".\(getpid()).tar"
    defer { unlink(tar) }
    do throws(SystemError) {
      let bytes = try Descriptor(opening: library, O_RDONLY).readAll(limit: PluginInstaller.longest + 1)
      guard bytes.count <= PluginInstaller.longest else { throw SystemError(EFBIG) }
      let file = try Descriptor(opening: tar, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
      for (name, contents) in [("manifest.json", manifest), ("lib\(id).so", bytes)] {
        try file.write(header(name, size: contents.count) + contents)
        try file.write([UInt8](repeating: 0, count: (512 - contents.count % 512) % 512))
      }
      try file.write([UInt8](repeating: 0, count: 1024))
    } catch {
      throw .unusable(tar, .systemError(error.code))
    }
    return try compress(tar, to: path, environment)
  }

  /// Compresses a file.
  ///
  /// - Returns: The SHA-256 of the archive.
  private static func compress(
    _ tar: String, to path: String, _ environment: [String: String]
  ) throws(PluginStoreError) -> String {
    func written<Result>(_ body: () throws(SystemError) -> Result) throws(PluginStoreError) -> Result {
      do throws(SystemError) { return try body() } catch { throw .unusable(path, .systemError(error.code)) }
    }
    let hash = RunningHash()
    let archive = try written { () throws(SystemError) in try AtomicFile(path, mode: nil) }
    // Without time and name, so that the same library gives the same archive.
    let tool = ToolProcess(arguments: ["gzip", "-9", "-n", "-c"], environment: environment, input: tar)
    let ending = try tool.run { piece throws(PluginStoreError) in
      hash.update(piece)
      try written { () throws(SystemError) in try archive.write(piece) }
    }
    guard ending.status == 0 else {
      let words = ending.words.split(whereSeparator: \.isNewline).last.map { String($0.prefix(200)) } ?? ""
      throw PluginStoreError(
        .program,
        LocalizedText(
          "gzip failed with status \(ending.status) (\(words)); \(path) was not written",
          de: "gzip schlug mit Status \(ending.status) fehl (\(words)); \(path) wurde nicht geschrieben"))
    }
    try written { () throws(SystemError) in try archive.finish() }
    return hash.finish()
  }

  /// The header of a file (POSIX.1-1988 `ustar`), without times and owners.
  private static func header(_ name: String, size: Int) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() where offset + index < 512 { header[offset + index] = byte }
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    put(name, at: 0)
    put("0000644", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    put(octal(size, 11), at: 124)
    put(octal(0, 11), at: 136)
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    let sum = header.reduce(0) { $0 + Int($1) }
    put(octal(sum, 6), at: 148)
    header[154] = 0
    return header
  }

  /// The entry of the archive in an index, with a relative URL.
  public var entry: Value {
    [
      "id": .string(manifest.id), "version": .string(manifest.version), "platform": .string(PluginIndex.platform),
      "url": .string((path as NSString).lastPathComponent), "sha256": .string(sha256),
      "summary": .string(manifest.summary.english), "permissions": PluginPermissions(manifest).json,
    ]
  }

  /// Adds the entry to an index file, which is made if it does not exist; an entry of the same version and platform is replaced.
  ///
  /// - Throws: ``PluginStoreError`` if the file is not an index, or cannot be written.
  public func add(toIndexAt index: String) throws(PluginStoreError) {
    var bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try Descriptor(opening: index, O_RDONLY).readAll(limit: PluginIndex.longest)
    } catch {
      if error.code != ENOENT { throw .unusable(index, .systemError(error.code)) }
    }
    var entries: [Value] = []
    if let bytes {
      // Another file must not be overwritten.
      _ = try PluginIndex(json: bytes, from: index)
      entries = (try? Value(json: bytes))?["plugins"]?.listValue ?? []
    }
    entries.removeAll { other in ["id", "version", "platform"].allSatisfy { other[$0] == entry[$0] } }
    let document: Value = ["format": 1, "plugins": .list(entries + [entry])]
    do throws(SystemError) {
      try AtomicFile.write(document.json(pretty: true) + [0x0A], to: index, mode: nil)
    } catch {
      throw .unusable(index, .systemError(error.code))
    }
  }
}
