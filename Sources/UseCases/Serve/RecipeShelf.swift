import CMalloc
import Dispatch
import Engine
import Expressions
import Foundation
import Glibc
import Localization
import Recipes
import RunStore
import Synchronization

/// The recipes in the folders that are served, as their files are now; of one that has become wrong, its last good version.
struct RecipeShelf {
  /// What tells whether a file has changed.
  private struct Stamp: Equatable {
    let seconds: Int
    let nanoseconds: Int
    let size: Int
    let inode: UInt64
  }

  private struct Entry {
    var stamp: Stamp
    var recipe: ServedRecipe?
    var problem: LocalizedText?
    /// Whether a good version was looked for that another process has kept.
    var isRestored = false
    /// When it was last planned, in seconds of the monotonic clock.
    var plannedAt: Double
  }

  /// Seconds after which a recipe is planned anew that has not changed, at least: what it was made from beside its file may
  /// have.
  private static let freshness = 60.0
  /// How much longer than planning all recipes takes it is until they are planned anew.
  private static let freshnessShare = 1000.0

  private let folders: [String]
  /// Whether somebody has named the folders, so that each should be there.
  private let areNamed: Bool
  private var entries: [String: Entry] = [:]
  /// Seconds that planning takes, by file.
  private var costs: [String: Double] = [:]
  /// Why folders cannot be looked through.
  private var folderProblems: [ServerRecord.Problem] = []

  init(of project: Project) {
    folders = Self.folders(of: project)
    areNamed = project.configuration.recipeFolders != nil
  }

  /// The folders that a workspace serves.
  static func folders(of project: Project) -> [String] {
    let named = project.configuration.recipeFolders
    let folders = named ?? ["recipes", "workflows"].map { project.configuration.resolve($0) }
    return folders.map { CheckedFiles.canonical(project.workspace.surroundings.resolve($0)) }
  }

  /// The recipes that can be used, by file.
  var recipes: [ServedRecipe] { entries.values.compactMap(\.recipe).sorted { $0.path < $1.path } }

  /// The recipe of a file that can be used; `nil` for any other file.
  func recipe(_ path: String) -> ServedRecipe? { entries[path]?.recipe }

  /// The files that cannot be used and of which no good version was looked for yet.
  var pathsWithoutRecipe: [String] {
    entries.filter { $0.value.recipe == nil && !$0.value.isRestored }.keys.sorted()
  }

  /// Whether all folders could be looked through.
  var isComplete: Bool { folderProblems.isEmpty }

  /// Takes the last good version of a file over that was wrong when the process began.
  ///
  /// - Parameter kept: Its text, and those of the recipes that it runs; `nil` where none is known.
  /// - Returns: Whether there is one that can be used.
  mutating func restore(
    _ path: String, _ kept: (source: String, recipes: [String: String])?, _ project: Project, at now: Timestamp
  ) -> Bool {
    entries[path]?.isRestored = true
    guard let kept, entries[path] != nil else { return false }
    let planning = project.planning(SourceText(path: path, text: kept.source), recipes: kept.recipes)
    guard !planning.hasErrors, let plan = planning.plan,
      var recipe = try? ServedRecipe(path: path, plan: plan, TriggerProviders(of: project), now: now)
    else { return false }
    recipe.isOutdated = true
    entries[path]?.recipe = recipe
    leaveOutCircles()
    return true
  }

  /// All files, also those that cannot be used.
  var paths: [String] { entries.keys.sorted() }

  /// What is wrong with files.
  var problems: [ServerRecord.Problem] {
    var found = entries.flatMap { path, entry in
      let own = (entry.problem.map { [$0] } ?? []) + (entry.problem == nil ? entry.recipe?.problems ?? [] : [])
      return own.map { ServerRecord.Problem(path: path, message: $0) }
    }
    for (name, paths) in Dictionary(grouping: recipes, by: \.plan.name).mapValues({ $0.map(\.path) })
    where paths.count > 1 {
      for path in paths {
        let others = paths.filter { $0 != path }.joined(separator: ", ")
        found.append(
          .init(
            path: path,
            message: .init(
              "another recipe is called '\(name)' too: \(others)",
              de: "ein anderes Rezept heißt auch '\(name)': \(others)")))
      }
    }
    return (folderProblems + found).sorted { ($0.path, $0.message.english) < ($1.path, $1.message.english) }
  }

  /// Reads what has changed.
  ///
  /// - Returns: The files that are new, have changed or are gone.
  mutating func update(_ project: Project, at now: Timestamp, monotonic: Double) -> Set<String> {
    let paths = look()
    var changed = Set(entries.keys).subtracting(paths)
    for path in changed { (entries[path], costs[path]) = (nil, nil) }
    let freshness = max(Self.freshness, Self.freshnessShare * costs.values.reduce(0, +))
    var wanted: [(path: String, stamp: Stamp)] = []
    for path in paths {
      guard let stamp = Self.stamp(of: path) else { continue }
      let known = entries[path]
      let isOld = known.map { monotonic - $0.plannedAt >= freshness } ?? true
      if isOld || known?.stamp != stamp { wanted.append((path, stamp)) }
    }
    let planned = Self.recipes(wanted.map(\.path), project, at: now)
    for ((path, stamp), (result, seconds)) in zip(wanted, planned) {
      costs[path] = seconds
      let known = entries[path]
      let before = known?.recipe?.plan
      var entry = Entry(stamp: stamp, recipe: known?.recipe, problem: nil, plannedAt: monotonic)
      entry.isRestored = known?.isRestored ?? false
      switch result {
      case .success(let recipe): entry.recipe = recipe
      case .failure(let problem): entry.problem = problem.message
      }
      let isSame =
        before?.fingerprint == entry.recipe?.plan.fingerprint && known?.problem == entry.problem && known != nil
      if !isSame || before == nil && entry.recipe != nil { changed.insert(path) }
      entries[path] = entry
    }
    leaveOutCircles()
    return changed
  }

  /// Finds the triggers by which the end of a recipe would lead to another start of it.
  private mutating func leaveOutCircles() {
    let circles = RecipeCircles(entries.values.compactMap(\.recipe))
    for (path, entry) in entries {
      guard let recipe = entry.recipe else { continue }
      let circular = recipe.triggers.filter { trigger in
        guard case .recipe(let end) = trigger.source else { return false }
        return circles.contains(recipe.plan.name) && circles.contains(end.recipe)
      }
      if recipe.circular != Set(circular) { entries[path]?.recipe?.circular = Set(circular) }
    }
  }

  /// Plans files, several at once where there are many, and says how many seconds each took.
  private static func recipes(
    _ paths: [String], _ project: Project, at now: Timestamp
  ) -> [(Result<ServedRecipe, ServedProblem>, Double)] {
    let results = Mutex<[Int: (Result<ServedRecipe, ServedProblem>, Double)]>([:])
    @Sendable func plan(_ index: Int) {
      let begin = SystemTime().monotonic
      let result = Result { () throws(ServedProblem) in try recipe(paths[index], project, at: now) }
      let seconds = SystemTime().monotonic - begin
      results.withLock { $0[index] = (result, seconds) }
    }
    if paths.count > 8 {
      DispatchQueue.concurrentPerform(iterations: paths.count, execute: plan)
    } else {
      for index in paths.indices { plan(index) }
    }
    let found = results.withLock { $0 }
    // What parsing has left behind is many times what stays.
    if paths.count > 8 { malloc_trim(0) }
    return paths.indices.compactMap { found[$0] }
  }

  private static func recipe(_ path: String, _ project: Project, at now: Timestamp) throws(ServedProblem)
    -> ServedRecipe
  {
    let planning = project.planning(path)
    guard !planning.hasErrors, let plan = planning.plan else {
      let first = planning.diagnostics.first { $0.severity == .error }
      let place = first?.range.map { "line \($0.start.line): " } ?? ""
      let message =
        first?.message ?? planning.providerProblems.first?.message
        ?? LocalizedText("it cannot be planned", de: "es lässt sich nicht planen")
      throw ServedProblem(message: LocalizedText(verbatim: place) + message)
    }
    return try ServedRecipe(path: path, plan: plan, TriggerProviders(of: project), now: now)
  }

  /// The files that there are. Where a folder cannot be looked through for now, those that were there before.
  private mutating func look() -> Set<String> {
    var paths: Set<String> = []
    folderProblems = []
    for folder in folders {
      if let directory = opendir(folder) {
        closedir(directory)
        paths.formUnion(Self.files(in: folder))
        continue
      }
      let reason = errno
      if reason != ENOENT { paths.formUnion(entries.keys.filter { $0.hasPrefix(folder + "/") }) }
      guard reason != ENOENT || areNamed else { continue }
      folderProblems.append(
        .init(
          path: folder,
          message: .init("the folder cannot be read: ", de: "der Ordner lässt sich nicht lesen: ")
            + .systemError(reason)))
    }
    return paths
  }

  /// The recipes below a folder, without tests, prompts and what is hidden.
  private static func files(in folder: String) -> [String] {
    guard let checked = try? CheckedFiles([folder]) else { return [] }
    return checked.files.filter { if case .recipe = $0.kind { true } else { false } }.map(\.path)
  }

  private static func stamp(of path: String) -> Stamp? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return Stamp(
      seconds: facts.st_mtim.tv_sec, nanoseconds: facts.st_mtim.tv_nsec, size: Int(facts.st_size),
      inode: UInt64(facts.st_ino))
  }
}

extension TriggerProviders {
  /// Those of a workspace.
  init(of project: Project) {
    self.init(mailbox: project.configuration.defaults(for: "mail.store")?.first) { trigger in
      project.providers.names.filter { name in
        (try? project.providers.describe(name))?.triggers.contains(trigger) ?? false
      }
    }
  }
}
