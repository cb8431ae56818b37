extension PlanGraph {
  /// Measures in pixels.
  enum Measure {
    static let characterWidth = 7.2
    static let lineHeight = 17
    static let padding = 12
    static let gap = 28
    static let layerGap = 44
    static let margin = 16
  }

  /// The place of a node in a drawing, in pixels.
  public struct Box: Sendable {
    /// The left edge.
    public var x = 0
    /// The upper edge.
    public var y = 0
    /// The width.
    public var width: Int
    /// The height.
    public var height: Int
  }

  /// The places of all nodes, in their order.
  public struct Layout: Sendable {
    /// The places.
    public var boxes: [Box]
    /// The width of the drawing in pixels.
    public var width: Int
    /// The height of the drawing in pixels.
    public var height: Int
  }

  /// Steps in layers from top to bottom, each below all that it waits for.
  public var layout: Layout {
    var boxes = nodes.map { node in
      Box(
        width: Int(Double(node.lines.map(\.count).max() ?? 0) * Measure.characterWidth) + 2 * Measure.padding,
        height: node.lines.count * Measure.lineHeight + 2 * Measure.padding - 5)
    }
    var layers: [[Int]] = []
    for (position, node) in nodes.enumerated() {
      while layers.count <= node.layer { layers.append([]) }
      layers[node.layer].append(position)
    }
    let widths = layers.map { layer in
      layer.reduce(0) { $0 + boxes[$1].width } + max(0, layer.count - 1) * Measure.gap
    }
    let width = max(widths.max() ?? 0, 120) + 2 * Measure.margin
    var y = Measure.margin
    for (layer, layerWidth) in zip(layers, widths) {
      var x = (width - layerWidth) / 2
      for position in layer {
        boxes[position].x = x
        boxes[position].y = y
        x += boxes[position].width + Measure.gap
      }
      y += (layer.map { boxes[$0].height }.max() ?? 0) + Measure.layerGap
    }
    let height = max(y - Measure.layerGap, Measure.margin) + Measure.margin
    return Layout(boxes: boxes, width: width, height: height)
  }
}
