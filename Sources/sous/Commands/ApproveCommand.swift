import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RunStore
import UseCases

/// `sous approve`: makes a decision that a run waits for, or lists those that are open.
struct ApproveCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "approve",
      abstract: say(
        "Agree to what a run asks; without a run, list what is open.",
        de: "Zustimmen, wo ein Lauf fragt; ohne Lauf: zeigen, was offen ist."), shouldDisplay: false)
  }

  @OptionGroup var approval: Approval

  func run() async throws { try await approval.run() }
}

/// Agrees to what a run asks; `sous approve` and `sous answer yes`.
struct Approval: ParsableArguments {
  @Argument(help: ArgumentHelp(say("The run.", de: "Der Lauf."), valueName: "run"), completion: Completions.runs)
  var run: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("A field of the form; may be repeated.", de: "Ein Feld des Formulars; mehrfach möglich."),
      valueName: "name=value"))
  var field: [String] = []

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    guard let run else { return try await Self.list(format, global) }
    let (choice, person) = (decision.choice(run), decision.person)
    let fields = try Assignment.all(field, option: "--field")
    let (id, wait) = try await Workspace(global).recordingRunLog {
      try await Decisions($0).approve(choice, fields: fields, by: person, option: "--field")
    }
    let words = say("approved; run \(id) goes on\n", de: "zugestimmt; Lauf \(id) geht weiter\n")
    decision.tell(words + (await DecisionOptions.hint(id, global)), wait, isApproved: true, format)
  }

  /// Lists the decisions that are open.
  static func list(_ format: FormatOptions, _ global: GlobalOptions) async throws {
    let open = try await Workspace(global).runLog({ try await Decisions.open(in: $0) }, ifMissing: { [] })
    if format.json {
      writeJSON(.list(open.map(\.json)))
      return
    }
    if open.isEmpty { write(say("no decision is open\n", de: "keine Entscheidung ist offen\n")) }
    for wait in open {
      let until = wait.wait.until.map { say("  until \($0.spokenLocalTime)", de: "  bis \($0.spokenLocalTime)") } ?? ""
      var lines = ["\(wait.wait.run.short)  \(wait.recipe.singleLine)  \(wait.step)\(until)"]
      if let message = wait.wait.message { lines.append("  " + message.singleLine) }
      lines += wait.wait.commands().map { "  " + $0 }
      for line in lines.flatMap({ $0.fitted(to: Terminal()) }) { write(line + "\n") }
    }
  }
}

/// `sous reject`: refuses what a run asks.
struct RejectCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "reject", abstract: say("Refuse what a run asks.", de: "Ablehnen, was ein Lauf fragt."),
      shouldDisplay: false)
  }

  @OptionGroup var refusal: Refusal

  func run() async throws { try await refusal.run() }
}

/// Refuses what a run asks; `sous reject` and `sous answer no`.
struct Refusal: ParsableArguments {
  @Argument(help: ArgumentHelp(say("The run.", de: "Der Lauf."), valueName: "run"), completion: Completions.runs)
  var run: String

  @Option(help: ArgumentHelp(say("Why.", de: "Warum."), valueName: "text"))
  var reason = ""

  @OptionGroup var decision: DecisionOptions
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (choice, reason, person) = (decision.choice(run), reason, decision.person)
    let (id, wait) = try await Workspace(global).recordingRunLog {
      try await Decisions($0).reject(choice, reason: reason, by: person)
    }
    let words = say("rejected; run \(id) goes on\n", de: "abgelehnt; Lauf \(id) geht weiter\n")
    decision.tell(words + (await DecisionOptions.hint(id, global)), wait, isApproved: false, format)
  }
}

/// Which decision is meant, and who makes it.
struct DecisionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say("The step, where several ask.", de: "Der Schritt, wo mehrere fragen."), valueName: "step"),
    completion: Completions.steps)
  var step: String?

  @Option(
    help: ArgumentHelp(
      say("The item of the step's for_each, from 0.", de: "Das Element der Schleife, ab 0."), valueName: "number"))
  var item: Int?

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      say("Who decides; the user's name if it is absent.", de: "Wer entscheidet; sonst der Name des Benutzers."),
      valueName: "name"))
  var by: String?

  /// Who decides.
  var person: String { by ?? Self.user }

  /// The user's name.
  static var user: String { ProcessInfo.processInfo.environment["USER"] ?? NSUserName() }

  /// The decision that is meant.
  func choice(_ run: String) -> Decisions.Choice { Decisions.Choice(run, step: step, item: item) }

  /// Which command continues the run if no server does.
  static func hint(_ run: RunID, _ global: GlobalOptions) async -> String {
    let now = SystemTime().now
    let status = try? await Workspace(global).servingStatus()
    guard status?.servers.contains(where: { $0.isAlive(at: now) }) != true else { return "" }
    return say(
      "no server is running; if no other process works on the run: sous resume \(run.short)\n",
      de: "kein Server läuft; falls kein anderer Prozess an dem Lauf arbeitet: sous resume \(run.short)\n")
  }

  /// Prints the decision.
  func tell(_ words: String, _ wait: OpenWait, isApproved: Bool, _ format: FormatOptions) {
    guard format.json else { return write(words) }
    writeJSON(
      .map([
        "run": .string(wait.wait.run.rawValue), "step": .string(wait.step),
        "item": wait.wait.item.map { .int(Int64($0)) } ?? .null, "approved": .bool(isApproved), "by": .string(person),
      ]))
  }
}
