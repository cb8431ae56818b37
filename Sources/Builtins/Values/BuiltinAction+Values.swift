import Engine
import Expressions
import Plans

extension BuiltinAction {
  /// `values`: gives back what the recipe has computed, so that several steps can use it.
  static let values = BuiltinAction(signature: .values) { call in call.input }
}
