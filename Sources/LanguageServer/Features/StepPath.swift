import RecipeSyntax
import Schemas

/// Where steps are written: below `steps` of the recipe, of a block and in branches.
enum StepPath {
  /// The innermost step that a path leads to or into; `nil` outside of steps.
  static func step(in path: Outline.Path) -> Outline.Path? {
    var found: Outline.Path?
    var end = 0
    while let length = listLength(path[end...], isFirst: end == 0), path.count > end + length,
      case .index = path[end + length]
    {
      end += length + 1
      found = Array(path[..<end])
    }
    return found
  }

  /// Whether a path is that of a step.
  static func isStep(_ path: some Sequence<SchemaViolation.PathElement>) -> Bool {
    let path = Array(path)
    return !path.isEmpty && step(in: path) == path
  }

  /// The innermost block around a step, or the empty path for the recipe: the steps of branches belong to what the decision
  /// belongs to.
  static func block(around step: Outline.Path) -> Outline.Path {
    var rest = Array(step.dropLast())
    while let last = rest.lastIndex(of: .key("steps")) {
      let around = Array(rest[..<last])
      if around.isEmpty || isStep(around) { return around }
      rest = around
    }
    return []
  }

  /// How many elements lead to a list of steps; `nil` if none is there.
  private static func listLength(_ path: Outline.Path.SubSequence, isFirst: Bool) -> Int? {
    switch path.first {
    case .key("steps")?: 1
    case .key("then")?, .key("else")?, .key("default")?: isFirst ? nil : 1
    case .key("cases")?: isFirst || path.count < 2 ? nil : 2
    default: nil
    }
  }
}
