import Engine
import Expressions
import Recipes

extension BuiltinAction {
  /// `values`: gives back what it is given.
  static let values = BuiltinAction(signature: .values) { (input) throws(ActionFailure) in input }
}
