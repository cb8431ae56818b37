import Engine
import Expressions
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Schemas

/// Ends waits as a test says: an `output` is the event or the decision, `error: rejected` a refusal. Without an answer
/// nothing comes, and the wait ends at its timeout or not at all.
extension ScriptedProviders: WaitAnswers {
  func answer(run: RunID, step: Int, item: Int?) async throws -> WaitAnswer? {
    guard let (planned, script) = script(of: run, at: step), let answer = script.answer(item: item, attempt: 1) else {
      return nil
    }
    if answer.after > 0 {
      // What would come after the timeout does not come.
      let timeout = planned.input.source["timeout"]
      let seconds = timeout?.stringValue.flatMap { DurationText.seconds($0) } ?? timeout?.doubleValue
      if let seconds, seconds <= answer.after { return nil }
      try await time.sleep(seconds: answer.after)
    }
    switch answer.end {
    case .hang: return nil
    case .failure(let failure):
      return failure.kind == .rejected ? .rejected(reason: failure.message.english, by: "test") : nil
    case .output(let node):
      let output = node.value
      guard planned.action.name == ActionSignature.approve.name else { return .event(output["payload"] ?? .null) }
      return .approved(fields: output["fields"] ?? .map([:]), by: output["by"]?.stringValue ?? "test")
    }
  }
}
