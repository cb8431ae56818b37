package import Recipes

/// The turn of a mail filter among the filters of its folder: by `order`, then by name, then by file.
package struct FilterTurn: Comparable {
  private let order: Int
  /// The recipe's name.
  package let name: String
  /// The recipe's file.
  package let path: String

  /// `nil` for a recipe of another kind.
  package init?(_ plan: Plan, path: String) {
    guard let order = plan.concurrency?.order else { return nil }
    (self.order, name, self.path) = (order, plan.name, path)
  }

  package static func < (left: FilterTurn, right: FilterTurn) -> Bool {
    (left.order, left.name, left.path) < (right.order, right.name, right.path)
  }
}
