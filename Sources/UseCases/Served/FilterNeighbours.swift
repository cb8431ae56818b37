import Localization
import Recipes

/// Finds mail filters that affect each other among those that start by themselves: filters of one folder, and filters that may
/// move a message in a circle.
struct FilterNeighbours {
  private struct Filter {
    var turn: FilterTurn
    /// The folder whose turn a run has that no message has started.
    var first: MailFolder?
    var folders: Set<MailFolder>
    var targets: Set<MailFolder>
  }

  private var filters: [String: Filter] = [:]

  /// Adds a recipe, or replaces the one of the same file. Recipes of other kinds and recipes without a trigger do not count.
  ///
  /// - Parameters:
  ///   - path: Its file.
  ///   - isTriggered: Whether something starts it by itself.
  mutating func add(_ plan: Plan, path: String, isTriggered: Bool) {
    filters[path] = nil
    guard isTriggered, let turn = FilterTurn(plan, path: path) else { return }
    filters[path] = Filter(
      turn: turn, first: plan.sortedFolders.first, folders: Set(plan.sortedFolders), targets: Set(plan.moveTargets))
  }

  /// The warnings about the filter of a file; empty if no other filter affects it.
  func warnings(for path: String) -> [LocalizedText] { sharing(path) + partial(path) + circles(path) }

  private func sharing(_ path: String) -> [LocalizedText] {
    guard let own = filters[path] else { return [] }
    return own.folders.sorted { ($0.provider, $0.name) < ($1.provider, $1.name) }.compactMap { folder in
      let all = filters.values.filter { $0.folders.contains(folder) }.map(\.turn).sorted()
      guard all.count > 1 else { return nil }
      let names = all.map(\.name).joined(separator: ", ")
      return LocalizedText(
        "several filters sort \(folder.name) of '\(folder.provider)'; they run in this order: \(names); 'order' changes it",
        de:
          "mehrere Filter sortieren \(folder.name) von '\(folder.provider)'; sie laufen in dieser Reihenfolge: \(names); "
          + "'order' ändert sie")
    }
  }

  /// A run has one concurrency group. A run of a filter of several accounts has that of the message's account, and that of the
  /// first account if no message has started it.
  private func partial(_ path: String) -> [LocalizedText] {
    guard let own = filters[path], let first = own.first else { return [] }
    let shared = own.folders.filter { folder in
      folder != first && filters.contains { $0.key != path && $0.value.folders.contains(folder) }
    }
    guard !shared.isEmpty else { return [] }
    let names = shared.map { "\($0.name) of '\($0.provider)'" }.sorted().joined(separator: ", ")
    let german = shared.map { "\($0.name) von '\($0.provider)'" }.sorted().joined(separator: ", ")
    return [
      LocalizedText(
        "a run by hand or by a schedule does not exclude the other filters of \(names): write one filter for each account, or "
          + "start this one by 'on: { mail: new }' only",
        de:
          "ein Lauf von Hand oder nach Zeitplan schließt die anderen Filter von \(german) nicht aus: ein Filter je Konto "
          + "hilft, oder nur 'on: { mail: new }' als Auslöser")
    ]
  }

  private func circles(_ path: String) -> [LocalizedText] {
    guard let own = filters[path] else { return [] }
    return own.folders.sorted { ($0.provider, $0.name) < ($1.provider, $1.name) }.compactMap { folder in
      guard let way = way(from: own, to: folder, [path]) else { return nil }
      let names = way.joined(separator: " → ")
      return LocalizedText(
        "filters may move a message in a circle, back to \(folder.name): \(names); exclude such messages by a condition "
          + "or use another folder",
        de:
          "Filter können eine Nachricht im Kreis verschieben, zurück nach \(folder.name): \(names); solche Nachrichten "
          + "durch eine Bedingung ausschließen oder einen anderen Ordner verwenden")
    }
  }

  /// The names of the filters on a way from one filter to a folder; `nil` if none exists.
  private func way(from filter: Filter, to folder: MailFolder, _ seen: [String]) -> [String]? {
    if filter.targets.contains(folder) { return [filter.turn.name] }
    guard seen.count < 20 else { return nil }
    for (path, next) in filters.sorted(by: { $0.value.turn < $1.value.turn })
    where !seen.contains(path) && !next.folders.isDisjoint(with: filter.targets) {
      if let rest = way(from: next, to: folder, seen + [path]) { return [filter.turn.name] + rest }
    }
    return nil
  }
}
