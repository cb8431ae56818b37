import Engine
package import Expressions
package import RunStore

extension ServedRecipes {
  /// How many recipes that could sleep stay awake, and how many schedules these have together: so many are planned when the
  /// process begins, so that what is wrong with them is told at once.
  package static let awake = (recipes: 64, schedules: 2000)
  /// Seconds for which a recipe stays awake that was needed.
  private static let attention = 10.0
  /// How much longer than a look at a sleeping recipe takes it is until the next one.
  private static let checkShare = 1000.0

  /// Whether a file is as its schedules in the run log say, and not read.
  package func isAsleep(_ path: String) -> Bool { entries[path] != nil && loaded[path] == nil }

  /// What is to be noted of a file so that a later process need not read it; `nil` where that has to.
  package func sleeper(_ path: String) -> ServedFile? {
    guard let entry = entries[path], loaded[path]?.problem == nil, loaded[path]?.recipe?.canSleep ?? false else {
      return nil
    }
    return ServedFile(path: path, stamp: entry.stamp, name: entry.name, schedules: Int(entry.schedules))
  }

  /// Plans recipes that sleep and are needed.
  ///
  /// - Returns: Those that cannot be used as they are: their files have changed, or something that they need is missing.
  package mutating func wakeUp(
    _ paths: Set<String>, _ project: Project, at now: Timestamp, monotonic: Double
  ) -> Set<String> {
    var wanted: [Wanted] = []
    var changed: Set<String> = []
    for path in paths {
      guard isAsleep(path), let stamp = entries[path]?.stamp else {
        loaded[path]?.usedAt = monotonic
        continue
      }
      if self.stamp(of: path) == stamp {
        wanted.append(Wanted(path: path, stamp: stamp, size: 0))
      } else {
        changed.insert(path)
      }
    }
    guard !wanted.isEmpty else { return changed }
    changed.formUnion(plan(wanted, project, at: now, monotonic: monotonic))
    for file in wanted { loaded[file.path]?.usedAt = monotonic }
    return changed
  }

  /// Lets recipes sleep where too many are awake, those that were needed longest ago first.
  package mutating func letSleep(at monotonic: Double) {
    var sleepers = loaded.compactMap { path, entry -> (path: String, usedAt: Double, schedules: Int)? in
      guard entry.problem == nil, let recipe = entry.recipe, recipe.canSleep else { return nil }
      return (path, entry.usedAt, recipe.schedules.count)
    }
    var (recipes, schedules) = (sleepers.count, sleepers.reduce(0) { $0 + $1.schedules })
    guard recipes > Self.awake.recipes || schedules > Self.awake.schedules else { return }
    sleepers.sort { ($0.usedAt, $0.path) < ($1.usedAt, $1.path) }
    for sleeper in sleepers where recipes > Self.awake.recipes || schedules > Self.awake.schedules {
      guard sleeper.usedAt < monotonic - Self.attention else { return }
      loaded[sleeper.path] = nil
      (recipes, schedules) = (recipes - 1, schedules - sleeper.schedules)
    }
  }

  /// Plans one of the recipes that sleep where it is time for that: what it is made from beside its file may have changed.
  ///
  /// - Returns: The file, where it cannot be used any more.
  package mutating func checkSleeper(_ project: Project, at now: Timestamp, monotonic: Double) -> String? {
    guard monotonic >= nextCheck else { return nil }
    if checks.isEmpty { checks = entries.keys.filter(isAsleep) }
    guard let path = checks.popLast() else {
      nextCheck = monotonic + 60
      return nil
    }
    guard isAsleep(path), let stamp = entries[path]?.stamp, self.stamp(of: path) == stamp else { return nil }
    let begin = SystemTime().monotonic
    let changed = plan([Wanted(path: path, stamp: stamp, size: 0)], project, at: now, monotonic: monotonic)
    nextCheck = monotonic + Self.checkShare * (SystemTime().monotonic - begin)
    guard changed.isEmpty else { return path }
    if loaded[path]?.recipe?.canSleep ?? false { loaded[path] = nil }
    return nil
  }
}
