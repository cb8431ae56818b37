import ArgumentParser
import Engine
import Expressions
import Localization
import Recipes
import RunStore

/// `sous settle`: says whether something took effect that nobody but a person can find out.
struct SettleCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "settle",
      abstract: say(
        "Say whether a step took effect over which a run needs attention.",
        de: "Sagen, ob ein Schritt gewirkt hat, dessentwegen ein Lauf Aufmerksamkeit braucht."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, or 'last'; absent: all that need attention.",
        de: "Der Lauf, ein eindeutiger Anfang seines Namens, oder 'last'; fehlt er: alle, die Aufmerksamkeit brauchen."),
      valueName: "run"))
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
        "With --done: what it gave, as JSON; null where it is absent.",
        de: "Zu --done: was er ergab, als JSON; fehlt es: null."), valueName: "json"))
  var output: String?

  @Option(
    help: ArgumentHelp(
      say("The step, where several are in doubt.", de: "Der Schritt, wo mehrere fraglich sind."), valueName: "step"))
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
    try await RunDesk.with(global) { desk in
      let id = if let run { try await desk.store.resolve(run) } else { RunID?.none }
      let all = try await desk.store.doubts(of: id)
      let open = all.filter { (step == nil || $0.step == step) && (item == nil || $0.item == item) }
      if let id, let step, !all.contains(where: { $0.step == step }) {
        try await desk.store.requireStep(step, of: id)
      }
      guard done || notDone else { return list(open) }
      guard let doubt = open.first else { throw Self.nothingInDoubt(id) }
      guard open.count == 1 else { throw Self.ambiguous(open, isOneRun: id != nil) }
      let given = done ? try await output(of: doubt, desk) : nil
      try await desk.store.settle(doubt, output: given, by: DecisionOptions.user)
      let goingOn = id ?? doubt.run
      if format.json {
        writeJSON(.map(["run": .string(goingOn.rawValue), "settled": doubt.json, "done": .bool(done)]))
      } else {
        write(
          say(
            "settled; 'sous resume \(goingOn)' or 'sous work' goes on\n",
            de: "geklärt; 'sous resume \(goingOn)' oder 'sous work' macht weiter\n"))
      }
    }
  }

  private static func nothingInDoubt(_ run: RunID?) -> CommandError {
    guard let run else {
      return CommandError.runState(.init("nothing is in doubt", de: "nichts ist fraglich"))
    }
    return CommandError.runState(
      .init(
        "nothing of run \(run) is in doubt; 'sous show \(run)' tells where it stands",
        de: "an Lauf \(run) ist nichts fraglich; 'sous show \(run)' sagt, wo er steht"))
  }

  private static func ambiguous(_ open: [Doubt], isOneRun: Bool) -> CommandError {
    guard !isOneRun else {
      let places = open.map(\.place).joined(separator: ", ")
      return CommandError(
        ExitStatus.wrongInput,
        .init(
          "several steps are in doubt: \(places); choose one with --step and --item",
          de: "mehrere Schritte sind fraglich: \(places); einen mit --step und --item wählen"))
    }
    let places = open.map { "\n  \($0.run)  \($0.place)" }.joined()
    return CommandError(
      ExitStatus.wrongInput,
      .init(
        "several are in doubt; name the run, and the step where that has several:\(places)",
        de: "mehreres ist fraglich; den Lauf nennen, und den Schritt, wo dieser mehrere hat:\(places)"))
  }

  private func list(_ open: [Doubt]) {
    if format.json { return writeJSON(.list(open.map(\.json))) }
    if open.isEmpty { return write(say("nothing is in doubt\n", de: "nichts ist fraglich\n")) }
    for doubt in open { write("\(doubt.run)  \(doubt.place)  \(doubt.action)\n") }
    write(
      say(
        "Look whether it took effect, then say so with --done or --not-done.\n",
        de: "Nachsehen, ob es gewirkt hat, dann mit --done oder --not-done sagen.\n"))
  }

  /// What the action gave, as later steps may count on it; null where nobody says.
  private func output(of doubt: Doubt, _ desk: RunDesk) async throws -> Value {
    guard let output else { return .null }
    let value: Value
    do {
      value = try Value(json: Array(output.utf8))
    } catch {
      throw CommandError(
        ExitStatus.wrongInput,
        .init("--output takes JSON, such as '{}'", de: "--output erwartet JSON, etwa '{}'"))
    }
    let snapshot = try await desk.store.snapshot(of: doubt.run)
    let following = RunFollowing(desk: desk, database: desk.store.path, isQuiet: true)
    let plan = try await following.plan(of: snapshot.start)
    guard plan.steps.indices.contains(doubt.position) else { return value }
    if let violation = plan.steps[doubt.position].action.output.validate(value).first {
      let place = violation.pathText.isEmpty ? "" : "\(violation.pathText): "
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "--output does not fit what '\(doubt.action)' gives: \(place)",
          de: "--output passt nicht zu dem, was '\(doubt.action)' ergibt: \(place)") + violation.message)
    }
    return value
  }
}

extension Doubt {
  fileprivate var place: String { item.map { "\(step)[\($0)]" } ?? step }

  fileprivate var json: Value {
    .map([
      "run": .string(run.rawValue), "step": .string(step), "item": item.map { .int(Int64($0)) } ?? .null,
      "attempt": .int(Int64(attempt)), "action": .string(action),
    ])
  }
}
