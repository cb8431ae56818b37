import ArgumentParser
import Engine
import Expressions
import Localization
import Outbox
import RecordJSON
import RunStore
import UseCases

/// `sous settle`: records whether an effect with unknown outcome has happened.
struct SettleCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "settle",
      abstract: say(
        "Say whether a step took effect over which a run needs attention.",
        de: "Sagen, ob ein Schritt gewirkt hat, dessentwegen ein Lauf Aufmerksamkeit braucht."), shouldDisplay: false)
  }

  @OptionGroup var settlement: Settlement

  func run() async throws { try await settlement.run() }
}

/// Records whether a step took effect; `sous settle` and `sous answer settle`.
struct Settlement: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, its recipe for the newest run, or 'last'; default: all that need attention.",
        de:
          "Der Lauf, ein eindeutiger Anfang seines Namens, sein Rezept für den neuesten Lauf, oder 'last'; Vorgabe: alle, die Aufmerksamkeit brauchen."
      ),
      valueName: "run"), completion: Completions.runs)
  var run: String?

  @Flag(help: ArgumentHelp(say("It took effect.", de: "Er hat gewirkt.")))
  var done = false

  @Flag(
    help: ArgumentHelp(
      say("It did not: do it again.", de: "Er hat nicht gewirkt: noch einmal ausführen.")))
  var notDone = false

  @Option(
    help: ArgumentHelp(
      say(
        "With --done: its output, as JSON; null if it is absent.",
        de: "Zu --done: was er ergab, als JSON; Vorgabe: null."), valueName: "json"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      say("The step, where several are in doubt.", de: "Der Schritt, wo mehrere fraglich sind."), valueName: "step"),
    completion: Completions.steps)
  var step: String?

  @Option(
    help: ArgumentHelp(
      say("The item of the step's loop, from 0.", de: "Das Element der Schleife, ab 0."), valueName: "index"))
  var item: Int?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if done && notDone {
      throw ValidationError(say("--done or --not-done, not both", de: "--done oder --not-done, nicht beides"))
    }
    if output != nil, !done { throw ValidationError(say("--output needs --done", de: "--output geht nur mit --done")) }
  }

  func run() async throws {
    let choice = DoubtChoice(run, step: step, item: item)
    try await Workspace(global).withSession { session in
      guard done || notDone else { return await list(try await session.doubts(choice), session) }
      let finding = try done ? Finding.done(output.map(Self.value)) : .notDone
      let (doubt, run) = try await session.settle(choice, finding, by: DecisionOptions.user)
      if format.json {
        writeJSON(.map(["run": .string(run.rawValue), "settled": doubt.json(), "done": .bool(done)]))
      } else {
        let isMail = (try? await session.outboxItem(run.rawValue)) != nil
        let next = isMail ? "sous outbox run" : "sous resume \(run)"
        write(
          say(
            "settled; '\(next)' or 'sous serve --once' continues the run\n",
            de: "geklärt; '\(next)' oder 'sous serve --once' setzt den Lauf fort\n"))
      }
    }
  }

  private func list(_ open: [Doubt], _ session: Session) async {
    var processes: [Int32?] = []
    for doubt in open { processes.append(await session.runningProgram(of: doubt)) }
    if format.json { return writeJSON(.list(zip(open, processes).map { $0.json(process: $1) })) }
    if open.isEmpty { return write(say("nothing is in doubt\n", de: "nichts ist fraglich\n")) }
    for (doubt, process) in zip(open, processes) {
      let mail = try? await session.outboxItem(doubt.run.rawValue)
      let about = mail.map { "  " + OutboxText.about($0) } ?? ""
      let still = process.map { say("  process \($0) still runs", de: "  Prozess \($0) läuft noch") } ?? ""
      write("\(doubt.run)  \(doubt.place)  \(doubt.action)\(about)\(still)\n")
    }
    write(
      say(
        "Look whether it took effect, then say so with --done or --not-done.\n",
        de: "Nachsehen, ob es gewirkt hat, dann mit --done oder --not-done sagen.\n"))
  }

  private static func value(_ text: String) throws(CommandError) -> Value {
    do {
      return try Value(json: Array(text.utf8))
    } catch {
      throw CommandError(
        ExitStatus.wrongInput,
        .init("--output takes JSON, such as '{}'", de: "--output erwartet JSON, etwa '{}'"))
    }
  }
}
