import Engine
import Expressions
import Localization
import Recipes
import RunStore
import UseCases

/// What `sous run` was asked for.
///
/// It stands apart from ``RunCommand``, as ArgumentParser's wrappers take longer to create than a small recipe to run.
struct RunArguments: Equatable {
  var recipe: String
  var inputs: [String] = []
  var keywords: [String] = []
  var isQuiet = false
  var isJSON = false
  var isDryRun = false
  var queues = false
  var inputsFrom: String?
  var priority: Int?
  var config: String?
  var state: String?
  var trusts = false
  var denied: Set<Permission> = []

  init(recipe: String) { self.recipe = recipe }

  /// Reads the usual arguments without ArgumentParser.
  ///
  /// What it does not know, and all that is wrong, it leaves to ArgumentParser.
  ///
  /// - Parameter arguments: The program's arguments, the name of the command first.
  /// - Returns: `nil` where ArgumentParser has to read them.
  init?(usual arguments: [String]) {
    guard arguments.first == "run" else { return nil }
    self.init(recipe: "")
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      switch argument {
      case "-q", "--quiet": isQuiet = true
      case "--json": isJSON = true
      case "--trust-workspace": trusts = true
      case "-i", "--input", "-k", "--keyword", "--config", "--state":
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("-") else { return nil }
        switch argument {
        case "-i", "--input": inputs.append(value)
        case "-k", "--keyword": keywords.append(value)
        case "--config": config = value
        default: state = value
        }
      default:
        guard recipe.isEmpty, !argument.isEmpty, !argument.hasPrefix("-") else { return nil }
        recipe = argument
      }
    }
    if recipe.isEmpty { return nil }
  }

  func run() async throws {
    var workspace = try Workspace(configuration: config, state: state, trusts: trusts)
    let foreground = Foreground(&workspace, isQuiet: isQuiet || isJSON)
    let project = try Project(workspace)
    var order = RunOrder(recipe)
    order.typedInputs = try await InputFiles.read(Assignment.all(inputs, option: "-i"))
    order.keywords = try Assignment.all(keywords, option: "-k")
    order.priority = priority
    order.denied = denied
    order.inputsFile = inputsFrom
    let checked = try project.check(order)
    if isDryRun {
      let preview = try await project.preview(checked)
      isJSON ? writeJSON(preview.json) : write(FilterTable(terminal: Terminal()).text(preview))
      if preview.isUndecided, let status = ExitStatus.of(.failed) { throw CommandError(status) }
      return
    }
    let mails = try project.mails(of: checked)
    let session = try await Session(project, probesAtOnce: true)
    if let mails {
      let queued = try await session.closing(tidies: false) { try await $0.queue(mails) }
      return try await SendReport.queued(queued, workspace, json: isJSON, isList: inputsFrom != nil)
    }
    guard !queues else {
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

  /// Tells of runs that were queued.
  private func tell(_ runs: [(run: RunID, isSkipped: Bool)]) {
    if isJSON {
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

  /// What has become of the lines of a file.
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
    if isJSON { return writeJSON(try await outcome.record().json) }
    if isQuiet, result.status != .succeeded, let failure = summary.failure {
      let advice = failure.advice.map { "\n  → \($0.spoken.singleLine)" } ?? ""
      writeError(
        "\(Terminal(descriptor: 2).styled("✗", .red)) \(failure.kind.rawValue): \(failure.message.spoken.singleLine)"
          + "\(advice)\n  sous show \(summary.id)\n")
    }
    if !isQuiet { write(Ending(terminal: Terminal()).text(summary)) }
    RunOutputs.write(result.outputs, spacing: !isQuiet)
  }
}
