/// Message identifiers in `Message-ID`, `In-Reply-To` and `References` (RFC 5322 §3.6.4).
enum MessageID {
  /// The identifiers of a value, without angle brackets; a value without brackets is split at white space.
  static func parseList(_ value: ArraySlice<UInt8>) -> [String] {
    var identifiers: [String] = []
    var index = value.startIndex
    while let open = value[index...].firstIndex(of: UInt8(ascii: "<")) {
      let contentStart = open + 1
      var end = contentStart
      while end < value.endIndex, value[end] != UInt8(ascii: ">"), value[end] != UInt8(ascii: "<") { end += 1 }
      append(value[contentStart..<end], to: &identifiers)
      index = end < value.endIndex && value[end] == UInt8(ascii: ">") ? end + 1 : end
    }
    if identifiers.isEmpty {
      for word in value.split(whereSeparator: { $0.isMailWhitespace || $0 == UInt8(ascii: ",") }) {
        append(word, to: &identifiers)
      }
    }
    return identifiers
  }

  private static func append(_ bytes: ArraySlice<UInt8>, to identifiers: inout [String]) {
    if let first = bytes.first, let last = bytes.last, !first.isMailWhitespace, !last.isMailWhitespace,
      bytes.allSatisfy({ $0 > 0x20 })
    {
      identifiers.append(String(decoding: bytes, as: UTF8.self))
      return
    }
    let content = bytes.filter { $0 != UInt8.lineFeed && $0 != UInt8.carriageReturn && $0 != 0 }
    let text = String(decoding: content[...].trimmingMailWhitespace, as: UTF8.self)
    if !text.isEmpty { identifiers.append(text) }
  }
}
