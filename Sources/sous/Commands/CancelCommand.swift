import ArgumentParser
import Engine
import Localization
import RunStore
import UseCases

/// `sous cancel`: cancels a run.
struct CancelCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cancel",
      abstract: say(
        "Cancel a run; its effects are undone if its recipe says how.",
        de: "Einen Lauf abbrechen; Getanes wird zurückgenommen, wo das Rezept sagt, wie."))
  }

  @Argument(help: ArgumentHelp(say("The run.", de: "Der Lauf."), valueName: "run"), completion: Completions.runs)
  var run: String

  @Flag(
    help: ArgumentHelp(
      say(
        "End it without undoing anything if its recipe cannot be used any more.",
        de: "Ihn beenden, wie er steht, wo sein Rezept nicht mehr brauchbar ist: nichts wird zurückgenommen.")))
  var force = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: format.json)
    let (name, isForced): (String, Bool) = (run, force)
    let status = try await workspace.withSession { session -> Int32? in
      let outcome = try await foreground.watch(record: { try await $0.record() }) {
        try await session.cancel(name, isForced: isForced)
      }
      switch outcome {
      case .asked(let id, let owner):
        write(say("asked \(owner) to cancel run \(id)\n", de: "\(owner) soll Lauf \(id) abbrechen\n"))
      case .left(let id):
        write(
          say(
            "run \(id) is cancelled by the next process that works on it: 'sous serve --once'\n",
            de: "Lauf \(id) bricht ab, wer als Nächstes an ihm arbeitet: 'sous serve --once'\n"))
      case .done(let outcome):
        await session.endProviders()
        try await Foreground.tell(outcome, json: format.json)
        // One whose undo waits is cancelled all the same; the rest is due later.
        if outcome.result.status == .cancelled || outcome.result.status == .waiting { break }
        return ExitStatus.of(outcome.result.status)
      }
      return nil
    }
    if let status { throw CommandError(status) }
  }
}

extension CancelOutcome {
  /// The record of the run, if it was cancelled here.
  fileprivate func record() async throws -> RunRecord? {
    if case .done(let outcome) = self { try await outcome.record() } else { nil }
  }
}
