import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore

/// `sous show`: everything about one run.
struct ShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: say("Show a run: steps, attempts, outputs.", de: "Einen Lauf zeigen: Schritte, Versuche, Ausgaben."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, or 'last'.",
        de: "Der Lauf, ein eindeutiger Anfang seines Namens, oder 'last'."), valueName: "run"))
  var run = "last"

  @Option(
    help: ArgumentHelp(
      say("Print only the output of this step, as JSON.", de: "Nur die Ausgabe dieses Schritts, als JSON."),
      valueName: "step"))
  var output: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let workspace = try Workspace(global)
    if let output {
      let value = try await workspace.runLog { log throws(RunStoreError) in
        try await log.output(of: try await log.resolve(run), step: output)
      }
      writeJSON(value, pretty: !format.json)
      return
    }
    let record = try await workspace.runLog { log throws(RunStoreError) in try await log.run(run) }
    if format.json {
      writeJSON(record.json)
    } else {
      write(RunDescription(terminal: Terminal()).text(record))
    }
  }
}

/// A run in words.
struct RunDescription {
  let terminal: Terminal

  func text(_ record: RunRecord) -> String {
    let run = record.summary
    var lines = ["\(terminal.mark(run.status)) \(terminal.styled(run.recipe, .bold))  \(run.id)  \(run.status.spoken)"]
    var facts = TextTable()
    facts.append(["  " + say("recipe", de: "Rezept"), run.path])
    facts.append(["  " + say("started", de: "begonnen"), "\(run.startedAt.spokenLocalTime)  (\(run.trigger))"])
    if let duration = run.duration { facts.append(["  " + say("took", de: "gedauert"), duration.spokenDuration]) }
    if let failure = run.failure {
      facts.append(["  " + say("failure", de: "Fehler"), "\(failure.kind.rawValue): \(failure.message.spoken)"])
      if let advice = failure.advice { facts.append(["", "→ \(advice.spoken)"]) }
    }
    if case .map(let inputs) = record.inputs, inputs.count > 0 {
      facts.append(["  " + say("inputs", de: "Eingaben"), record.inputs.jsonString.cut(to: 200)])
    }
    lines += facts.lines()
    lines.append("")
    var steps = TextTable()
    for step in record.steps {
      steps.append([
        "  \(terminal.mark(step.status)) \(step.id)", step.action, step.providers.joined(separator: ", "),
        words(for: step), step.duration?.spokenDuration ?? "",
      ])
    }
    lines += steps.lines()
    for step in record.steps where step.attempts.contains(where: { $0.failure != nil }) {
      lines.append("")
      lines.append(say("  attempts of \(step.id)", de: "  Versuche von \(step.id)"))
      var attempts = TextTable()
      for attempt in step.attempts where attempt.failure != nil || step.itemCount == nil {
        attempts.append([
          "    #\(attempt.number)", attempt.item.map { say("item \($0)", de: "Element \($0)") } ?? "",
          attempt.provider, attempt.duration?.spokenDuration ?? "",
          attempt.failure.map { "\($0.kind.rawValue): \($0.message.spoken)" } ?? say("succeeded", de: "erfolgreich"),
          attempt.retryDelay.map { say("next after \($0.spokenDuration)", de: "nächster nach \($0.spokenDuration)") }
            ?? "",
        ])
      }
      lines += attempts.lines()
    }
    if case .map(let outputs) = record.outputs, outputs.count > 0 {
      lines.append("")
      for (key, value) in outputs.entries {
        guard case .string(let name) = key else { continue }
        lines.append(say("  output \(name)", de: "  Ausgabe \(name)"))
        let text = value.stringValue ?? value.prettyJSON
        lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
      }
    }
    return lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n") + "\n"
  }

  private func words(for step: StepRecord) -> String {
    var words: [String] = []
    if let count = step.itemCount { words.append("\(step.itemsSucceeded ?? 0)/\(count)") }
    if step.attemptCount > max(1, step.itemCount ?? 1) {
      words.append(say("\(step.attemptCount) attempts", de: "\(step.attemptCount) Versuche"))
    }
    if words.isEmpty, let output = step.output { words.append(OutputSummary.words(output)) }
    if let failure = step.failure { words.append("\(failure.kind.rawValue): \(failure.message.spoken)") }
    return words.joined(separator: "  ")
  }
}
