import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// Whether the daemon does its work.
enum Readiness {
  /// `{status, problems}`: `ok` if the run log can be read and a process serves recipes.
  static func check(_ store: RunStore, in language: Language) async -> (isReady: Bool, body: Value) {
    var problems: [LocalizedText] = []
    do {
      let now = SystemTime().now
      let servers = try await store.servers()
      if !servers.contains(where: { $0.isAlive(at: now) }) {
        problems.append(
          LocalizedText("no process serves recipes yet", de: "noch kein Prozess führt Rezepte aus"))
      }
    } catch {
      problems.append(LocalizedText("the run log cannot be read", de: "das Laufprotokoll lässt sich nicht lesen"))
    }
    return (
      problems.isEmpty,
      [
        "status": problems.isEmpty ? "ok" : "unavailable",
        "problems": .list(problems.map { .string($0.string(in: language)) }),
      ]
    )
  }
}
