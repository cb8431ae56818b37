/// Cuts HTML into what people read: one view of the text with its inline tags left out, and one for each attribute, comment
/// and script. Forgiving, in one pass.
struct HTMLView {
  private static let blocks = WordList(
    "p div br hr table tr td th ul ol li h1 h2 h3 h4 h5 h6 blockquote pre section article header footer body html head title address dl dt dd form option"
  )
  /// Attributes whose words people or machines read; all others have no text.
  private static let silent = WordList(
    "class id style width height align valign border cellpadding cellspacing bgcolor color face size rel target type role lang dir colspan rowspan "
      + "charset http-equiv")

  private let bytes: UnsafeBufferPointer<UInt8>
  private let escapes: EscapedText.Escapes
  private var text = TextView()
  private var others: [TextView] = []
  private var index = 0
  private var hasTagEnds = true
  /// The element whose name says that its text is a secret, and where that text begins.
  private var secret: (name: String, start: Int)?
  /// The tables that are open, the innermost last.
  private var tables: [HTMLTable] = []

  /// The views of a text.
  static func views(_ bytes: UnsafeBufferPointer<UInt8>, _ escapes: EscapedText.Escapes) -> [TextView] {
    var reader = HTMLView(bytes, escapes)
    reader.read()
    reader.text.known.sort { $0.range.lowerBound < $1.range.lowerBound }
    return [reader.text] + reader.others
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ escapes: EscapedText.Escapes) {
    self.bytes = bytes
    self.escapes = escapes.subtracting(.json).union(.references)
  }

  private mutating func read() {
    while index < bytes.count {
      if bytes[index] == 0x3C, readMarkup() { continue }
      let start = index
      index += 1
      while index < bytes.count, bytes[index] != 0x3C { index += 1 }
      EscapedText.add(bytes, start..<index, escapes, to: &text)
    }
    while let table = tables.popLast() { close(table) }
  }

  /// Follows the rows and cells of tables, whose columns say what their fields are.
  private mutating func readTable(_ name: String, isEnd: Bool, _ tag: Range<Int>) {
    if name == "table" {
      if !isEnd {
        if let last = tables.indices.last { tables[last].noteTable() }
        tables.append(HTMLTable())
      } else if let table = tables.popLast() {
        close(table)
      }
      return
    }
    guard var table = tables.popLast() else { return }
    switch name {
    case "tr": text.known += table.endRow(text.bytes)
    case "td" where !isEnd, "th" where !isEnd:
      table.endCell(text.bytes.count)
      table.beginCell(text.bytes.count, isHead: name == "th", span: columns(ofTag: tag))
    case "td", "th": table.endCell(text.bytes.count)
    default: break
    }
    tables.append(table)
  }

  /// Notes the text of `<password>…</password>` as known.
  private mutating func readSecret(_ name: String, isEnd: Bool) {
    if isEnd, let secret, secret.name == name {
      let value = SecretReader.trimmed(secret.start..<text.bytes.count, text.bytes)
      if !value.isEmpty, !SecretReader.isPlaceholder(text.bytes[value]) {
        text.known.append(Finding(range: value, kind: .idNumber))
      }
    }
    secret = !isEnd && SecretNames.strength(of: name) != nil ? (name: name, start: text.bytes.count) : nil
  }

  /// The `colspan` of a tag; 1 if it is missing.
  private func columns(ofTag tag: Range<Int>) -> Int {
    let words = String(decoding: UnsafeBufferPointer(rebasing: bytes[tag]), as: UTF8.self).lowercased()
      .split { " =\"'\t\n\r/>".contains($0) }
    guard let place = words.firstIndex(of: "colspan"), place + 1 < words.count else { return 1 }
    return Int(words[place + 1]) ?? 1
  }

  private mutating func close(_ table: HTMLTable) {
    var table = table
    text.known += table.endRow(text.bytes)
  }

  /// Reads a tag, a comment or a declaration; false where the sign is just text.
  private mutating func readMarkup() -> Bool {
    let start = index
    guard start + 1 < bytes.count else { return false }
    if bytes[start + 1] == 0x21 {
      let isComment = bytes[start...].prefix(4).elementsEqual("<!--".utf8)
      let end = self.end(of: isComment ? "-->" : ">", from: start + 2)
      index = end
      if String(decoding: bytes[start + 2..<end].prefix(7), as: UTF8.self).lowercased() == "doctype" { return true }
      others.append(TextView(bytes, start + 2..<end, escapes))
      return true
    }
    var position = start + 1
    if bytes[position] == 0x2F { position += 1 }
    let nameStart = position
    while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
    guard position > nameStart, hasTagEnds else { return false }
    let name = String(decoding: UnsafeBufferPointer(rebasing: bytes[nameStart..<position]), as: UTF8.self).lowercased()
    readAttributes(&position)
    guard position < bytes.count else {
      // A tag that never ends: what follows is text.
      hasTagEnds = false
      return false
    }
    index = position + 1
    readSecret(name, isEnd: bytes[start + 1] == 0x2F)
    if Self.blocks.contains(name) { text.addSeparator(0x0A) }
    readTable(name, isEnd: bytes[start + 1] == 0x2F, start..<index)
    if name == "script" || name == "style", bytes[start + 1] != 0x2F {
      let end = self.end(of: "</" + name, from: index)
      let stop = end - (end == bytes.count ? 0 : name.utf8.count + 2)
      others.append(TextView(bytes, index..<max(index, stop), escapes))
      index = max(index, stop)
    }
    return true
  }

  private mutating func readAttributes(_ position: inout Int) {
    while position < bytes.count, bytes[position] != 0x3E {
      guard isNameByte(bytes[position]) else {
        position += 1
        continue
      }
      let nameStart = position
      while position < bytes.count, isNameByte(bytes[position]) { position += 1 }
      let name = String(decoding: UnsafeBufferPointer(rebasing: bytes[nameStart..<position]), as: UTF8.self)
        .lowercased()
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      guard position < bytes.count, bytes[position] == 0x3D else { continue }
      position += 1
      while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
      guard position < bytes.count else { return }
      let quote = bytes[position]
      let valueStart: Int
      if quote == 0x22 || quote == 0x27 {
        valueStart = position + 1
        position = valueStart
        while position < bytes.count, bytes[position] != quote { position += 1 }
        guard position < bytes.count else { return }
        add(value: valueStart..<position, of: name)
        position += 1
      } else {
        valueStart = position
        while position < bytes.count, bytes[position] > 0x20, bytes[position] != 0x3E { position += 1 }
        add(value: valueStart..<position, of: name)
      }
    }
  }

  private mutating func add(value range: Range<Int>, of name: String) {
    guard !range.isEmpty, !Self.silent.contains(name) else { return }
    var view = TextView()
    EscapedText.add(bytes, range, escapes, to: &view)
    let head = String(decoding: view.bytes.prefix(24), as: UTF8.self).lowercased()
    let scheme = head.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let isAddress = ["href", "src", "action", "cite", "background", "poster", "srcset", "data"].contains(name)
    if isAddress,
      head.hasPrefix("//") || !scheme.isEmpty && head.dropFirst(scheme.count).first == ":" && scheme != "cid"
    {
      view.known = [Finding(range: 0..<view.bytes.count, kind: .url)]
    }
    if SecretNames.strength(of: name) != nil, !SecretReader.isPlaceholder(view.bytes[...]), !view.bytes.isEmpty {
      view.known = [Finding(range: 0..<view.bytes.count, kind: .idNumber)]
    }
    others.append(view)
  }

  /// Where a sign ends that is looked for from a place on; the end of the text if it is not there.
  private func end(of sign: String, from start: Int) -> Int {
    let sought = Array(sign.utf8)
    var index = start
    while index + sought.count <= bytes.count {
      if bytes[index] == sought[0],
        zip(bytes[index..<index + sought.count], sought).allSatisfy({ $0 == $1 || ($0 | 0x20) == $1 && $1 >= 0x61 })
      {
        return index + sought.count
      }
      index += 1
    }
    return bytes.count
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
      || byte == 0x3A || byte == 0x5F
  }
}
