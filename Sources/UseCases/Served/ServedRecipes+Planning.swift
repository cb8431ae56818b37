import Dispatch
import Engine
import Expressions
import Localization
import Plans
import Providers
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Synchronization

extension ServedRecipes {
  /// Plans files, several at once where there are many, and says how many seconds each took.
  static func recipes(
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
    return paths.indices.compactMap { found[$0] }
  }

  private static func recipe(_ path: String, _ project: Project, at now: Timestamp) throws(ServedProblem)
    -> ServedRecipe
  {
    let planning = project.planning(path)
    guard !planning.hasErrors, let plan = planning.plan else {
      let first = planning.diagnostics.first { $0.severity == .error }
      let place = first?.range.map {
        LocalizedText("line \($0.start.line): ", de: "Zeile \($0.start.line): ")
      }
      let message =
        first?.message ?? planning.providerProblems.first?.message
        ?? LocalizedText("it cannot be planned", de: "es lässt sich nicht planen")
      throw ServedProblem(message: (place ?? LocalizedText(verbatim: "")) + message)
    }
    return try ServedRecipe(path: path, plan: plan, TriggerProviders(of: project), now: now)
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
