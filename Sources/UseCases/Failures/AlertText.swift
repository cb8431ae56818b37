import Engine
import Expressions
import Localization
import Recipes
import RunStore

/// What people are told of ends of runs.
struct AlertText: Sendable {
  let language: Language

  /// Title and text of one end.
  func words(_ news: FailureChange, _ run: ConcludedRun) -> (title: String, text: String) {
    switch news {
    case .failed(let count):
      let title =
        count == 1
        ? LocalizedText("\(run.recipe) failed", de: "\(run.recipe) ist fehlgeschlagen")
        : LocalizedText(
          "\(run.recipe) failed \(count) times in a row", de: "\(run.recipe) ist \(count)-mal in Folge fehlgeschlagen")
      return (say(title), reason(run) + "sous show \(run.run)")
    case .needsAttention:
      let title = LocalizedText(
        "\(run.recipe) needs attention", de: "\(run.recipe) braucht Aufmerksamkeit")
      return (say(title), reason(run) + "sous show \(run.run)")
    case .recovered(let count, let since):
      let failures = LocalizedText.count(count, "failure", "failures", de: "Fehlschlag", "Fehlschlägen")
      let when = since.spokenLocalTime
      let text =
        LocalizedText("after ", de: "nach ") + failures + LocalizedText(" since \(when)", de: " seit \(when)")
      return (say(LocalizedText("\(run.recipe) works again", de: "\(run.recipe) gelingt wieder")), say(text))
    }
  }

  /// Title and text of what was gathered.
  func words(_ digest: FailureDigest) -> (title: String, text: String) {
    let title = LocalizedText.count(digest.parts.count, "report", "reports", de: "Meldung", "Meldungen")
    let text = digest.parts.map { part in
      let lines = part.text.split(separator: "\n").map { "  \($0)" }
      return (["\(part.at.spokenLocalTime)  \(part.title)"] + lines).joined(separator: "\n")
    }
    return (say(LocalizedText(verbatim: "Sous: ") + title), text.joined(separator: "\n"))
  }

  private func reason(_ run: ConcludedRun) -> String { run.message.map { say($0) + "\n" } ?? "" }

  private func say(_ text: LocalizedText) -> String { text.string(in: language) }
}
