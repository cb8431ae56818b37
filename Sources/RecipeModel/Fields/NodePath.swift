package import RecipeSyntax
package import Schemas

/// Finds the place that a path through a value leads to.
package enum NodePath {
  /// What a path ends at.
  package struct Target {
    /// The key, where the path ends at one that should not be there; otherwise the value.
    package var range: SourceRange
    /// The value, as far as the path could be followed.
    package var node: Node
  }

  /// Follows a path; where it leads beyond the tree, the last node on it counts.
  ///
  /// - Parameter atKey: Whether the last key itself is meant, not its value.
  package static func find(_ path: [SchemaViolation.PathElement], in node: Node, atKey: Bool = false) -> Target {
    var current = node
    var range = node.range
    for (position, element) in path.enumerated() {
      switch (element, current.content) {
      case (.key(let name), .mapping(let mapping)):
        guard let entry = mapping.entry(name) else { return Target(range: range, node: current) }
        current = entry.value
        let isEmpty = entry.value.range.start.offset == entry.value.range.end.offset
        range = (atKey && position == path.count - 1) || isEmpty ? entry.nameRange : entry.value.range
      case (.index(let index), .sequence(let elements)) where elements.indices.contains(index):
        current = elements[index]
        range = current.range
      default: return Target(range: range, node: current)
      }
    }
    return Target(range: range, node: current)
  }
}
