import Expressions
import Localization
import Plans

/// Finds recipes that belong to one concurrency group and differ in how many runs of it work at a time. Groups whose name an
/// expression makes are not compared.
struct GroupNeighbours {
  private struct Member {
    var recipe: String
    var max: Int
  }

  /// The recipes of each group, by file.
  private var members: [String: [String: Member]] = [:]
  /// The group of each file.
  private var groups: [String: String] = [:]

  /// Adds a recipe, or replaces the one of the same file.
  mutating func add(_ plan: Plan, path: String) {
    if let group = groups.removeValue(forKey: path) { members[group]?[path] = nil }
    guard let concurrency = plan.concurrency, case .literal(.string(let group)) = concurrency.group else { return }
    groups[path] = group
    members[group, default: [:]][path] = Member(recipe: plan.name, max: concurrency.max)
  }

  /// How the recipe of a file and another one of its group differ; `nil` if all agree.
  func disagreement(of path: String) -> LocalizedText? {
    guard let group = groups[path], let all = members[group], let own = all[path],
      let (file, other) = all.sorted(by: { $0.key < $1.key }).first(where: { $0.value.max != own.max })
    else { return nil }
    return LocalizedText(
      "in the concurrency group '\(group)', \(own.max) run(s) may work at a time here and \(other.max) in recipe '\(other.recipe)' "
        + "(\(file)): give both the same 'max'",
      de:
        "in der concurrency-Gruppe '\(group)' dürfen hier \(own.max) und im Rezept '\(other.recipe)' (\(file)) \(other.max) Läufe "
        + "gleichzeitig arbeiten: beide brauchen dasselbe 'max'")
  }
}
