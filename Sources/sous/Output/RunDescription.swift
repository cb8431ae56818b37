import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import RunStore
import Schemas
import UseCases

/// A run in words.
struct RunDescription {
  /// Lines of warnings and errors that are shown.
  static let longestRemarks = 8

  let terminal: Terminal
  let record: RunRecord
  /// The newest warnings and errors that the run has logged.
  let remarks: [LogRecord]
  /// The circuit breakers of all providers.
  let breakers: [BreakerRecord]
  /// The waits of the runs of its steps.
  let waitsOfParts: [OpenWait]
  /// Failed attempts of a step that are shown.
  private static let longestAttempts = 50

  /// Everything but the outputs.
  func text(at now: Timestamp) -> String {
    var lines = facts()
    lines += waits()
    lines += steps()
    lines += decisions()
    lines += attempts()
    lines += CallTable(terminal: terminal).lines(record.calls)
    lines += children()
    lines += warnings(at: now)
    return Self.text(lines.flatMap { $0.fitted(to: terminal) })
  }

  /// The outputs of the run, with the lines that they have; empty if there are none.
  var outputsText: String { Self.text(outputs()) }

  private static func text(_ lines: [String]) -> String {
    lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  // MARK: - The run

  private func facts() -> [String] {
    let run = record.summary
    var facts = TextTable()
    facts.append(["  " + say("recipe", de: "Rezept"), run.path])
    facts.append(["  " + say("started", de: "begonnen"), "\(run.startedAt.spokenLocalTime)  (\(starter(of: run)))"])
    if let duration = run.duration { facts.append(["  " + say("took", de: "gedauert"), duration.spokenDuration]) }
    if let parent = run.parent { facts.append(["  " + say("part of", de: "Teil von"), "sous show \(parent.short)"]) }
    if let origin = run.origin { facts.append(["  " + say("repeats", de: "wiederholt"), "sous show \(origin.short)"]) }
    if let group = run.group { facts.append(["  " + say("group", de: "Gruppe"), group]) }
    if let other = run.behind {
      facts.append([
        "  " + say("behind", de: "hinter"),
        say("run \(other.short), for which it waits", de: "Lauf \(other.short), auf den er wartet"),
      ])
    }
    if run.priority != 0 { facts.append(["  " + say("priority", de: "Priorität"), "\(run.priority)"]) }
    if run.isProcessGone {
      facts.append([
        "  " + say("process", de: "Prozess"),
        say(
          "gone without a word; 'sous serve --once' or 'sous resume \(run.id.short)' goes on",
          de: "ohne Abmeldung beendet; 'sous serve --once' oder 'sous resume \(run.id.short)' macht weiter"),
      ])
    } else if run.status == .running, let process = record.ownerProcess {
      facts.append(["  " + say("process", de: "Prozess"), "\(process) (\(record.ownerHost ?? ""))"])
    }
    if run.isCancelRequested, !run.status.isFinal {
      facts.append(["  " + say("cancelled", de: "Abbruch"), say("is being cancelled", de: "wird abgebrochen")])
    }
    if let failure = run.failure {
      facts.append(["  " + say("failure", de: "Fehler"), "\(failure.kind.words.spoken): \(failure.message.spoken)"])
      if let advice = failure.advice { facts.append(["", "→ \(advice.spoken)"]) }
    }
    // Otherwise the failure itself says what to do.
    if run.status == .needsAttention, run.failure?.advice == nil {
      facts.append(["", "→ sous answer settle \(run.id.short) --done | --not-done"])
    }
    if case .map(let inputs) = record.inputs, inputs.count > 0 {
      facts.append(["  " + say("inputs", de: "Eingaben"), record.inputs.jsonString.cut(to: 200)])
    }
    return ["\(terminal.mark(run.status)) \(terminal.styled(run.recipe, .bold))  \(run.id)  \(run.status.spoken)"]
      + facts.lines()
  }

  /// The trigger of a run, and the user of the server who has started it.
  private func starter(of run: RunSummary) -> String {
    guard let user = run.startedBy else { return run.spokenTrigger }
    return run.spokenTrigger + say(", by \(user)", de: ", von \(user)")
  }

  // MARK: - Waits

  private func waits() -> [String] {
    guard !record.waits.isEmpty else { return [] }
    var lines = ["", say("  waits for", de: "  wartet auf")]
    for wait in record.waits {
      let item = wait.wait.item.map { "[\($0)]" } ?? ""
      lines.append("    \(terminal.styled("…", .blue)) \(wait.step)\(item)  \(words(for: wait))".singleLine)
      for command in wait.commands(isAlone: record.waits.count == 1) { lines.append("      \(command)".singleLine) }
    }
    for wait in waitsOfParts where wait.wait.kind != .recipe {
      let item = wait.wait.item.map { "[\($0)]" } ?? ""
      let isAlone = waitsOfParts.count { $0.wait.run == wait.wait.run } == 1
      lines.append(
        "    \(terminal.styled("…", .blue)) \(wait.recipe) · \(wait.step)\(item)  \(words(for: wait))".singleLine)
      for command in wait.commands(isAlone: isAlone) { lines.append("      \(command)".singleLine) }
    }
    return lines
  }

  private func words(for wait: OpenWait) -> String {
    let until = wait.wait.until?.spokenLocalTime
    if wait.isAnswered { return say("answered, goes on", de: "beantwortet, geht weiter") }
    switch wait.wait.kind {
    case .time: return say("a time: \(until ?? "–")", de: "einen Zeitpunkt: \(until ?? "–")")
    case .retry: return say("the next attempt: \(until ?? "–")", de: "den nächsten Versuch: \(until ?? "–")")
    case .recipe:
      let child = record.children.last { $0.step == wait.step && $0.item == wait.wait.item }
      return say("run \(child?.id.rawValue ?? "")", de: "Lauf \(child?.id.rawValue ?? "")")
    case .event, .approval:
      var words =
        wait.wait.kind == .event
        ? say("the event \(wait.wait.event ?? "")", de: "das Ereignis \(wait.wait.event ?? "")")
        : say("a decision: \(wait.wait.message ?? "")", de: "eine Entscheidung: \(wait.wait.message ?? "")")
      if !wait.wait.key.isEmpty {
        words += say(" with the key \(wait.wait.key)", de: " mit dem Schlüssel \(wait.wait.key)")
      }
      if wait.isOver, let until {
        return words + say(", its time was up at \(until), goes on", de: ", die Zeit lief ab um \(until), geht weiter")
      }
      return words + (until.map { say(", until \($0)", de: ", bis \($0)") } ?? "")
    }
  }

  // MARK: - Steps

  private func steps() -> [String] {
    var lines: [String] = []
    for (phase, title) in [
      ("main", ""), ("undo", say("  undone", de: "  zurückgenommen")),
      ("on_failure", say("  after the failure", de: "  nach dem Fehler")),
      ("finally", say("  at the end", de: "  am Ende")),
    ] {
      let steps = record.steps.filter {
        $0.phase == phase && (phase == "main" || phase == "finally" || $0.status != .pending && $0.status != .skipped)
      }
      guard !steps.isEmpty else { continue }
      var table = TextTable([
        .init(say("step", de: "Schritt")), .init(say("action", de: "Aktion")), .init(say("provider", de: "Provider")),
        .init(say("result", de: "Ergebnis"), .below), .number(say("took", de: "Dauer")),
      ])
      for step in steps {
        table.append([
          "\(terminal.mark(step.status)) \(step.id)", step.action, step.spokenProviders.joined(separator: ", "),
          words(for: step), step.duration?.spokenDuration ?? "",
        ])
      }
      lines.append("")
      if !title.isEmpty { lines.append(title) }
      lines += indented(table)
    }
    return lines
  }

  private func indented(_ table: TextTable) -> [String] {
    table.lines(terminal.narrowed(by: 2)).map { "  " + $0 }
  }

  /// The decisions of mail filters, message by message.
  private func decisions() -> [String] {
    record.steps.flatMap { step -> [String] in
      guard let output = step.output else { return [] }
      if step.action == "mail.outcome" {
        return FilterTable(terminal: terminal).lines(
          failed: output["failed"]?.listValue ?? [], limit: Self.longestAttempts)
      }
      guard step.action == "mail.select" else { return [] }
      let lines = FilterTable(terminal: terminal).lines(
        decisions: output["decisions"]?.listValue ?? [], errors: output["errors"]?.listValue ?? [],
        limit: Self.longestAttempts)
      return lines.isEmpty ? [] : ["", say("  decisions of \(step.id)", de: "  Entscheidungen von \(step.id)")] + lines
    }
  }

  private func words(for step: StepRecord) -> String {
    var words: [String] = []
    if let count = step.itemCount { words.append("\(step.itemsSucceeded ?? 0)/\(count)") }
    if step.attemptCount > max(1, step.itemCount ?? 1) {
      words.append(say("\(step.attemptCount) attempts", de: "\(step.attemptCount) Versuche"))
    }
    if let origin = step.carriedFrom { words.append(say("from run \(origin.short)", de: "aus Lauf \(origin.short)")) }
    if let undone = step.undoOf { words.append(say("undoes \(undone)", de: "nimmt \(undone) zurück")) }
    if words.isEmpty, let output = step.output { words.append(OutputSummary.words(output)) }
    if let failure = step.failure { words.append("\(failure.kind.words.spoken): \(failure.message.spoken)") }
    return words.joined(separator: "  ")
  }

  private func attempts() -> [String] {
    var lines: [String] = []
    for step in record.steps where step.attempts.contains(where: { $0.failure != nil }) {
      lines.append("")
      lines.append(say("  attempts of \(step.id)", de: "  Versuche von \(step.id)"))
      var table = TextTable([
        .init("#"), .init(say("item", de: "Element")), .init(say("kind", de: "Art")),
        .time(say("began", de: "begonnen")), .number(say("took", de: "Dauer")),
        .init(say("result", de: "Ergebnis"), .below), .init(say("next", de: "danach"), .below),
      ])
      let shown = step.attempts.filter { $0.failure != nil || step.itemCount == nil }
      for attempt in shown.prefix(Self.longestAttempts) {
        table.append([
          "#\(attempt.number)", attempt.item.map { say("item \($0)", de: "Element \($0)") } ?? "",
          attempt.kind.spoken + (attempt.kind.isRepair ? say(" (repair)", de: " (Reparatur)") : ""),
          attempt.startedAt.spokenLocalTime, attempt.duration?.spokenDuration ?? "",
          outcome(of: attempt), next(after: attempt),
        ])
      }
      lines += indented(table)
      if let last = shown.last(where: { $0.lines?.isEmpty == false }) {
        lines.append(Self.origin(ofLinesOf: last))
        lines += (last.lines ?? []).map { "      \(terminal.styled("│", .dim)) \($0)".singleLine }
      }
      let left =
        (step.itemCount == nil ? step.attemptCount : step.attemptsFailed) - min(shown.count, Self.longestAttempts)
      if left > 0 {
        let more = "sous show \(record.summary.id.short) --json"
        lines.append(say("    … \(left) more (\(more))", de: "    … \(left) weitere (\(more))"))
      }
    }
    return lines
  }

  /// The line above the last lines of an attempt.
  private static func origin(ofLinesOf attempt: AttemptRecord) -> String {
    guard let logging = attempt.logging else {
      return say(
        "    what #\(attempt.number) has logged last", de: "    was #\(attempt.number) zuletzt protokolliert hat")
    }
    let (step, run) = (logging.step, logging.run.short)
    return say(
      "    what step '\(step)' (run \(run)) has logged last",
      de: "    was Schritt '\(step)' (Lauf \(run)) zuletzt protokolliert hat")
  }

  private func outcome(of attempt: AttemptRecord) -> String {
    if let failure = attempt.failure {
      if failure.kind == .notYet { return say("not yet", de: "noch nicht") }
      let doubt = attempt.isUncertain ? say(" (in doubt)", de: " (ungewiss)") : ""
      return "\(failure.kind.words.spoken): \(failure.message.spoken)\(doubt)"
    }
    return attempt.status == .running ? say("running", de: "läuft") : say("succeeded", de: "erfolgreich")
  }

  private func next(after attempt: AttemptRecord) -> String {
    guard let pause = attempt.retryDelay, pause > 0 else { return "" }
    return say("next after \(pause.spokenDuration)", de: "nächster nach \(pause.spokenDuration)")
  }

  // MARK: - Further parts

  private func children() -> [String] {
    guard !record.children.isEmpty else { return [] }
    var table = TextTable([
      .init(say("run", de: "Lauf")), .init(say("recipe", de: "Rezept"), .cut(to: 12)),
      .init(say("state", de: "Zustand")), .init(say("step", de: "Schritt")),
      .init(say("its steps", de: "seine Schritte"), .below),
    ])
    for child in record.children {
      let item = child.item.map { "[\($0)]" } ?? ""
      table.append([
        "\(terminal.mark(child.status)) \(child.id.short)", child.recipe, child.status.spoken,
        (child.step ?? "") + item, child.steps.map { "\(terminal.mark($0.status)) \($0.id)" }.joined(separator: " "),
      ])
    }
    return ["", say("  runs of its steps", de: "  Läufe seiner Schritte")] + indented(table)
  }

  private func warnings(at now: Timestamp) -> [String] {
    var lines: [String] = []
    if !remarks.isEmpty {
      lines += [
        "",
        say(
          "  warnings (sous logs \(record.summary.id.short))", de: "  Warnungen (sous logs \(record.summary.id.short))"),
      ]
      for remark in remarks {
        let sign = remark.level == .error ? terminal.styled("✗", .red) : terminal.styled("!", .yellow)
        let place = remark.step.map { "\($0): " } ?? ""
        lines.append("  \(sign) \(place)\(remark.message)".singleLine)
      }
    }
    guard !record.summary.status.isFinal else { return lines }
    let used = Set(record.steps.flatMap(\.providers).map { ProviderRoute($0).provider })
    for breaker in breakers where used.contains(breaker.provider) {
      guard let until = breaker.openUntil, until > now else { continue }
      lines.append(
        ("  " + terminal.styled("!", .yellow) + " "
          + breaker.whyLeftAlone(until: until)).singleLine)
    }
    return lines
  }

  private func outputs() -> [String] {
    guard case .map(let outputs) = record.outputs, outputs.count > 0 else { return [] }
    var lines = [""]
    for (key, value) in outputs.entries {
      guard case .string(let name) = key else { continue }
      lines.append(say("  output \(name)", de: "  Ausgabe \(name)"))
      let text = value.stringValue ?? value.prettyJSON
      lines += text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
    }
    return lines
  }
}

extension RunSummary {
  /// The trigger of the run, for people.
  var spokenTrigger: String {
    switch trigger {
    case "manual": say("by hand", de: "von Hand")
    case "assistant": say("by an assistant", de: "durch einen Assistenten")
    case "retry": say("a retry", de: "eine Wiederholung")
    case "replay": say("a replay", de: "ein Nachspielen")
    case "recipe": say("by another run", de: "von einem anderen Lauf")
    case "schedule": say("by schedule", de: "nach Plan")
    case "api": say("by page or API", de: "über Seite oder API")
    default: trigger
    }
  }
}

extension BreakerRecord {
  /// Why a provider is not asked for now.
  ///
  /// - Parameter until: When it may be asked again.
  func whyLeftAlone(until: Timestamp) -> String {
    let (kind, time) = (lastFailure.map { " (\($0.words.spoken))" } ?? "", until.spokenLocalTime)
    return failures == 1
      ? say(
        "provider '\(provider)' failed\(kind); its circuit breaker is open until \(time)",
        de: "Provider '\(provider)' ist gescheitert\(kind); sein Schutzschalter ist offen bis \(time)")
      : say(
        "provider '\(provider)' failed \(failures) times in a row\(kind); its circuit breaker is open until \(time)",
        de:
          "Provider '\(provider)' ist \(failures)-mal in Folge gescheitert\(kind); sein Schutzschalter ist offen bis \(time)"
      )
  }
}

extension OpenWait {
  fileprivate var isOver: Bool { isOver(at: SystemTime().now) }

  /// The command that ends the wait.
  ///
  /// - Parameter isAlone: Whether the run waits for nothing else, so that the step need not be named.
  fileprivate func commands(isAlone: Bool) -> [String] {
    guard !isAnswered, !isOver else { return [] }
    return wait.commands(place: isAlone ? "" : " --step \(step)" + (wait.item.map { " --item \($0)" } ?? ""))
  }
}
