import Engine
package import Expressions
import Glibc
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
package import RunStore
import Schemas

/// The recipes in the folders that are served, as their files are now; of one that has become wrong, its last good version.
///
/// A recipe that only the clock starts sleeps: of it no more is kept than what tells whether its file has changed. It is
/// planned when one of its schedules is due, and from time to time to see whether that still works.
package struct ServedRecipes {
  /// A file.
  struct Entry {
    var stamp: Int64
    /// The recipe's name; empty where none is known.
    var name: String
    var schedules: Int32
    /// The look that has seen it last.
    var seen: UInt32
  }

  /// What is known of a file that does not sleep.
  struct Loaded {
    var recipe: ServedRecipe?
    var problem: LocalizedText?
    /// Whether a good version was looked for that another process has kept.
    var isRestored = false
    /// When it was last planned, in seconds of the monotonic clock.
    var plannedAt: Double
    /// When it was last needed.
    var usedAt = -Double.infinity
    /// Seconds that planning takes.
    var cost = 0.0
  }

  /// A file that is to be planned.
  package struct Wanted {
    package var path: String
    package var stamp: Int64
    package var size: Int
  }

  /// Seconds after which a recipe is planned anew that has not changed, at least: what it was made from beside its file may
  /// have.
  private static let freshness = 60.0
  /// How much longer than planning all recipes takes it is until they are planned anew.
  private static let freshnessShare = 1000.0

  private let folders: [String]
  /// Whether somebody has named the folders, so that each should be there.
  private let areNamed: Bool
  private let context: FileMark
  var entries: [String: Entry] = [:]
  var loaded: [String: Loaded] = [:]
  /// Why folders cannot be looked through.
  private var folderProblems: [ServerRecord.Problem] = []
  /// Recipes and folders whose names are not UTF-8.
  private var nameProblems: [ServerRecord.Problem] = []
  /// The folders that the last look has gone through.
  package private(set) var lookedFolders: [String] = []
  /// Those that it could not look through to the end.
  package private(set) var missing: [String] = []
  private var look: UInt32 = 0
  /// Files whose recipes have the same name; `nil` where that is to be found out.
  private var namesakes: [ServerRecord.Problem]?
  /// Files that are gone for a short while: they may come back under another name.
  private var departed: [String: (stamp: Int64, name: String, until: Double)] = [:]
  /// Files that were not there at the look before, with their marks.
  private var arrived: [String: Int64] = [:]
  /// Sleeping recipes that are to be looked at, and when the next one is.
  var checks: [String] = []
  var nextCheck = 0.0

  package init(of project: Project) {
    folders = Self.folders(of: project)
    areNamed = project.configuration.recipeFolders != nil
    context = FileMark.context(of: project.workspace)
  }

  /// The folders that a workspace serves.
  static func folders(of project: Project) -> [String] {
    (project.trust.recipeFolders ?? project.configuration.servedFolders).map {
      CheckedFiles.canonical(project.workspace.surroundings.resolve($0))
    }
  }

  /// The recipes that can be used and do not sleep, by file.
  package var recipes: [ServedRecipe] { loaded.values.compactMap(\.recipe).sorted { $0.path < $1.path } }

  /// How many recipes can be used, those that sleep among them.
  package var count: Int { entries.count - loaded.values.count { $0.recipe == nil } }

  /// The recipe of a file that can be used and does not sleep; `nil` for any other file.
  package func recipe(_ path: String) -> ServedRecipe? { loaded[path]?.recipe }

  /// The name of the recipe of a file.
  package func name(of path: String) -> String? { entries[path].flatMap { $0.name.isEmpty ? nil : $0.name } }

  /// Whether a file is there.
  package func contains(_ path: String) -> Bool { entries[path] != nil }

  /// The files that cannot be used and of which no good version was looked for yet.
  package var pathsWithoutRecipe: [String] {
    loaded.filter { $0.value.recipe == nil && !$0.value.isRestored }.keys.sorted()
  }

  /// Whether all folders could be looked through.
  package var isComplete: Bool { folderProblems.isEmpty }

  /// All files, also those that cannot be used.
  package var paths: [String] { entries.keys.sorted() }

  /// Takes the last good version of a file over that was wrong when the process began.
  ///
  /// - Parameter kept: Its text, and those of the recipes that it runs; `nil` where none is known.
  /// - Returns: Whether there is one that can be used.
  package mutating func restore(
    _ path: String, _ kept: (source: String, recipes: [String: String])?, _ project: Project, at now: Timestamp
  ) -> Bool {
    loaded[path]?.isRestored = true
    guard let kept, loaded[path] != nil else { return false }
    let planning = project.planning(SourceText(path: path, text: kept.source), from: .file, recipes: kept.recipes)
    guard !planning.hasErrors, let plan = planning.plan,
      var recipe = try? ServedRecipe(path: path, plan: plan, TriggerProviders(of: project), now: now)
    else { return false }
    recipe.isOutdated = true
    loaded[path]?.recipe = recipe
    rename(path, recipe.plan.name, recipe.schedules.count)
    leaveOutCircles()
    return true
  }

  /// What is wrong with files.
  package mutating func problems() -> [ServerRecord.Problem] {
    let found = loaded.flatMap { path, entry in
      let own = (entry.problem.map { [$0] } ?? []) + (entry.problem == nil ? entry.recipe?.problems ?? [] : [])
      return own.map { ServerRecord.Problem(path: path, message: $0) }
    }
    var neighbours = FilterNeighbours()
    for recipe in loaded.values.compactMap(\.recipe) {
      neighbours.add(recipe.plan, path: recipe.path, isTriggered: recipe.isTriggered)
    }
    let filters = loaded.keys.flatMap { path in
      neighbours.warnings(for: path).map { ServerRecord.Problem(path: path, message: $0) }
    }
    let same = namesakes ?? findNamesakes()
    namesakes = same
    return (folderProblems + nameProblems + found + filters + same).sorted {
      ($0.path, $0.message.english) < ($1.path, $1.message.english)
    }
  }

  private func findNamesakes() -> [ServerRecord.Problem] {
    var first: [String: String] = [:]
    var several: [String: [String]] = [:]
    for (path, entry) in entries where !entry.name.isEmpty {
      if let other = first.updateValue(path, forKey: entry.name) { several[entry.name, default: [other]].append(path) }
    }
    return several.flatMap { name, paths in
      paths.map { path in
        let others = paths.filter { $0 != path }.sorted().joined(separator: ", ")
        return .init(
          path: path,
          message: .init(
            "another recipe is called '\(name)' too: \(others)",
            de: "ein anderes Rezept heißt auch '\(name)': \(others)"
          ))
      }
    }
  }

  /// Reads all that has changed.
  ///
  /// - Returns: The files that are new, have changed or are gone.
  mutating func update(_ project: Project, at now: Timestamp, monotonic: Double) -> Set<String> {
    let (gone, wanted) = look(at: monotonic)
    return gone.union(plan(wanted, project, at: now, monotonic: monotonic))
  }

  // MARK: - Looking

  /// Looks which files there are.
  ///
  /// - Parameters:
  ///   - monotonic: Seconds of the monotonic clock.
  ///   - known: Files that sleep where they are as they were.
  /// - Returns: The files that are gone, and those that are to be planned.
  package mutating func look(at monotonic: Double, known: [ServedFile] = []) -> (gone: Set<String>, wanted: [Wanted]) {
    look &+= 1
    let sleepers = Dictionary(known.indices.map { (known[$0].path, Int32($0)) }) { $1 }
    let freshness = max(Self.freshness, Self.freshnessShare * loaded.values.reduce(0) { $0 + $1.cost })
    var wanted: [Wanted] = []
    var entries: [String: Entry] = [:]
    swap(&entries, &self.entries)
    let (loaded, context, number) = (self.loaded, self.context, look)
    func visit(_ path: String, _ facts: stat) {
      let stamp = FileMark.of(facts, in: context)
      if entries[path]?.stamp == stamp {
        entries[path]?.seen = number
        guard let one = loaded[path],
          monotonic - one.plannedAt >= freshness || one.recipe?.hasChangedCalendars == true
        else { return }
      } else if let sleeper = sleepers[path].map({ known[Int($0)] }), sleeper.stamp == stamp, entries[path] == nil {
        entries[sleeper.path] = Entry(
          stamp: stamp, name: sleeper.name, schedules: Int32(clamping: sleeper.schedules), seen: number)
        return
      } else {
        entries[path]?.seen = number
      }
      wanted.append(Wanted(path: path, stamp: stamp, size: Int(facts.st_size)))
    }
    folderProblems = []
    var walk = RecipeFolder()
    missing = []
    for folder in folders where !walk.look(folder, visit) {
      cannotLook(folder, errno, &entries)
      missing.append(folder)
    }
    for problem in walk.problems {
      cannotLook(problem.folder, file: problem.file, problem.reason, &entries)
      missing.append(problem.folder)
    }
    nameProblems = walk.unusable.map { path in
      .init(
        path: path,
        message: LocalizedText(
          "the name is not UTF-8, so nothing of it is served; rename it, for example with 'convmv'",
          de: "der Name ist kein UTF-8, daher wird nichts davon ausgeführt; bitte umbenennen, etwa mit 'convmv'"))
    }
    lookedFolders = walk.folders
    self.entries = entries
    let gone = Set(entries.filter { $0.value.seen != number }.keys)
    let until = monotonic + RunStore.absence
    for path in gone {
      if let entry = entries[path] { departed[path] = (entry.stamp, entry.name, until) }
      (self.entries[path], self.loaded[path], arrived[path]) = (nil, nil, nil)
    }
    for file in wanted where self.entries[file.path] == nil { arrived[file.path] = file.stamp }
    departed = departed.filter { $0.value.until > monotonic && arrived[$0.key] == nil }
    if !gone.isEmpty || !known.isEmpty { namesakes = nil }
    if !gone.isEmpty { leaveOutCircles() }
    return (gone, wanted)
  }

  /// Where a folder cannot be looked through for now, the files stay that were there before.
  ///
  /// - Parameter file: The file in it that is in the way; `nil` where it is the folder.
  private mutating func cannotLook(
    _ folder: String, file: String? = nil, _ reason: Int32, _ entries: inout [String: Entry]
  ) {
    if reason != ENOENT {
      for path in entries.keys where path.hasPrefix(folder + "/") { entries[path]?.seen = look }
    }
    guard reason != ENOENT || areNamed else { return }
    let message: LocalizedText =
      file == nil
      ? LocalizedText("the folder cannot be read: ", de: "der Ordner lässt sich nicht lesen: ")
      : LocalizedText("the file cannot be read: ", de: "die Datei lässt sich nicht lesen: ")
    folderProblems.append(.init(path: file ?? folder, message: message + LocalizedText.systemError(reason)))
  }

  // MARK: - Renaming

  /// Notes files that were there when another process served, and are not any more.
  package mutating func notePredecessors(_ files: [(path: String, stamp: Int64, name: String)], at monotonic: Double) {
    for file in files where entries[file.path] == nil && arrived[file.path] == nil {
      departed[file.path] = (file.stamp, file.name, monotonic + RunStore.absence)
    }
  }

  /// The path that a new file had before; `nil` where it is new indeed, or where that is not clear.
  ///
  /// It is the same file, unchanged, or the only new one that has the recipe name of the only file that is gone.
  package mutating func takeFormer(of path: String) -> String? {
    guard let stamp = arrived[path], loaded[path]?.recipe != nil, isComplete else { return nil }
    arrived[path] = nil
    guard !departed.isEmpty else { return nil }
    let name = entries[path]?.name ?? ""
    var found = departed.filter { $0.value.stamp == stamp }.map(\.key)
    if found.isEmpty, !name.isEmpty, entries.values.count(where: { $0.name == name }) == 1 {
      found = departed.filter { $0.value.name == name }.map(\.key)
    }
    // One that is there after all was out of sight for a moment.
    guard let former = found.first, found.count == 1, access(former, F_OK) != 0 else { return nil }
    departed[former] = nil
    return former
  }

  // MARK: - Planning

  /// Plans files.
  ///
  /// - Returns: Those that are new or have changed.
  package mutating func plan(_ wanted: [Wanted], _ project: Project, at now: Timestamp, monotonic: Double) -> Set<
    String
  > {
    var changed: Set<String> = []
    for (file, (result, seconds)) in zip(wanted, Self.recipes(wanted.map(\.path), project, at: now)) {
      let path = file.path
      let known = loaded[path]
      let slept = entries[path]?.stamp == file.stamp && known == nil
      var entry = Loaded(
        recipe: known?.recipe, plannedAt: monotonic, usedAt: known?.usedAt ?? -.infinity, cost: seconds)
      entry.isRestored = known?.isRestored ?? false
      switch result {
      case .success(let recipe): entry.recipe = recipe
      case .failure(let problem): entry.problem = problem.message
      }
      let isSame =
        known != nil && known?.recipe?.plan.fingerprint == entry.recipe?.plan.fingerprint
        && known?.recipe?.calendars.mark == entry.recipe?.calendars.mark
        && known?.problem == entry.problem
      if !isSame, !slept || entry.problem != nil { changed.insert(path) }
      entries[path, default: Entry(stamp: 0, name: "", schedules: 0, seen: look)].stamp = file.stamp
      loaded[path] = entry
      rename(path, entry.recipe?.plan.name ?? "", entry.recipe?.schedules.count ?? 0)
    }
    if !wanted.isEmpty { leaveOutCircles() }
    return changed
  }

  private mutating func rename(_ path: String, _ name: String, _ schedules: Int) {
    if entries[path]?.name != name { namesakes = nil }
    entries[path]?.name = name
    entries[path]?.schedules = Int32(clamping: schedules)
  }

  /// The mark of a file as it is now; `nil` where it is gone.
  func stamp(of path: String) -> Int64? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileMark.of(facts, in: context)
  }

  /// Finds the triggers by which the end of a recipe would lead to another start of it.
  private mutating func leaveOutCircles() {
    let circles = RecipeCircles(loaded.values.compactMap(\.recipe))
    for (path, entry) in loaded {
      guard let recipe = entry.recipe, !recipe.triggers.isEmpty else { continue }
      let circular = recipe.triggers.filter { trigger in
        guard case .recipe(let end) = trigger.source, !end.isPattern else { return false }
        return circles.contains(recipe.plan.name) && circles.contains(end.recipe)
      }
      if recipe.circular != Set(circular) { loaded[path]?.recipe?.circular = Set(circular) }
    }
  }
}
