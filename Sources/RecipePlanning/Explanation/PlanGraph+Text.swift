import Plans
import Schemas

extension PlanGraph {
  /// The drawing as a Mermaid flowchart: <https://mermaid.js.org/syntax/flowchart.html>.
  public var mermaid: String {
    var text = "flowchart TD\n"
    for (position, node) in nodes.enumerated() {
      let label = node.lines.map(\.mermaidText).joined(separator: "<br/>")
      let (open, close) = node.isConditional ? ("{{", "}}") : node.isLoop ? ("[[", "]]") : ("[", "]")
      text += "  s\(position)\(open)\"\(label)\"\(close)\n"
    }
    for (position, node) in nodes.enumerated() {
      for need in node.needs { text += "  s\(need) \(node.phase != .main ? "-.->" : "-->") s\(position)\n" }
    }
    return text
  }

  /// The drawing in Graphviz's DOT language: <https://graphviz.org/doc/info/lang.html>.
  public var dot: String {
    var text = "digraph \(name.dotText) {\n  rankdir=TB;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
    for (position, node) in nodes.enumerated() {
      let label = node.lines.joined(separator: "\n").dotText
      let shape = node.isConditional ? ", style=\"rounded,dashed\"" : ""
      text += "  s\(position) [label=\(label)\(shape)\(node.isLoop ? ", peripheries=2" : "")];\n"
    }
    for (position, node) in nodes.enumerated() {
      for need in node.needs { text += "  s\(need) -> s\(position)\(node.phase != .main ? " [style=dashed]" : "");\n" }
    }
    return text + "}\n"
  }
}

extension String {
  /// The text inside a quoted Mermaid label: what the grammar or HTML would read becomes a character entity.
  fileprivate var mermaidText: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "#", "&", "<", ">", "`", ";", "\\", "{", "}", "[", "]", "|": text += "#\(scalar.value);"
      default: text.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
      }
    }
    return text
  }

  /// The text as a quoted DOT string; line feeds become line breaks of the label.
  fileprivate var dotText: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
      }
    }
    return text + "\""
  }
}
