/// The value after the name of a field: `Ort: Kassel` in a line, `"city": "Kassel"` in JSON.
enum LabelledFields {
  /// The longest name, and the longest value of a line, in bytes.
  private static let longestName = 30
  private static let longestValue = 80

  /// Every value whose field has a name that says what it is.
  static func find(in bytes: UnsafeBufferPointer<UInt8>) -> [Finding] {
    var found: [Finding] = []
    var lineStart = 0
    for index in bytes.indices {
      if bytes[index] == 0x0A {
        lineStart = index + 1
      } else if bytes[index] == 0x3A {
        if let finding = member(bytes, colon: index) {
          found.append(finding)
        } else if index - lineStart <= longestName, let finding = line(bytes, from: lineStart, colon: index) {
          found.append(finding)
        }
      }
    }
    return found
  }

  /// `"city": "Kassel"`
  private static func member(_ bytes: UnsafeBufferPointer<UInt8>, colon: Int) -> Finding? {
    var end = colon
    while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
    guard end > 1, bytes[end - 1] == 0x22 else { return nil }
    var start = end - 1
    while start > 0, end - start <= longestName, bytes[start - 1] != 0x22 { start -= 1 }
    guard start > 0, bytes[start - 1] == 0x22, let kind = kind(bytes, start..<end - 1) else { return nil }
    var value = colon + 1
    while value < bytes.count, bytes[value] == 0x20 { value += 1 }
    guard value < bytes.count else { return nil }
    if bytes[value] == 0x22 {
      value += 1
      var valueEnd = value
      while valueEnd < bytes.count, valueEnd - value < 400, bytes[valueEnd] != 0x22, bytes[valueEnd] != 0x0A {
        valueEnd += 1
      }
      return valueEnd > value ? Finding(range: value..<valueEnd, kind: kind) : nil
    }
    return nil
  }

  /// `Ort: Kassel`, with nothing else in its line.
  private static func line(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, colon: Int) -> Finding? {
    var start = start
    // Signs of lists, quotations and Markdown.
    while start < colon, " \t-*•>_#|".utf8.contains(bytes[start]) { start += 1 }
    var nameEnd = colon
    while nameEnd > start, bytes[nameEnd - 1] == 0x2A || bytes[nameEnd - 1] == 0x20 { nameEnd -= 1 }
    guard start < nameEnd, let kind = kind(bytes, start..<nameEnd), kind != .person, kind != .organisation else {
      return nil
    }
    var value = colon + 1
    while value < bytes.count, bytes[value] == 0x20 || bytes[value] == 0x09 || bytes[value] == 0x2A { value += 1 }
    var end = value
    while end < bytes.count, end - value <= longestValue, bytes[end] != 0x0A { end += 1 }
    while end > value, bytes[end - 1] <= 0x20 || ".,;*".utf8.contains(bytes[end - 1]) { end -= 1 }
    guard end > value, end - value <= longestValue else { return nil }
    let digits = bytes[value..<end].count { (0x30...0x39).contains($0) }
    let words = bytes[value..<end].split(separator: 0x20)
    // "Adresse: siehe unten" has neither digits nor few words with capitals.
    let isName = words.count <= 4 && words.allSatisfy { $0.first.map { $0 < 0x61 || $0 > 0x7A } ?? false }
    let least = kind == .address ? 1 : kind == .birthdate || kind == .url || kind == .ip ? 3 : 5
    guard digits >= least && words.count <= 8 || kind == .address && isName else { return nil }
    return Finding(range: value..<end, kind: kind)
  }

  private static func kind(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> PersonalDataKind? {
    guard range.count <= longestName else { return nil }
    let name = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    return CSVView.kind(ofColumn: name)
  }
}
