/// Paragraphs of `format=flowed` text put back together (RFC 3676).
enum FlowedText {
  /// Joins the lines that end in a space with the line after them, per quote depth.
  ///
  /// - Parameters:
  ///   - text: The decoded text, its lines ended by LF.
  ///   - deletesSpace: The part's `DelSp=yes`: the space that marks a soft break is not part of the text.
  static func unflow(_ text: String, deletesSpace: Bool) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    var paragraph: [UInt8] = []
    var paragraphDepth = 0
    var isOpen = false
    func close() {
      if isOpen {
        writeLine(paragraph, depth: paragraphDepth, to: &output)
        paragraph.removeAll(keepingCapacity: true)
        isOpen = false
      }
    }
    let bytes = Array(text.utf8)[...]
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let (end, next) = bytes.lineEnd(from: start)
      var line = bytes[start..<end]
      let isLast = next == bytes.endIndex && end == next
      start = next
      var depth = 0
      while line.first == UInt8(ascii: ">") {
        depth += 1
        line = line.dropFirst()
      }
      if line.first == UInt8.space { line = line.dropFirst() }
      let isSignatureMark = line.elementsEqual("-- ".utf8)
      let isSoft = line.last == UInt8.space && !isSignatureMark && !isLast
      if isOpen && (depth != paragraphDepth || isSignatureMark) { close() }
      if !isOpen {
        paragraphDepth = depth
        isOpen = true
      }
      paragraph += isSoft && deletesSpace ? line.dropLast() : line
      if !isSoft { close() }
    }
    close()
    if text.utf8.last != UInt8.lineFeed, output.last == UInt8.lineFeed { output.removeLast() }
    return String(decoding: output, as: UTF8.self)
  }

  private static func writeLine(_ line: [UInt8], depth: Int, to output: inout [UInt8]) {
    for _ in 0..<depth { output.append(UInt8(ascii: ">")) }
    if depth > 0 && !line.isEmpty { output.append(UInt8.space) }
    output += line
    output.append(UInt8.lineFeed)
  }
}
