public import Engine
public import Expressions
public import Foundation
import Plans
import Providers
import RecipeModel
import RecipePlanning
public import RunStore
public import UseCases

/// A budget of calls of models, and how much of it is used in the present day or month.
public struct BudgetUse: Sendable {
  /// The bound.
  public let bound: BudgetBound
  /// The use; `nil` for the budget of each single run.
  public let used: UsageSummary?

  /// The budget: `{scope, name, period, tokens_limit, tokens_used, cost_limit, cost_used}`; `scope` is `all`, `provider` or
  /// `recipe`.
  public var json: Value {
    let (scope, name): (String, String?) =
      switch bound.scope {
      case .all, .run: ("all", nil)
      case .provider(let name): ("provider", name)
      case .recipe(let name): ("recipe", name)
      }
    return .object([
      ("scope", .string(scope)), ("name", .text(name)), ("period", .string(bound.period.rawValue)),
      ("tokens_limit", .number(bound.bound.tokens)),
      ("tokens_used", .number(used.map { $0.tokens.prompt + $0.tokens.completion })),
      ("cost_limit", bound.bound.cost.map(Value.double) ?? .null),
      ("cost_used", used.map { .double($0.cost ?? 0) } ?? .null),
    ])
  }
}

extension Session {
  /// The use of models by calls; those without a price when they were made count by the prices of today.
  ///
  /// - Parameters:
  ///   - filter: Which calls.
  ///   - grouping: The meaning of the rows.
  public func usage(
    _ filter: UsageFilter, by grouping: UsageGrouping
  ) async throws(UseCaseError) -> [UsageSummary] {
    let providers = project.providers
    return try await mapErrors {
      try await store.usage(filter, by: grouping) { provider, model in providers.price(of: model, provider: provider) }
    }
  }

  /// The budgets of `sous.yaml` and of the served recipes with what is used of them.
  public func budgets(now: Date = Date()) async throws(UseCaseError) -> [BudgetUse] {
    var bounds = Self.bounds(project.configuration.engine.budget, .all)
    for provider in project.configuration.providers {
      bounds += Self.bounds(provider.models.budget, .provider(provider.name))
    }
    for recipe in try await project.servedRecipes() {
      guard let name = recipe.name, let budget = project.planning(recipe.path).plan?.budget else { continue }
      bounds += Self.bounds(budget, .recipe(name))
    }
    var found: [BudgetUse] = []
    for bound in bounds { found.append(BudgetUse(bound: bound, used: try await used(bound, now))) }
    return found
  }

  private static func bounds(_ budget: Budget?, _ scope: BudgetBound.Scope) -> [BudgetBound] {
    guard let budget else { return [] }
    let periods: [(BudgetBound.Period, Budget.Bound?)] = [
      (.run, budget.run), (.day, budget.day), (.month, budget.month),
    ]
    return periods.compactMap { period, bound in bound.map { BudgetBound(scope, period, $0) } }
  }

  private func used(_ bound: BudgetBound, _ now: Date) async throws(UseCaseError) -> UsageSummary? {
    let component: Calendar.Component
    switch bound.period {
    case .run: return nil
    case .day: component = .day
    case .month: component = .month
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    var filter = UsageFilter()
    filter.since = calendar.dateInterval(of: component, for: now).map {
      Timestamp(seconds: Int64($0.start.timeIntervalSince1970))
    }
    switch bound.scope {
    case .all, .run: break
    case .provider(let name): filter.provider = name
    case .recipe(let name): filter.recipe = name
    }
    var total = UsageSummary(key: "")
    for row in try await usage(filter, by: .action) { total.add(row) }
    return total
  }
}
