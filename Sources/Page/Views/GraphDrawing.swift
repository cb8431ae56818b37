import Expressions
import Plans
import RecipePlanning

/// The graph of a plan as a part of a page: colours come from the style sheet, each step is a link.
struct GraphDrawing {
  private let graph: PlanGraph
  private let statuses: [String: String]
  private let link: (String) -> String
  private let context: PageContext

  /// - Parameters:
  ///   - statuses: The statuses of steps by their names; empty for a plan that has not run.
  ///   - link: The address behind a step.
  init(_ graph: PlanGraph, statuses: [String: String] = [:], _ context: PageContext, link: @escaping (String) -> String)
  {
    (self.graph, self.statuses, self.context, self.link) = (graph, statuses, context, link)
  }

  /// The drawing.
  var html: HTML {
    let layout = graph.layout
    return tag(
      .svg, .class("graph"), .with(.viewBox, "0 0 \(layout.width) \(layout.height)"), .with(.width, "\(layout.width)"),
      .with(.height, "\(layout.height)"), .role("group"),
      .aria("label", context.say("Steps and their order", de: "Schritte und ihre Reihenfolge"))
    ) {
      tag(.defs) {
        tag(
          .marker, .id("tip"), .with(.markerUnits, "userSpaceOnUse"), .with(.markerWidth, "8"),
          .with(.markerHeight, "8"), .with(.refX, "7"),
          .with(.refY, "4"),
          .with(.orient, "auto")
        ) { tag(.path, .with(.d, "M0 0L8 4L0 8z")) }
      }
      for (position, node) in graph.nodes.enumerated() {
        for need in node.needs where layout.boxes.indices.contains(need) {
          arrow(layout.boxes[need], layout.boxes[position], isTaken: isTaken(graph.nodes[need].id) && isTaken(node.id))
        }
      }
      for (node, box) in zip(graph.nodes, layout.boxes) { drawing(node, box) }
    }
  }

  /// Whether a step has begun, so that the path of the run leads through it.
  private func isTaken(_ id: String) -> Bool {
    ["running", "succeeded", "failed", "cancelled", "waiting"].contains(statuses[id] ?? "")
  }

  private func arrow(_ from: PlanGraph.Box, _ to: PlanGraph.Box, isTaken: Bool) -> HTML {
    let (startX, startY) = (from.x + from.width / 2, from.y + from.height)
    let (endX, endY) = (to.x + to.width / 2, to.y)
    let middle = (endY - startY) / 2
    return tag(
      .path, .class(isTaken ? "arrow taken" : "arrow"),
      .with(.d, "M\(startX) \(startY)C\(startX) \(startY + middle) \(endX) \(endY - middle) \(endX) \(endY - 1)"),
      .with(.markerEnd, "url(#tip)"))
  }

  private func drawing(_ node: PlanGraph.Node, _ box: PlanGraph.Box) -> HTML {
    let status = statuses[node.id]
    let classes = ["node", node.isConditional ? "conditional" : "", PageContext.safeClass(status ?? "")]
    let name = status.map { node.id + ": " + context.word($0) } ?? node.id
    return tag(
      .a, .class(classes.filter { !$0.isEmpty }.joined(separator: " ")), .href(link(node.id)), .id("node-" + node.id),
      .data("step", node.id), .aria("label", name)
    ) {
      if node.isLoop { rectangle(box, 4) }
      rectangle(box, 0)
      for (number, line) in node.lines.enumerated() {
        tag(
          .svgText, .class(number == 0 ? "name" : "detail"), .with(.x, "\(box.x + 12)"),
          .with(.y, "\(box.y + 21 + number * 17)"),
          text: line)
      }
    }
  }

  private func rectangle(_ box: PlanGraph.Box, _ shift: Int) -> HTML {
    tag(
      .rect, .with(.x, "\(box.x + shift)"), .with(.y, "\(box.y + shift)"), .with(.width, "\(box.width)"),
      .with(.height, "\(box.height)"), .with(.rx, "8"))
  }
}
