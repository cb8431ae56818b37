/// The pictures of an article: `src` of `img` with an absolute http or https URL, each once, in the order of the text.
enum PictureLinks {
  static func urls(in html: String) -> [String] {
    var urls: [String] = []
    var seen: Set<String> = []
    let bytes = Array(html.utf8)
    var index = 0
    while let start = find(Array("<img".utf8), in: bytes, from: index) {
      var place = start + 4
      index = place
      // `<image`, which is something else.
      guard place < bytes.count, isSpace(bytes[place]) || bytes[place] == UInt8(ascii: "/") else { continue }
      var source: String?
      while let (name, value, next) = attribute(in: bytes, at: place) {
        if name == "src", source == nil { source = value }
        place = next
      }
      index = max(index, place)
      guard let url = source.map(unescaped), isAbsolute(url), seen.insert(url).inserted else { continue }
      urls.append(url)
    }
    return urls
  }

  private static func isAbsolute(_ url: String) -> Bool {
    let lowered = url.lowercased()
    return (lowered.hasPrefix("https://") || lowered.hasPrefix("http://"))
      && !url.contains { $0.isWhitespace || $0 == "\"" || $0 == "<" }
  }

  /// The references that URLs in attributes need.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return text.replacing("&amp;", with: "&").replacing("&#38;", with: "&").replacing("&#x26;", with: "&")
  }

  /// The next attribute of a tag; `nil` at its end.
  private static func attribute(in bytes: [UInt8], at start: Int) -> (name: String, value: String, next: Int)? {
    var index = start
    while index < bytes.count, isSpace(bytes[index]) || bytes[index] == UInt8(ascii: "/") { index += 1 }
    guard index < bytes.count, bytes[index] != UInt8(ascii: ">") else { return nil }
    let nameStart = index
    // A first '=' belongs to the name, as browsers have it.
    index += 1
    while index < bytes.count, !isSpace(bytes[index]), !Array("=>/".utf8).contains(bytes[index]) { index += 1 }
    let name = String(decoding: bytes[nameStart..<index], as: UTF8.self).lowercased()
    while index < bytes.count, isSpace(bytes[index]) { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "=") else { return (name, "", index) }
    index += 1
    while index < bytes.count, isSpace(bytes[index]) { index += 1 }
    guard index < bytes.count else { return (name, "", index) }
    let quote = bytes[index]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { index += 1 }
    let valueStart = index
    while index < bytes.count,
      isQuoted ? bytes[index] != quote : !isSpace(bytes[index]) && bytes[index] != UInt8(ascii: ">")
    {
      index += 1
    }
    let value = String(decoding: bytes[valueStart..<index], as: UTF8.self)
    return (name, value, isQuoted ? min(index + 1, bytes.count) : index)
  }

  private static func find(_ word: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= word.count else { return nil }
    var index = start
    while index <= bytes.count - word.count {
      if word.indices.allSatisfy({ lowered(bytes[index + $0]) == word[$0] }) { return index }
      index += 1
    }
    return nil
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
