import Recipes

/// The turn of a mail filter among the filters of its folder: by `order`, then by name, then by file.
struct FilterTurn: Comparable {
  private let order: Int
  /// The recipe's name.
  let name: String
  /// The recipe's file.
  let path: String

  /// `nil` for a recipe of another kind.
  init?(_ plan: Plan, path: String) {
    guard let order = plan.concurrency?.order else { return nil }
    (self.order, name, self.path) = (order, plan.name, path)
  }

  static func < (left: FilterTurn, right: FilterTurn) -> Bool {
    (left.order, left.name, left.path) < (right.order, right.name, right.path)
  }
}
