public import Engine
import Expressions
import Foundation
public import Localization
public import Plans
import RecipeModel
public import RunStore

/// A recipe in the folders that are served.
public struct RecipeEntry: Sendable {
  /// The file.
  public var path: String
  /// Its name; `nil` where the file cannot be used.
  public var name: String?
  /// The kind of recipe.
  public var kind: String
  /// How many schedules and other triggers start it.
  public var triggers: Int
  /// Whether somebody has switched its triggers off.
  public var isDisabled: Bool
  /// What is wrong with it.
  public var problems: [LocalizedText]
  /// How assistants call it; `nil` if it is not open to them.
  public var tool: RecipeTool?
}

/// How what is served fares.
public struct ServingStatus: Sendable {
  /// The processes that serve, those that are gone without a word among them.
  public var servers: [ServerRecord] = []
  /// The schedules.
  public var schedules: [ScheduleRecord] = []
  /// The triggers.
  public var triggers: [TriggerHealth] = []
  /// The runs that have not ended.
  public var runs: [RunSummary] = []
  /// The decisions and events that some of these runs wait for.
  public var questions: [RunID: [OpenWait]] = [:]
  /// The files of recipes whose triggers are switched off.
  public var disabled: Set<String> = []
  /// How many notifications nobody has read.
  public var unread = 0
  /// The signals of `ping` that did not arrive.
  public var pings: [PingTrouble] = []
}

extension Workspace {
  /// The schedules that are known.
  public func schedules() async throws(UseCaseError) -> [ScheduleRecord] {
    try await readingFile({ try await $0.schedules() }, ifMissing: { [] })
  }

  /// What has become of points of schedules, the latest first.
  ///
  /// - Parameters:
  ///   - schedule: Of one schedule, named as for ``pauseSchedules(_:_:)``; `nil` for all.
  ///   - limit: At most so many.
  public func occurrences(of schedule: String?, limit: Int) async throws(UseCaseError) -> [OccurrenceRecord] {
    try await readingFile(
      { store in
        guard let schedule else { return try await store.occurrences(of: nil, limit: limit) }
        var found: [OccurrenceRecord] = []
        for record in try await store.schedules().named(schedule) {
          found += try await store.occurrences(of: record.source, limit: limit)
        }
        return Array(found.sorted { $0.at > $1.at }.prefix(limit))
      }, ifMissing: { [] })
  }

  /// Pauses schedules, or lets them go on.
  ///
  /// - Parameters:
  ///   - name: A recipe's name or file for all its schedules, or `FILE#KEY` for one.
  ///   - isPaused: Whether they are to pause.
  /// - Throws: ``UseCaseError`` where no schedule is called so.
  public func pauseSchedules(_ name: String, _ isPaused: Bool) async throws(UseCaseError) -> [ScheduleRecord] {
    try await changingRunLog { store in
      var changed: [ScheduleRecord] = []
      for record in try await store.schedules().named(name) {
        if let record = try await store.pause(record.source, isPaused) { changed.append(record) }
      }
      return changed
    }
  }

  /// How what is served fares.
  public func servingStatus() async throws(UseCaseError) -> ServingStatus {
    try await readingFile(
      { store in
        let open: Set<RunStatus> = [.queued, .running, .waiting, .interrupted, .needsAttention]
        let runs = try await store.runs(RunFilter(statuses: open, limit: 50))
        return ServingStatus(
          servers: try await store.servers(), schedules: try await store.schedules(),
          triggers: try await store.triggerHealth(), runs: runs, questions: try await store.questions(of: runs),
          disabled: try await store.disabledRecipes(), unread: try await store.unreadNotifications(),
          pings: try store.pingTroubles(at: SystemTime().now))
      }, ifMissing: { ServingStatus() })
  }

  /// Switches the triggers of a recipe on or off.
  ///
  /// - Parameters:
  ///   - name: The recipe's name or file.
  ///   - isDisabled: Whether they are to be off.
  ///   - project: Finds the recipe.
  /// - Returns: The recipe's file.
  public func setDisabled(
    _ name: String, _ isDisabled: Bool, in project: Project
  ) async throws(UseCaseError) -> String {
    let path = try project.servedPath(of: name)
    try await recordingRunLog { try await $0.setDisabled(path, isDisabled) }
    return path
  }
}

extension Project {
  /// The recipes in the folders that are served.
  public func servedRecipes() async throws(UseCaseError) -> [RecipeEntry] {
    let disabled = try await workspace.readingFile({ try await $0.disabledRecipes() }, ifMissing: { [] })
    var servedRecipes = loadedRecipes()
    let problems = Dictionary(grouping: servedRecipes.problems(), by: \.path)
    return servedRecipes.paths.map { path in
      let recipe = servedRecipes.recipe(path)
      return RecipeEntry(
        path: path, name: recipe?.plan.name, kind: recipe?.plan.kind ?? "", triggers: recipe?.triggerCount ?? 0,
        isDisabled: disabled.contains(path), problems: (problems[path] ?? []).map(\.message),
        tool: recipe?.plan.tool)
    }
  }

  /// The names of the recipes in the folders that are served.
  public var servedNames: [String] {
    let servedRecipes = loadedRecipes()
    return servedRecipes.paths.compactMap { servedRecipes.name(of: $0) }
  }

  /// The folders whose recipes are served.
  public var servedFolders: [String] { ServedRecipes.folders(of: self) }

  /// The folders that sous.yaml names and that cannot be read.
  public var unreadableFolders: [String] {
    guard configuration.recipeFolders != nil else { return [] }
    return servedFolders.filter { (try? FileManager.default.contentsOfDirectory(atPath: $0)) == nil }
  }

  func loadedRecipes() -> ServedRecipes {
    var servedRecipes = ServedRecipes(of: self)
    _ = servedRecipes.update(self, at: SystemTime().now, monotonic: 0)
    return servedRecipes
  }
}

extension [ScheduleRecord] {
  /// Those that a name means.
  fileprivate func named(_ name: String) throws(UseCaseError) -> [ScheduleRecord] {
    let path = name.split(separator: "#", maxSplits: 1).first.map(String.init) ?? name
    let wanted = CheckedFiles.canonical(path) + name.dropFirst(path.count)
    let found = filter { record in
      record.recipe == name || record.source == name || record.source == wanted || record.source.hasPrefix(wanted + "#")
    }
    guard !found.isEmpty else {
      throw .notFound(
        .init(
          "no schedule '\(name)': 'sous schedules' lists them; 'sous serve' makes them known",
          de: "kein Zeitplan '\(name)': 'sous schedules' zählt sie auf; 'sous serve' macht sie bekannt"))
    }
    return found
  }
}
