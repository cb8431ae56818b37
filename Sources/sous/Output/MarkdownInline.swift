/// The marks within a line of Markdown, for a terminal: bold text, code in a colour, links as the command or address to which they
/// lead.
struct MarkdownInline {
  let terminal: Terminal

  /// The text without marks. Without colours code keeps its marks, which separate it from the words around it.
  func text(_ source: String) -> String {
    var result = ""
    var rest = Substring(source)
    while let character = rest.first {
      if character == "`", let (code, after) = Self.code(rest) {
        result += terminal.hasColor ? terminal.styled(code, .cyan) : "`\(code)`"
        rest = after
      } else if rest.hasPrefix("**"), let end = rest.dropFirst(2).firstRange(of: "**") {
        // Words are styled one by one: a line break may come between them.
        let words = text(String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end.lowerBound])).split(separator: " ")
        result += words.map { terminal.styled(String($0), .bold) }.joined(separator: " ")
        rest = rest[end.upperBound...]
      } else if character == "[", let (label, target, after) = Self.link(rest) {
        result += text(label) + Self.place(target)
        rest = after
      } else if character == "\\", let next = rest.dropFirst().first, next.isPunctuation || next.isSymbol {
        result.append(next)
        rest = rest.dropFirst(2)
      } else {
        result.append(character)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// Code between marks of any number.
  private static func code(_ rest: Substring) -> (String, Substring)? {
    let marks = rest.prefix { $0 == "`" }
    let content = rest.dropFirst(marks.count)
    guard let end = content.firstRange(of: marks) else { return nil }
    var code = String(content[..<end.lowerBound])
    if marks.count > 1, code.hasPrefix(" "), code.hasSuffix(" ") { code = String(code.dropFirst().dropLast()) }
    return (code, content[end.upperBound...])
  }

  private static func link(_ rest: Substring) -> (String, String, Substring)? {
    guard let middle = rest.firstRange(of: "]("), !rest[..<middle.lowerBound].dropFirst().contains("["),
      let end = rest[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    let label = rest[rest.index(after: rest.startIndex)..<middle.lowerBound]
    return (String(label), String(rest[middle.upperBound..<end]), rest[rest.index(after: end)...])
  }

  /// The destination of a link behind its label: a page as the command that prints it, a place on the same page not at all.
  private static func place(_ target: String) -> String {
    if target.contains("://") { return " (\(target))" }
    guard let file = target.split(separator: "#").first, file.hasSuffix(".md") else { return "" }
    let name = file.split(separator: "/").last?.dropLast(3) ?? ""
    let anchor = target.dropFirst(file.count)
    return " (sous docs \(name)\(anchor))"
  }
}
