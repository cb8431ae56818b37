import Engine
import Expressions
import Plans

extension BuiltinAction {
  /// `text.split`: divides a long text into parts.
  static let textSplit = BuiltinAction(signature: .textSplit) { call in
    let partition = TextPartition(
      by: TextPartition.Unit(rawValue: call.text("by")) ?? .paragraphs,
      size: call.number("size", default: 2000, in: TextPartition.sizes),
      overlap: call.number("overlap", default: 0, in: 0...TextPartition.sizes.upperBound))
    return ["parts": .list(TextParts.parts(of: call.text("text"), partition).map(Value.string))]
  }
}
