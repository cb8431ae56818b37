import Plans

extension Plan {
  /// The budgets that a call of a run of this plan counts for; that of the run itself has an empty name.
  var budgets: [RunBudget] { outerBudgets + own(as: "") }

  /// The budgets that a call counts for in a run which a step of this plan's run begins.
  func budgets(of run: RunID) -> [RunBudget] { outerBudgets + own(as: run.rawValue) }

  private func own(as run: String) -> [RunBudget] {
    budget.map { [RunBudget(run: run, recipe: name, budget: $0)] } ?? []
  }
}
