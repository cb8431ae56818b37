import Expressions
import Foundation
import Localization
import Recipes
import RunStore

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
    /// When it was last planned, in seconds of the monotonic clock.
    var plannedAt: Double
  }

  /// Seconds after which a recipe is planned anew that has not changed: what it was made from beside its file may have.
  private static let freshness = 60.0

  private let folders: [String]
  /// Whether somebody has named the folders, so that each should be there.
  private let areNamed: Bool
  private var entries: [String: Entry] = [:]
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

  /// All files, also those that cannot be used.
  var paths: [String] { entries.keys.sorted() }

  /// What is wrong with files.
  var problems: [ServerRecord.Problem] {
    var found = entries.flatMap { path, entry in
      let own = entry.problem.map { [$0] } ?? entry.recipe?.problems ?? []
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
    for path in changed { entries[path] = nil }
    for path in paths {
      guard let stamp = Self.stamp(of: path) else { continue }
      let known = entries[path]
      let isOld = known.map { monotonic - $0.plannedAt >= Self.freshness } ?? true
      guard isOld || known?.stamp != stamp else { continue }
      let before = known?.recipe?.plan
      var entry = Entry(stamp: stamp, recipe: known?.recipe, problem: nil, plannedAt: monotonic)
      do throws(ServedProblem) {
        entry.recipe = try Self.recipe(path, project, at: now)
      } catch {
        entry.problem = error.message
      }
      let isSame =
        before?.fingerprint == entry.recipe?.plan.fingerprint && known?.problem == entry.problem && known != nil
      if !isSame { changed.insert(path) }
      entries[path] = entry
    }
    return changed
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
    let mailbox = project.configuration.defaults(for: "mail.store")?.first
    return try ServedRecipe(path: path, plan: plan, mailbox: mailbox, now: now)
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
