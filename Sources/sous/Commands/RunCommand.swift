import ArgumentParser
import Engine
import Expressions
import Localization
import Outbox
import Plans
import RecordJSON
import RunStore
import Schemas
import UseCases

/// `sous run`: runs a recipe to its end and reports on the way.
struct RunCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run",
      abstract: say("Run a recipe.", de: "Ein Rezept ausführen."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The recipe's file, or the name of a recipe in the served folders.",
        de: "Die Datei des Rezepts, oder der Name eines Rezepts in den Ordnern des Servers."), valueName: "recipe"),
    completion: Completions.recipes)
  var recipe: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say(
        "An input; 'name=@file' is the text of a file, 'name=-' standard input; may be repeated.",
        de: "Eine Eingabe; 'name=@datei' ist der Text einer Datei, 'name=-' die Standardeingabe; mehrfach möglich."),
      valueName: "name=value"))
  var input: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("A keyword; overrides all others; may be repeated.", de: "Ein Schlüsselwort; hat Vorrang; mehrfach möglich."),
      valueName: "name=value"))
  var keyword: [String] = []

  @Flag(
    name: .shortAndLong,
    help: ArgumentHelp(say("Print the outputs alone.", de: "Nur die Ausgaben schreiben.")))
  var quiet = false

  @Flag(
    help: ArgumentHelp(
      say("Only put it into the queue, for 'sous serve --once'.", de: "Nur einreihen, für 'sous serve --once'.")))
  var queue = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Only show what a mail filter would do; nothing is changed or recorded.",
        de: "Nur zeigen, was ein Mail-Filter täte; nichts wird geändert oder notiert.")))
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      say(
        "Forbidden to the run: exec, net, write, send, with commas; may be repeated.",
        de: "Was der Lauf nicht darf: exec, net, write, send, durch Kommas getrennt; mehrfach möglich."),
      valueName: "permissions"))
  var deny: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "Queue a run for each line of this file, a JSON object of inputs; '-' is standard input.",
        de: "Für jede Zeile dieser Datei, ein JSON-Objekt mit Eingaben, einen Lauf einreihen; '-': Standardeingabe."),
      valueName: "file"))
  var inputsFrom: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      say(
        "With --queue: which runs are taken first, higher before lower; the recipe's if it is absent.",
        de: "Zu --queue: welche Läufe zuerst drankommen, höhere vor niedrigeren; sonst die des Rezepts."),
      valueName: "number"))
  var priority: Int?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if inputsFrom != nil, !queue {
      throw ValidationError(
        say("--inputs-from needs --queue", de: "--inputs-from geht nur mit --queue"))
    }
    if dryRun, queue {
      throw ValidationError(say("--dry-run queues nothing", de: "--dry-run reiht nichts ein"))
    }
    // An empty word too: an empty variable of a script must not run what it was to deny.
    for word in deny.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) })
    where Permission(rawValue: String(word)) == nil {
      throw ValidationError(
        say(
          "--deny takes exec, net, write and send, not '\(word)'",
          de: "--deny nimmt exec, net, write und send, nicht '\(word)'"))
    }
    if priority != nil, !queue {
      throw ValidationError(say("--priority needs --queue", de: "--priority geht nur mit --queue"))
    }
    if let priority, !(-100...100).contains(priority) {
      throw ValidationError(say("--priority takes -100 to 100", de: "--priority nimmt -100 bis 100"))
    }
  }

  /// Checks the order; a missing input is reported with the option that gives it.
  private static func check(_ order: RunOrder, _ project: Project) throws(UseCaseError) -> CheckedOrder {
    do throws(UseCaseError) {
      return try project.check(order)
    } catch {
      let missing = error.faults.filter(\.isMissing).compactMap { $0.pointer.split(separator: "/").last }
      guard !missing.isEmpty else { throw error }
      let options = missing.map { "-i \($0)=…" }.joined(separator: " ")
      var refusal = error
      refusal.message = refusal.message + LocalizedText(": give it with \(options)", de: ": mit \(options) angeben")
      throw refusal
    }
  }

  func run() async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: quiet || format.json)
    let project = try Project(workspace)
    var order = RunOrder(recipe)
    order.typedInputs = try await InputFiles.read(Assignment.all(input, option: "-i"))
    order.keywords = try Assignment.all(keyword, option: "-k")
    order.priority = priority
    order.denied = Permission.all(in: deny.joined(separator: ","))
    order.inputsFile = inputsFrom
    let checked = try Self.check(order, project)
    if dryRun {
      let preview = try await project.preview(checked)
      format.json
        ? writeJSON(preview.json(in: Speech.language)) : write(FilterTable(terminal: Terminal()).text(preview))
      if preview.isUndecided, let status = ExitStatus.of(.failed) { throw CommandError(status) }
      return
    }
    let mails = try project.mails(of: checked)
    let session = try await Session(project, probesAtOnce: true)
    if let mails {
      let queued = try await session.closing(tidies: false) { try await $0.queue(mails) }
      return try await SendReport.queued(queued, workspace, json: format.json, isList: inputsFrom != nil)
    }
    guard !queue else {
      return tell(try await session.closing(tidies: false) { try await $0.enqueue(checked) })
    }
    let status = try await session.closing { session in
      let outcome = try await foreground.watch { try await session.run(checked) }
      await session.endProviders()
      try await tell(outcome)
      return ExitStatus.of(outcome.result.status)
    }
    if let status { throw CommandError(status) }
  }

  /// Reports queued runs.
  private func tell(_ runs: [(run: RunID, isSkipped: Bool)]) {
    if format.json {
      let list = runs.map { run, isSkipped in
        Value.map(["run": .string(run.rawValue), "status": isSkipped ? "skipped" : "queued"])
      }
      writeJSON(inputsFrom == nil ? list.first ?? .null : .list(list))
      return
    }
    let queued = runs.filter { !$0.isSkipped }.map(\.run)
    if inputsFrom == nil, let run = queued.first {
      write(say("queued as run \(run)\n", de: "eingereiht als Lauf \(run)\n"))
    } else if inputsFrom == nil, let run = runs.first?.run {
      write(
        say(
          "left out, as another run of its group is queued or under way: run \(run)\n",
          de: "ausgelassen, da ein anderer Lauf der Gruppe eingereiht oder unterwegs ist: Lauf \(run)\n"))
    } else {
      write(Self.words(queued, skipped: runs.count - queued.count))
    }
  }

  /// The results of the lines of a file.
  private static func words(_ queued: [RunID], skipped: Int) -> String {
    var words =
      switch (queued.first, queued.last) {
      case (let first?, let last?) where queued.count > 1:
        say(
          "queued \(queued.count) runs, \(first) to \(last)",
          de: "\(queued.count) Läufe eingereiht, \(first) bis \(last)")
      case (let run?, _): say("queued 1 run, \(run)", de: "1 Lauf eingereiht, \(run)")
      default: say("queued no run", de: "kein Lauf eingereiht")
      }
    if skipped > 0 {
      words += say(
        "; \(skipped) left out, as their group is taken", de: "; \(skipped) ausgelassen, da ihre Gruppe belegt ist")
    }
    return words + "\n"
  }

  private func tell(_ outcome: RunOutcome) async throws {
    let (result, summary) = (outcome.result, outcome.summary)
    if format.json { return writeJSON(try await outcome.record().json) }
    if quiet, result.status == .skipped {
      // A run that gives way to another one of its group has not failed.
      writeError(Ending(terminal: Terminal(descriptor: 2)).text(summary))
    } else if quiet, result.status != .succeeded, let failure = summary.failure {
      let advice = failure.advice.map { "\n  → \($0.spoken.singleLine)" } ?? ""
      writeError(
        "\(Terminal(descriptor: 2).styled("✗", .red)) \(failure.kind.words.spoken): \(failure.message.spoken.singleLine)"
          + "\(advice)\n  sous show \(summary.id.short)\n")
    }
    if !quiet { write(Ending(terminal: Terminal()).text(summary)) }
    RunOutputs.write(result.outputs, spacing: !quiet)
  }
}
