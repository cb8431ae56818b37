import Plans
import RecipeModel
import RecipeSyntax

extension PlanGraph {
  /// The drawing as an SVG document: steps in layers from top to bottom, each below all that it waits for.
  ///
  /// Colours follow the reader's preference for light or dark surroundings.
  public var svg: String {
    let layout = layout
    let boxes = layout.boxes
    var text = Self.head(name: name, width: layout.width, height: layout.height)
    for (position, node) in nodes.enumerated() {
      for need in node.needs { text += Self.arrow(from: boxes[need], to: boxes[position], dashed: node.phase != .main) }
    }
    for (node, box) in zip(nodes, boxes) { text += Self.drawing(of: node, in: box) }
    return text + "</svg>\n"
  }

  private static func head(name: String, width: Int, height: Int) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img">
      <title>\(name.xmlText)</title>
      <style>
        svg { color: #1f2328; background: #ffffff; }
        rect { fill: #f6f8fa; stroke: currentColor; }
        .conditional { stroke-dasharray: 5 3; }
        path { fill: none; stroke: currentColor; }
        marker path, text { fill: currentColor; stroke: none; }
        text { font: 12px ui-monospace, monospace; }
        .name { font-weight: bold; }
        @media (prefers-color-scheme: dark) {
          svg { color: #e6edf3; background: #0d1117; }
          rect { fill: #161b22; }
        }
      </style>
      <defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>

    """
  }

  private static func arrow(from: Box, to: Box, dashed: Bool) -> String {
    let (startX, startY) = (from.x + from.width / 2, from.y + from.height)
    let (endX, endY) = (to.x + to.width / 2, to.y)
    let middle = (endY - startY) / 2
    let dash = dashed ? " stroke-dasharray=\"4 3\"" : ""
    return
      "  <path d=\"M\(startX) \(startY)C\(startX) \(startY + middle) \(endX) \(endY - middle) \(endX) \(endY - 1)\" "
      + "marker-end=\"url(#tip)\"\(dash)/>\n"
  }

  private static func drawing(of node: Node, in box: Box) -> String {
    var text = "  <g>\n"
    let shape =
      "width=\"\(box.width)\" height=\"\(box.height)\" rx=\"6\"\(node.isConditional ? " class=\"conditional\"" : "")"
    if node.isLoop { text += "    <rect x=\"\(box.x + 4)\" y=\"\(box.y + 4)\" \(shape)/>\n" }
    text += "    <rect x=\"\(box.x)\" y=\"\(box.y)\" \(shape)/>\n"
    for (number, line) in node.lines.enumerated() {
      let y = box.y + Measure.padding + 9 + number * Measure.lineHeight
      let style = number == 0 ? " class=\"name\"" : ""
      text += "    <text x=\"\(box.x + Measure.padding)\" y=\"\(y)\"\(style)>\(line.xmlText)</text>\n"
    }
    return text + "  </g>\n"
  }
}
