/// The file `winmail.dat` that Outlook sends: a text and files in a format of its own ([MS-OXTNEF]).
struct TNEF {
  /// A file in it.
  private struct File {
    var name = ""
    var type = ""
    var contentID: String?
    var data: ArraySlice<UInt8>?
  }

  /// The content of a property of MAPI ([MS-OXCDATA] 2.11).
  private enum Value {
    case text(String)
    case bytes(ArraySlice<UInt8>)
    case other
  }

  private static let signature: UInt32 = 0x223E_9F78
  /// More files than this are left out.
  private static let fileLimit = 500

  private var codePage = "windows-1252"
  private var plain: String?
  private var html: String?
  /// The text in RTF, compressed.
  private var rtf: ArraySlice<UInt8>?
  private var files: [File] = []

  /// Reads a file; a file that was cut is read up to its end.
  ///
  /// - Returns: `nil` if the bytes have another format.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = Reader(bytes)
    guard reader.number(4) == Self.signature, reader.number(2) != nil else { return nil }
    while let level = reader.number(1), level == 1 || level == 2, let attribute = reader.number(4),
      let count = reader.number(4), let data = reader.bytes(Int(count), isCutAllowed: true)
    {
      take(attribute, data)
      guard reader.number(2) != nil else { break }
    }
  }

  private mutating func take(_ attribute: UInt32, _ data: ArraySlice<UInt8>) {
    switch attribute {
    // attOemCodepage: two numbers, of which the first counts.
    case 0x0006_9007:
      var reader = Reader(data)
      if let page = reader.number(4) { codePage = "windows-\(page)" }
    // attBody
    case 0x0002_800C: if plain == nil { plain = string(data) }
    // attMAPIProps
    case 0x0006_9003:
      properties(data) { page, tag, value in
        switch (tag, value) {
        case (0x1000, .text(let text)): plain = text
        case (0x1009, .bytes(let bytes)): rtf = bytes
        case (0x1013, .text(let text)): html = text
        case (0x1013, .bytes(let bytes)):
          html = Charset.decode(bytes, label: HTMLText.charset(in: Array(bytes.prefix(1024))) ?? page).text
        default: break
        }
      }
    // attAttachRendData begins a file.
    case 0x0006_9002: if files.count < Self.fileLimit { files.append(File()) }
    // attAttachTitle, attAttachData
    case 0x0001_8010:
      let name = string(data)
      change { if $0.name.isEmpty { $0.name = name } }
    case 0x0006_800F: change { $0.data = data }
    // attAttachment: further properties of the file.
    case 0x0006_9005:
      var file = File()
      properties(data) { _, tag, value in
        switch (tag, value) {
        case (0x3707, .text(let text)): file.name = text
        case (0x370E, .text(let text)): file.type = text
        case (0x3712, .text(let text)): file.contentID = text
        case (0x3701, .bytes(let bytes)): file.data = bytes
        default: break
        }
      }
      change {
        if !file.name.isEmpty { $0.name = file.name }
        if !file.type.isEmpty { $0.type = file.type }
        if let identifier = file.contentID { $0.contentID = identifier }
        if $0.data == nil { $0.data = file.data }
      }
    default: break
    }
  }

  private mutating func change(_ body: (inout File) -> Void) {
    guard var file = files.popLast() else { return }
    body(&file)
    files.append(file)
  }

  private func string(_ data: ArraySlice<UInt8>) -> String {
    Charset.decode(data.prefix { $0 != 0 }, label: codePage).text
  }

  // MARK: Properties

  /// Reads properties of MAPI; ends where one is of an unknown type.
  private func properties(
    _ data: ArraySlice<UInt8>, _ take: (_ codePage: String, _ tag: UInt32, _ value: Value) -> Void
  ) {
    var reader = Reader(data)
    guard let count = reader.number(4) else { return }
    var page = codePage
    for _ in 0..<min(count, 10_000) {
      guard let type = reader.number(2), let tag = reader.number(2) else { return }
      if tag >= 0x8000, !reader.skipName() { return }
      let isMany = type & 0x1000 != 0
      let plainType = type & 0x0FFF
      let isLong = [0x1E, 0x1F, 0x102, 0x0D].contains(plainType)
      guard let values = isMany || isLong ? reader.number(4) : 1 else { return }
      for _ in 0..<min(values, 100_000) {
        guard let bytes = isLong ? reader.counted() : reader.bytes(Self.size(ofType: plainType) ?? -1) else { return }
        // PR_INTERNET_CPID
        if tag == 0x3FDE, plainType == 3 {
          var number = Reader(bytes)
          if let value = number.number(4) { page = value == 65001 ? "utf-8" : "windows-\(value)" }
        }
        switch plainType {
        case 0x1E: take(page, tag, .text(Charset.decode(bytes.prefix { $0 != 0 }, label: codePage).text))
        case 0x1F:
          let text = Charset.decode(bytes, label: "utf-16le").text
          take(page, tag, .text(String(text.prefix { $0 != "\0" })))
        case 0x102: take(page, tag, .bytes(bytes))
        // An object begins with the identifier of its interface.
        case 0x0D: take(page, tag, .bytes(bytes.dropFirst(16)))
        default: take(page, tag, .other)
        }
      }
    }
  }

  /// Bytes of a value of fixed size, filled up to four.
  private static func size(ofType type: UInt32) -> Int? {
    switch type {
    case 0x02, 0x03, 0x04, 0x0A, 0x0B: 4
    case 0x05, 0x06, 0x07, 0x14, 0x40: 8
    case 0x48: 16
    default: nil
    }
  }

  /// Numbers with the low byte first.
  private struct Reader {
    private var rest: ArraySlice<UInt8>
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func number(_ count: Int) -> UInt32? {
      guard rest.count >= count else { return nil }
      let value = rest.prefix(count).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      rest = rest.dropFirst(count)
      return value
    }

    mutating func bytes(_ count: Int, isCutAllowed: Bool = false) -> ArraySlice<UInt8>? {
      guard count >= 0, isCutAllowed || rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }

    /// A value with its length before it, filled up to four bytes.
    mutating func counted() -> ArraySlice<UInt8>? {
      guard let count = number(4), let value = bytes(Int(count)) else { return nil }
      rest = rest.dropFirst((4 - Int(count % 4)) % 4)
      return value
    }

    /// The name of a property that has one: a GUID, and a number or a text.
    mutating func skipName() -> Bool {
      guard bytes(16) != nil, let kind = number(4) else { return false }
      return kind == 0 ? number(4) != nil : counted() != nil
    }
  }

  // MARK: As MIME

  /// Text and files as a multipart, with its header; `nil` if there are neither.
  var entity: [UInt8]? {
    var parts: [[UInt8]] = []
    if let html, html.contains(where: { !$0.isWhitespace }) {
      parts.append(Self.part(["Content-Type: text/html; charset=utf-8"], Array(html.utf8)[...]))
    } else if let plain, plain.contains(where: { !$0.isWhitespace }) {
      parts.append(Self.part(["Content-Type: text/plain; charset=utf-8"], Array(plain.utf8)[...]))
    } else if let rtf, !rtf.isEmpty {
      if let text = CompressedRTF.decode(rtf).flatMap(RTFText.read) {
        if text.contains(where: { !$0.isWhitespace }) {
          parts.append(Self.part(["Content-Type: text/plain; charset=utf-8"], Array(text.utf8)[...]))
        }
      } else {
        // Damaged text stays what it is.
        let fields = [
          "Content-Type: application/octet-stream", "Content-Disposition: attachment; filename=\"body.rtf.damaged\"",
        ]
        parts.append(Self.part(fields, rtf))
      }
    }
    for file in files {
      guard let data = file.data else { continue }
      let type = ContentType(parsing: Array(file.type.utf8)[...])
      let guessed = FileType.mediaType(ofFile: file.name)
      let isPlain = type.isValid && !file.type.isEmpty && !type.isMultipart && type.type != "message"
      // An enclosed message is a file here: its text is none of this message's.
      let safe = guessed.hasPrefix("message/") ? "application/octet-stream" : guessed
      var fields = ["Content-Type: \(isPlain ? type.mediaType : safe)"]
      let name = file.name.utf8.map { byte in
        byte.isASCIILetter || byte.isDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
          ? String(UnicodeScalar(byte)) : "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
      }.joined()
      fields.append("Content-Disposition: attachment" + (name.isEmpty ? "" : "; filename*=utf-8''\(name)"))
      if let identifier = file.contentID?.utf8,
        identifier.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3E && $0 != 0x3C })
      {
        fields.append("Content-ID: <\(String(identifier))>")
      }
      parts.append(Self.part(fields, data))
    }
    guard !parts.isEmpty else { return nil }
    // Base64 has no line that begins with two hyphens.
    var output = Array("Content-Type: multipart/mixed; boundary=\"tnef\"\r\n\r\n".utf8)
    for part in parts { output += Array("--tnef\r\n".utf8) + part + Array("\r\n".utf8) }
    return output + Array("--tnef--\r\n".utf8)
  }

  private static func part(_ fields: [String], _ data: ArraySlice<UInt8>) -> [UInt8] {
    let header = (fields + ["Content-Transfer-Encoding: base64", "", ""]).joined(separator: "\r\n")
    return Array(header.utf8) + Base64.encode(data, lineLength: 76)
  }
}
