import Localization

/// Reads a tar archive (POSIX.1-1988 `ustar`, pax extended headers, GNU long names) that comes in pieces.
///
/// Only files and folders are accepted: links, devices, sparse files and names that leave the archive's folder are errors, as no
/// plugin needs them. It does no I/O.
struct TarReader {
  /// Something that was read.
  enum Event: Equatable {
    /// A file begins; its contents follow.
    case file(name: String, size: Int)
    /// A piece of the contents of the file.
    case data(ArraySlice<UInt8>)
    /// The file has ended.
    case end
  }

  /// The limits of an archive.
  struct Limits {
    /// The most files and folders.
    var entries = 10_000
    /// The most bytes of all contents together.
    var bytes = 512 << 20
    /// The longest name in bytes.
    var name = 4096
  }

  private enum State {
    case header
    case contents(left: Int, padding: Int)
    /// A pax header or a GNU long name, which is about the next entry.
    case extended(left: Int, padding: Int, isLongName: Bool, bytes: [UInt8])
    case skipped(left: Int)
    case ended
  }

  private let limits: Limits
  private var state = State.header
  private var buffer: [UInt8] = []
  private var nextName: String?
  private var entryCount = 0
  private var byteCount = 0

  init(limits: Limits = Limits()) { self.limits = limits }

  /// Whether the archive is complete: its end was read, or it ends between two entries.
  var isComplete: Bool {
    switch state {
    case .ended: true
    case .header: buffer.isEmpty && entryCount > 0
    default: false
    }
  }

  /// Reads the next bytes of the archive.
  ///
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/badArchive``.
  mutating func take(_ bytes: [UInt8]) throws(PluginStoreError) -> [Event] {
    var events: [Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      switch state {
      case .ended: return events
      case .header:
        let missing = 512 - buffer.count
        buffer += rest.prefix(missing)
        rest = rest.dropFirst(missing)
        guard buffer.count == 512 else { return events }
        let header = buffer
        buffer = []
        try begin(header, &events)
      case .contents(let left, let padding):
        let piece = rest.prefix(left)
        rest = rest.dropFirst(piece.count)
        if !piece.isEmpty { events.append(.data(piece)) }
        guard piece.count == left else {
          state = .contents(left: left - piece.count, padding: padding)
          continue
        }
        events.append(.end)
        skip(padding)
      case .extended(let left, let padding, let isLongName, let bytes):
        let piece = rest.prefix(left)
        rest = rest.dropFirst(piece.count)
        guard piece.count == left else {
          state = .extended(
            left: left - piece.count, padding: padding, isLongName: isLongName, bytes: bytes + piece)
          continue
        }
        if let name = try isLongName ? Self.text(bytes + piece) : paxName(bytes + piece) { nextName = name }
        skip(padding)
      case .skipped(let left):
        let count = min(left, rest.count)
        rest = rest.dropFirst(count)
        skip(left - count)
      }
    }
    return events
  }

  private mutating func skip(_ count: Int) { state = count > 0 ? .skipped(left: count) : .header }

  /// Reads the header of an entry: 512 bytes.
  private mutating func begin(_ header: [UInt8], _ events: inout [Event]) throws(PluginStoreError) {
    guard header.contains(where: { $0 != 0 }) else {
      state = .ended
      return
    }
    let sum = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
    guard Self.octal(header[148..<156]) == sum, let size = Self.octal(header[124..<136]) else {
      throw Self.damaged(LocalizedText("a header is damaged", de: "ein Kopf ist beschädigt"))
    }
    entryCount += 1
    guard entryCount <= limits.entries else {
      throw Self.damaged(
        LocalizedText("it has more than \(limits.entries) entries", de: "es hat mehr als \(limits.entries) Einträge"))
    }
    let padding = (512 - size % 512) % 512
    switch header[156] {
    case UInt8(ascii: "x"), UInt8(ascii: "L"):
      guard size <= 64 << 10 else {
        throw Self.damaged(LocalizedText("a name is too long", de: "ein Name ist zu lang"))
      }
      state = .extended(left: size, padding: padding, isLongName: header[156] == UInt8(ascii: "L"), bytes: [])
      if size == 0 { skip(padding) }
    case UInt8(ascii: "g"):
      byteCount += size
      try checkSize()
      skip(size + padding)
    case 0, UInt8(ascii: "0"), UInt8(ascii: "5"):
      let name = try name(in: header)
      nextName = nil
      try check(name)
      if header[156] == UInt8(ascii: "5") || name.hasSuffix("/") {
        guard size == 0 else { throw Self.damaged(LocalizedText("a folder has contents", de: "ein Ordner hat Inhalt")) }
        skip(0)
        return
      }
      byteCount += size
      try checkSize()
      events.append(.file(name: name, size: size))
      state = .contents(left: size, padding: padding)
      if size == 0 {
        events.append(.end)
        skip(0)
      }
    default:
      let name = try name(in: header)
      throw Self.damaged(
        LocalizedText(
          "'\(name.prefix(200))' is a link, a device or a special file; only files and folders are accepted",
          de:
            "'\(name.prefix(200))' ist ein Link, ein Gerät oder eine besondere Datei; nur Dateien und Ordner sind erlaubt"
        ))
    }
  }

  private func checkSize() throws(PluginStoreError) {
    guard byteCount <= limits.bytes else {
      throw Self.damaged(
        LocalizedText(
          "it unpacks to more than \(limits.bytes >> 20) MiB", de: "es enthält mehr als \(limits.bytes >> 20) MiB"))
    }
  }

  private func check(_ name: String) throws(PluginStoreError) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: true)
    guard !name.isEmpty, name.utf8.count <= limits.name, !name.hasPrefix("/"), !parts.contains("..") else {
      throw Self.damaged(
        LocalizedText(
          "the name '\(name.prefix(200))' leads out of the archive",
          de: "der Name '\(name.prefix(200))' führt aus dem "
            + "Archiv hinaus"))
    }
  }

  /// The value of `path` in a pax header: records `LENGTH KEY=VALUE\n`. A size there is refused: it would replace that of the header.
  private func paxName(_ bytes: [UInt8]) throws(PluginStoreError) -> String? {
    var name: String?
    var rest = bytes[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0 != UInt8(ascii: " ") }
      guard digits.count < 8, let length = Int(String(decoding: digits, as: UTF8.self)), length > digits.count + 1,
        length <= rest.count
      else { throw Self.damaged(LocalizedText("a pax header is damaged", de: "ein pax-Kopf ist beschädigt")) }
      let record = rest.prefix(length).dropFirst(digits.count + 1).dropLast()
      rest = rest.dropFirst(length)
      guard let sign = record.firstIndex(of: UInt8(ascii: "=")) else { continue }
      switch String(decoding: record[..<sign], as: UTF8.self) {
      case "path": name = try Self.text(Array(record[record.index(after: sign)...]))
      case let key where key == "size" || key.hasPrefix("GNU.sparse") || key == "linkpath":
        throw Self.damaged(
          LocalizedText(
            "sparse and linked files are not accepted", de: "Dateien mit Lücken und Links sind nicht erlaubt"))
      default: break
      }
    }
    return name
  }

  private func name(in header: [UInt8]) throws(PluginStoreError) -> String {
    if let nextName { return nextName }
    let name = try Self.text(Array(header[0..<100].prefix { $0 != 0 }))
    guard header[257..<262].elementsEqual("ustar".utf8), header[262] == 0 else { return name }
    let prefix = try Self.text(Array(header[345..<500].prefix { $0 != 0 }))
    return prefix.isEmpty ? name : prefix + "/" + name
  }

  private static func text(_ bytes: [UInt8]) throws(PluginStoreError) -> String {
    guard let text = String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw damaged(LocalizedText("a name is not UTF-8", de: "ein Name ist nicht UTF-8")) }
    return text
  }

  /// A number in octal digits, with spaces and NUL around it.
  private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
    let digits = bytes.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
    let rest = bytes.drop { $0 == 0x20 }.dropFirst(digits.count)
    guard !digits.isEmpty, rest.allSatisfy({ $0 == 0 || $0 == 0x20 }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }

  static func damaged(_ reason: LocalizedText) -> PluginStoreError {
    PluginStoreError(
      .badArchive,
      LocalizedText("the archive cannot be used: ", de: "das Archiv ist nicht verwendbar: ") + reason
        + LocalizedText(". Nothing was installed", de: ". Nichts wurde installiert"))
  }
}
