/// Reads an address list in one pass, forgiving what real messages get wrong: missing brackets and quotes, unquoted
/// commas and dots in names, encoded words that contain separators, obsolete routes.
struct AddressParser {
  private let value: ArraySlice<UInt8>
  private var scanner: EncodedWord.Scanner
  private var index: Int
  private var addresses: [Address] = []
  private var group: String?

  /// Words outside brackets, each run of white space one space; quoted strings without their quotes.
  private var phrase: [UInt8] = []
  /// Set by a quoted string: its `@` does not make an address.
  private var phraseIsQuoted = false
  private var hasQuotedLocalPart = false
  private var comment: [UInt8] = []
  /// Cleared once a quoted string has met the end of the value: the quotes that follow mean nothing.
  private var hasQuoteEnds = true
  /// The text in angle brackets, once there was one.
  private var bracketed: [UInt8]?
  /// Whether a comment or white space splits a word of the address. RFC 5322 (§3.2.3, §3.4.1) allows comments only between
  /// words, so the two halves are not joined to an address.
  private var hasSplitWord = false
  /// As ``hasSplitWord``, for the text in angle brackets.
  private var hasSplitWordInBrackets = false
  /// Whether a comment has just ended, outside of brackets.
  private var followsComment = false

  init(_ value: ArraySlice<UInt8>) {
    self.value = value
    scanner = EncodedWord.Scanner(value)
    index = value.startIndex
  }

  /// The mailboxes of the value.
  mutating func parse() -> [Address] {
    while index < value.endIndex {
      let byte = value[index]
      if followsComment, byte != UInt8(ascii: "(") {
        followsComment = false
        if let last = phrase.last, Self.areInOneWord(last, byte) {
          hasSplitWord = true
          phrase.append(UInt8.space)
        }
      }
      switch byte {
      case UInt8(ascii: "\""):
        let start = index
        index += 1
        guard let quoted = readQuoted() else { continue }
        if phrase.isEmpty, index < value.endIndex, value[index] == UInt8(ascii: "@") {
          // `"two words"@example.org`: the quotes belong to the address, and what is escaped in them.
          hasQuotedLocalPart = true
          phrase += value[start..<index].filter { $0 != UInt8.lineFeed && $0 != UInt8.carriageReturn }
          continue
        }
        if phrase.isEmpty, !quoted.isEmpty { phraseIsQuoted = true }
        phrase += quoted
      case UInt8(ascii: "("):
        index += 1
        readComment()
        followsComment = true
      case UInt8(ascii: "<"):
        index += 1
        readBracketed()
      case UInt8(ascii: ","):
        index += 1
        finishMailbox()
      case UInt8(ascii: ";"):
        index += 1
        finishMailbox()
        group = nil
      case UInt8(ascii: ":") where bracketed == nil && !phrase.contains(UInt8(ascii: "@")):
        index += 1
        startGroup()
      case UInt8(ascii: "=") where appendEncodedWord():
        break
      case _ where byte.isMailWhitespace:
        index += 1
        if let last = phrase.last, last != UInt8.space { phrase.append(UInt8.space) }
      default:
        index += 1
        phrase.append(byte)
      }
    }
    finishMailbox()
    return addresses
  }

  /// Takes an encoded word into the phrase as a whole: some writers leave commas and brackets in it unescaped.
  private mutating func appendEncodedWord() -> Bool {
    guard let word = scanner.word(at: index) else { return false }
    phrase += value[index..<word.end]
    index = word.end
    return true
  }

  /// The text in quotes, up to behind the second one; `nil` if there is none, and the first one is left out.
  private mutating func readQuoted() -> [UInt8]? {
    if !hasQuoteEnds { return nil }
    let start = index
    var content: [UInt8] = []
    while index < value.endIndex {
      let byte = value[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return content }
      if byte == UInt8(ascii: "\\"), index < value.endIndex {
        content.append(value[index])
        index += 1
      } else if byte != UInt8.lineFeed && byte != UInt8.carriageReturn {
        content.append(byte)
      }
    }
    hasQuoteEnds = false
    index = start
    return nil
  }

  private mutating func readComment() {
    var depth = 1
    if !comment.isEmpty { comment.append(UInt8.space) }
    while index < value.endIndex {
      let byte = value[index]
      index += 1
      switch byte {
      case UInt8(ascii: "("):
        depth += 1
        comment.append(byte)
      case UInt8(ascii: ")"):
        depth -= 1
        if depth == 0 { return }
        comment.append(byte)
      case UInt8(ascii: "\\") where index < value.endIndex:
        comment.append(value[index])
        index += 1
      default:
        comment.append(byte)
      }
    }
  }

  /// Whether two bytes would belong to one word of an address, so that a comment or white space between them splits it.
  private static func areInOneWord(_ last: UInt8, _ next: UInt8) -> Bool {
    func isInWord(_ byte: UInt8) -> Bool {
      !byte.isMailWhitespace && !".@,;:<>()".utf8.contains(byte)
    }
    return isInWord(last) && isInWord(next)
  }

  private mutating func readBracketed() {
    var content: [UInt8] = []
    var followsGap = false
    defer {
      // A second pair of brackets is ignored, unless the first was empty.
      if bracketed?.isEmpty ?? true { bracketed = content }
    }
    while index < value.endIndex {
      let byte = value[index]
      if followsGap, !byte.isMailWhitespace, byte != UInt8(ascii: "(") {
        followsGap = false
        if let last = content.last, bracketed?.isEmpty ?? true, Self.areInOneWord(last, byte) {
          hasSplitWordInBrackets = true
          content.append(UInt8.space)
        }
      }
      switch byte {
      case UInt8(ascii: ">"):
        index += 1
        return
      case UInt8(ascii: "("):
        index += 1
        readComment()
        followsGap = true
      case UInt8(ascii: "\""):
        let start = index
        index += 1
        guard readQuoted() != nil else { continue }
        content += value[start..<index].filter { $0 != UInt8.lineFeed && $0 != UInt8.carriageReturn }
      case UInt8(ascii: ","), UInt8(ascii: ";"):
        // The closing bracket is missing, except in a route such as `<@relay.example,@other.example:me@example.org>`.
        guard content.first == UInt8(ascii: "@") else { return }
        index += 1
        content.append(byte)
      case UInt8(ascii: "<"):
        index += 1
      case _ where byte.isMailWhitespace:
        index += 1
        followsGap = true
      default:
        index += 1
        content.append(byte)
      }
    }
  }

  private mutating func startGroup() {
    let name = EncodedWord.decodeUnstructured(phrase[...])
    if !name.isEmpty { group = name }
    resetMailbox()
  }

  private mutating func finishMailbox() {
    defer { resetMailbox() }
    let commentText = EncodedWord.decodeUnstructured(comment[...])
    if let bracketed {
      var name = EncodedWord.decodeUnstructured(phrase[...])
      if name.isEmpty { name = commentText }
      name = takeNameBeforeComma(joining: name)
      let address = hasSplitWordInBrackets ? "" : AddressParser.withoutRoute(bracketed)
      if hasSplitWordInBrackets, name.isEmpty { name = EncodedWord.decodeUnstructured(bracketed[...]) }
      if address.isEmpty && name.isEmpty { return }
      addresses.append(Address(name: name.isEmpty ? nil : name, address: address, group: group))
      return
    }
    let words = phrase[...].trimmingMailWhitespace
    if hasQuotedLocalPart {
      let address = String(decoding: words, as: UTF8.self)
      addresses.append(Address(name: commentText.isEmpty ? nil : commentText, address: address, group: group))
      return
    }
    if words.isEmpty && commentText.isEmpty { return }
    if hasSplitWord, !phraseIsQuoted, words.contains(UInt8(ascii: "@")) {
      addresses.append(Address(name: EncodedWord.decodeUnstructured(words), address: "", group: group))
      return
    }
    if !phraseIsQuoted, words.contains(UInt8(ascii: "@")) {
      // Without brackets the last word with an @ is the address, words before it are the name.
      let parts = words.split(separator: UInt8.space)
      let isSpread = parts.contains { $0.first == UInt8(ascii: "@") || $0.last == UInt8(ascii: "@") }
      if parts.count > 1, !isSpread, parts.allSatisfy({ $0.contains(UInt8(ascii: "@")) }) {
        // The commas between addresses are missing.
        for part in parts { addresses.append(Address(address: AddressParser.withoutRoute(Array(part)), group: group)) }
      } else if isSpread || parts.count == 1 {
        // White space is allowed around the `@` and the dots of an address, but not inside a word.
        let isWhole = zip(parts, parts.dropFirst()).allSatisfy { left, right in
          guard let last = left.last, let next = right.first else { return true }
          return !Self.areInOneWord(last, next)
        }
        let address = isWhole ? AddressParser.withoutRoute(words.filter { !$0.isMailWhitespace }) : ""
        let name = isWhole ? commentText : EncodedWord.decodeUnstructured(words)
        addresses.append(Address(name: name.isEmpty ? nil : name, address: address, group: group))
      } else {
        let position = parts.lastIndex { $0.contains(UInt8(ascii: "@")) } ?? 0
        let others = parts.indices.filter { $0 != position }.map { parts[$0] }
        let name = EncodedWord.decodeUnstructured(Array(others.joined(separator: [UInt8.space]))[...])
        let address = AddressParser.withoutRoute(Array(parts[position]))
        addresses.append(Address(name: name.isEmpty ? nil : name, address: address, group: group))
      }
      return
    }
    var name = EncodedWord.decodeUnstructured(words)
    if phraseIsQuoted, name.contains("@"), !name.contains(" ") {
      addresses.append(Address(name: commentText.isEmpty ? nil : commentText, address: name, group: group))
      return
    }
    if name.isEmpty { name = commentText }
    if !name.isEmpty { addresses.append(Address(name: name, address: "", group: group)) }
  }

  /// `Doe, John <john@example.org>`: a name without an address before the comma belongs to the mailbox after it.
  private mutating func takeNameBeforeComma(joining name: String) -> String {
    guard !name.isEmpty, let last = addresses.last, last.address.isEmpty, last.group == group,
      let family = last.name, !family.contains(" ")
    else { return name }
    addresses.removeLast()
    return "\(family), \(name)"
  }

  private mutating func resetMailbox() {
    phrase.removeAll(keepingCapacity: true)
    phraseIsQuoted = false
    hasQuotedLocalPart = false
    comment.removeAll(keepingCapacity: true)
    bracketed = nil
    hasSplitWord = false
    hasSplitWordInBrackets = false
    followsComment = false
  }

  /// The address without an obsolete route (RFC 5322 §4.4) and without `mailto:`.
  private static func withoutRoute(_ bytes: [UInt8]) -> String {
    var content = bytes[...]
    if content.first == UInt8(ascii: "@"), let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      content = content[(colon + 1)...]
    }
    let address: String
    if content.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      address = String(decoding: content, as: UTF8.self)
    } else {
      let text = Charset.decode(content, label: nil).text
      let scalars = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
      address = String(String.UnicodeScalarView(scalars))
    }
    // Most begin otherwise, and need not be made lower case to see it.
    guard let first = address.utf8.first, first | 0x20 == UInt8(ascii: "m") else { return address }
    return address.lowercased().hasPrefix("mailto:") ? String(address.dropFirst(7)) : address
  }
}
