import Engine
import Localization
import UseCases

/// Prints events of a workspace on standard error.
enum Notices {
  /// Prints an event; events of runs have reports of their own.
  static func tell(_ event: WorkspaceEvent) {
    switch event {
    case .warnings(let planning):
      guard !FormatOptions.isJSONWanted else { return }
      writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(planning))
    case .provider(let name, let level, let message): writeError("\(name): \(level.rawValue): \(message)\n")
    case .repeats(let start, let recipe): writeError(words(recipe, start))
    case .begins, .run, .work, .serve: break
    }
  }

  private static func words(_ recipe: WorkspaceEvent.RepeatedRecipe, _ start: RunStart) -> String {
    if case .changed = recipe {
      return say(
        "with \(start.path) as it is now; it, or a recipe that it runs, has changed since run \(start.run)\n",
        de:
          "mit \(start.path), wie es jetzt ist; es oder ein Rezept, das es ausführt, hat sich seit Lauf \(start.run) geändert\n"
      )
    }
    let reason =
      if case .keptAsFileIsUnusable = recipe {
        say("cannot be used as it is now", de: "lässt sich so, wie es jetzt ist, nicht verwenden")
      } else {
        say("has other steps now", de: "hat jetzt andere Schritte")
      }
    return say(
      "with the recipe as run \(start.run) had it: \(start.path) \(reason)\n",
      de: "mit dem Rezept, wie Lauf \(start.run) es hatte: \(start.path) \(reason)\n")
  }
}
