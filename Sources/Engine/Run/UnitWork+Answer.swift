import Expressions
import Plans
/// Answers of language models: judged here, whoever gives them, and repaired once.
extension UnitWork {
  /// What is wrong with an answer that does not suit the recipe's schema.
  enum Flaw {
    /// The model can be asked once more.
    case repairable(AnswerRepair)
    /// It would answer the same.
    case final
  }

  /// The outcome of an attempt once its answer is judged; what is not a chat step stays as it is.
  func judged(_ outcome: UnitOutcome, _ request: ActionRequest) -> (UnitOutcome, Flaw?) {
    guard case .success(let output) = outcome, !plan.action.isBuiltin,
      let check = AnswerCheck(request.action, input: request.input)
    else { return (outcome, nil) }
    switch check.judge(output) {
    case .suits(let output): return (.success(output), nil)
    case .misses(let failure): return (.failure(failure), nil)
    case .violates(let failure, let repair):
      logPartialText(of: output, attempt: request.attempt)
      return (.failure(failure), repair.map(Flaw.repairable) ?? .final)
    }
  }

  /// Logs the text of a truncated answer: it was paid for, and it shows how much is missing.
  private func logPartialText(of output: Value, attempt: Int) {
    guard let text = AnswerCheck.partialText(of: output) else { return }
    let shown = text.prefix(Self.longestPartialText)
    let words = shown.split(whereSeparator: \.isNewline).joined(separator: " ⏎ ")
    context.lines.append(
      LogLine(
        run: context.run, step: step, item: item, attempt: attempt, level: .info,
        message: "the truncated answer: \(words)\(shown.endIndex < text.endIndex ? " …" : "")",
        at: context.time.now))
  }

  /// The most characters of a truncated answer in the log.
  private static let longestPartialText = 16_000

  /// Takes the repair that is due, where the provider whose turn it is gave the answer.
  static func repairing(
    _ kind: AttemptKind, _ repair: inout AnswerRepair?, _ progress: UnitSnapshot
  ) -> AnswerRepair? {
    defer { repair = nil }
    return progress.lastAttempt?.kind.plain == kind ? repair : nil
  }
}

extension AttemptKind {
  /// Who is asked, whatever for.
  var plain: AttemptKind { if case .repair(let name) = self { .provider(name) } else { self } }

  /// The same provider, to repair its answer.
  var repairing: AttemptKind { if case .provider(let name) = self { .repair(name) } else { self } }
}
