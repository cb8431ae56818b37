public import Engine
public import Expressions
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RunStore
import Schemas

extension Project {
  /// The ways in which the configuration delivers reminders.
  ///
  /// - Throws: ``UseCaseError`` with code `not_trusted` if they run a program or write to people and the user has not allowed
  ///   them.
  func reminderWays() throws(UseCaseError) -> [Value] {
    try trust.checkReminders()
    return configuration.reminderWays
  }

  /// The reminders, those that are due first, then by when they come.
  ///
  /// - Parameters:
  ///   - includesPast: Whether those belong to them of which nothing more comes.
  ///   - now: The time of day.
  public func reminders(
    includesPast: Bool = false, now: Timestamp = SystemTime().now
  ) async throws(UseCaseError) -> [ReminderEntry] {
    let (runs, disabled) = try await workspace.readingFile(
      { store -> ([ReminderEntry], Set<String>) in
        var found = try await ReminderRun.all(in: store, areOpen: true)
        if includesPast { found += try await ReminderRun.all(in: store, areOpen: false, limit: 500) }
        return (found.newest.map { $0.entry(at: now) }, try await store.disabledRecipes())
      }, ifMissing: { ([], []) })
    let recipes = reminderRecipes(now: now).map { recipe in
      var entry = ReminderEntry(id: recipe.plan.name, title: recipe.plan.name, state: .coming)
      entry.path = recipe.path
      entry.next = recipe.next(after: now)
      entry.at = entry.next
      let schedules = (planning(recipe.path).plan?.triggers ?? []).compactMap(\.schedule)
      entry.rhythm = schedules.map(\.sourceText).joined(separator: ", ")
      let words = schedules.map(\.words)
      if !words.isEmpty {
        entry.rhythmWords = LocalizedText(
          words.map(\.english).joined(separator: "; "), de: words.map(\.german).joined(separator: "; "))
      }
      if disabled.contains(recipe.path) { (entry.state, entry.next) = (.off, nil) }
      return entry
    }
    return (runs + recipes).sorted { left, right in
      if left.state.rank != right.state.rank { return left.state.rank < right.state.rank }
      let (first, second) = (left.next ?? left.at, right.next ?? right.at)
      if first != second { return first.map { one in second.map { one < $0 } ?? true } ?? false }
      return left.id < right.id
    }
  }

  /// The recipes of kind `reminder` in the folders that are served.
  func reminderRecipes(now: Timestamp) -> [ServedRecipe] {
    servedRecipes(now: now).filter { $0.plan.reminding != nil && $0.isTriggered }
  }

  /// All recipes in the folders that are served.
  func servedRecipes(now: Timestamp) -> [ServedRecipe] {
    var servedRecipes = ServedRecipes(of: self)
    _ = servedRecipes.update(self, at: now, monotonic: 0)
    return servedRecipes.recipes
  }

  /// The recipes of reminders that a name means: the name or the file, else a part of the name.
  func reminderRecipes(named name: String, now: Timestamp) -> [ServedRecipe] {
    let recipes = reminderRecipes(now: now)
    let path = CheckedFiles.canonical(workspace.surroundings.resolve(name))
    let whole = recipes.filter { $0.plan.name.lowercased() == name.lowercased() || $0.path == path }
    return whole.isEmpty ? recipes.filter { $0.plan.name.lowercased().contains(name.lowercased()) } : whole
  }
}

extension ReminderEntry.State {
  /// Where it stands in a listing.
  fileprivate var rank: Int {
    switch self {
    case .failed: 0
    case .due: 1
    case .coming: 2
    case .off: 3
    case .delivered, .done: 4
    }
  }
}

extension Trigger {
  /// Its schedule; `nil` for any other trigger.
  fileprivate var schedule: Schedule? {
    if case .schedule(let schedule) = kind { schedule } else { nil }
  }
}
