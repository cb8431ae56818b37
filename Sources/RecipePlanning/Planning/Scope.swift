import Expressions

/// What an expression at one place of a recipe may use.
struct Scope {
  /// The step whose expression it is; `nil` outside of steps.
  var step: Int?
  /// Whether `steps` may be used at all.
  var allowsSteps = true
  /// The type of the step's own output, where its expression may use that: in `until`.
  var ownOutput: ValueType?
  /// The variables beside `steps`, with their types.
  var variables: [String: ValueType]
  /// The keywords that may be named, each with its type.
  var keywords: [String: ValueType]
}
