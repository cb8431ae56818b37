import Expressions
public import Localization
import Plans
import RecipeModel
import Schemas

extension PlanExplanation {
  /// The plan for people, in lines of at most so many columns.
  ///
  /// - Parameters:
  ///   - language: The language of the words round the recipe's own.
  ///   - width: Columns; at least 40.
  public func text(in language: Language, width: Int = 100) -> String {
    var page = Page(language: language, width: max(40, width))
    describe(plan, on: &page, depth: 0)
    return page.text
  }

  private func describe(_ plan: Plan, on page: inout Page, depth: Int) {
    let indent = String(repeating: "  ", count: depth * 2)
    page.line(
      indent,
      LocalizedText(verbatim: "\(plan.name) (\(plan.kind), ")
        + .count(plan.steps.count, "step", "steps", de: "Schritt", "Schritte") + LocalizedText(verbatim: ")"))
    if let summary = plan.summary { page.line(indent + "  ", LocalizedText(verbatim: summary)) }
    for trigger in plan.triggers { page.field(indent, .init("on", de: "Auslöser"), trigger.summary) }
    if let dispatch = plan.dispatch {
      let time =
        (dispatch.time?.rfc3339 ?? dispatch.phrase).map { LocalizedText(verbatim: $0) }
        ?? .init("when it is run", de: "sobald es läuft")
      let undo = (dispatch.undoFor ?? 0).secondsText
      let takeBack =
        (dispatch.undoFor ?? 0) > 0
        ? LocalizedText("; can be cancelled for \(undo)", de: "; \(undo) lang abbrechbar")
        : LocalizedText(verbatim: "")
      page.field(indent, .init("sends", de: "sendet"), time + takeBack)
    }
    if let at = plan.reminding?.at {
      page.field(indent, .init("due", de: "fällig"), LocalizedText(verbatim: at.rfc3339))
    }
    if let leads = plan.reminding?.leads, !leads.isEmpty {
      let words = leads.map(\.secondsText).joined(separator: ", ")
      page.field(indent, .init("before", de: "vorher"), LocalizedText(verbatim: words))
    }
    if let repetition = plan.repetition {
      let limit = repetition.limit
      page.field(
        indent, .init("repeats", de: "wiederholt"),
        LocalizedText(
          "every \(repetition.every.secondsText) until \(repetition.until.rawValue)"
            + (limit.map { ", \($0 == 1 ? "once" : "\($0) times") at most" } ?? ""),
          de: "alle \(repetition.every.secondsText) bis \(repetition.until.rawValue)"
            + (limit.map { ", höchstens \($0)-mal" } ?? "")))
    }
    for input in plan.inputs { page.field(indent, .init("input", de: "Eingabe"), Self.words(input)) }
    for (name, value) in plan.keywords {
      page.field(
        indent, .init("keyword", de: "Schlüsselwort"), LocalizedText(verbatim: "\(name) = \(value.words)"))
    }
    if let timeout = plan.timeout {
      page.field(indent, .init("timeout", de: "Zeitgrenze"), LocalizedText(verbatim: timeout.secondsText))
    }
    if plan.priority != 0 {
      page.field(indent, .init("priority", de: "Vorrang"), LocalizedText(verbatim: "\(plan.priority)"))
    }
    if let permissions = plan.permissions {
      let words = permissions.sorted().map(\.rawValue).joined(separator: ", ")
      page.field(
        indent, .init("may", de: "darf"),
        permissions.isEmpty ? .init("only read and compute", de: "nur lesen und rechnen") : .init(verbatim: words))
    }
    if let group = plan.concurrency {
      page.field(
        indent, .init("group", de: "Gruppe"),
        LocalizedText(verbatim: "\(group.group.words) (\(group.policy.rawValue))")
          + (group.max == 1
            ? LocalizedText(verbatim: "")
            : LocalizedText(", \(group.max) runs at a time", de: ", \(group.max) Läufe gleichzeitig"))
          + (group.order.map { LocalizedText(", order \($0)", de: ", Reihenfolge \($0)") }
            ?? LocalizedText(verbatim: "")))
    }
    for (number, step) in plan.steps.enumerated() {
      page.blank()
      describe(step, number: number, of: plan, on: &page, indent: indent, depth: depth)
    }
    if !plan.outputs.isEmpty { page.blank() }
    for (name, value) in plan.outputs {
      page.field(indent, .init("output", de: "Ausgabe"), LocalizedText(verbatim: "\(name) = \(value.words)"))
    }
  }

  private func describe(
    _ step: PlanStep, number: Int, of plan: Plan, on page: inout Page, indent: String, depth: Int
  ) {
    let providers = step.providers.isEmpty ? "" : "  [\(step.providers.joined(separator: " → "))]"
    let title = step.title.map { "  \"\($0)\"" } ?? ""
    page.line(
      indent, LocalizedText(verbatim: "\(number + 1). \(step.id)  \(step.action.name)\(providers)\(title)"))
    let inner = indent + "   "
    page.field(inner, .init("effect", de: "Wirkung"), step.action.effect.words(isCostly: step.action.isCostly))
    if !step.demands.isEmpty {
      let missing = plan.permissions.map { step.demands.subtracting($0) } ?? []
      let words = step.demands.sorted().map { missing.contains($0) ? "\($0.rawValue) (!)" : $0.rawValue }
      page.field(inner, .init("permission", de: "Erlaubnis"), .init(verbatim: words.joined(separator: ", ")))
    }
    if step.routing.locality == .required {
      page.field(
        inner, .init("asks", de: "fragt"),
        .init(
          "only providers on this machine or in the private network",
          de: "nur Provider auf dieser Maschine oder im privaten Netz"))
    }
    if step.routing.preference == .cheapest {
      page.field(
        inner, .init("asks first", de: "fragt zuerst"), .init("who costs least", de: "wer am wenigsten kostet"))
    }
    if let condition = step.condition {
      page.field(inner, .init("when", de: "wenn"), LocalizedText(verbatim: condition.source))
    }
    if let loop = step.loop {
      page.field(
        inner, .init("for each", de: "für jedes"),
        LocalizedText(
          "\(loop.variable) of \(loop.items.words), \(loop.parallel) at once",
          de: "\(loop.variable) aus \(loop.items.words), \(loop.parallel) zugleich"))
    }
    if let selection = step.selection { describe(selection, of: step, on: &page, indent: inner) }
    let direct = step.needs.filter { plan.steps.indices.contains($0) }
    if direct != (number > 0 ? [number - 1] : []), step.phase == .main {
      let names = direct.map { plan.steps[$0].id }.joined(separator: ", ")
      page.field(
        inner, .init("after", de: "nach"),
        names.isEmpty ? LocalizedText("nothing", de: "nichts") : LocalizedText(verbatim: names))
    }
    if let turn = turn(of: step, in: plan) { page.field(inner, .init("runs", de: "läuft"), turn) }
    if let wait = step.action.waitWords { page.field(inner, .init("waits", de: "wartet"), wait) }
    // The inputs of a block repeat the expressions of its steps, which are listed below it.
    if step.child?.block == nil, case .map(let input) = step.input.source {
      for (key, value) in input.entries {
        page.field(
          inner, .init("with", de: "mit"),
          LocalizedText(verbatim: "\(key.text): \((value.stringValue ?? value.jsonString).singleLine(400))"))
      }
    }
    for (name, value) in step.keywords {
      page.field(
        inner, .init("keyword", de: "Schlüsselwort"), LocalizedText(verbatim: "\(name) = \(value.words)"))
    }
    if let repetition = step.repetition { page.field(inner, .init("repeats", de: "wiederholt"), repetition.words) }
    if let cache = step.cache {
      let key = cache.key.map { LocalizedText(", by \($0.words)", de: ", nach \($0.words)") }
      page.field(
        inner, .init("cache", de: "Ergebnis"),
        LocalizedText(
          "used again for \(cache.seconds.secondsText)", de: "\(cache.seconds.secondsText) lang wiederverwendet")
          + (key ?? LocalizedText(", by its input", de: ", nach der Eingabe")))
    }
    // What only computes fails the same each time, but for what is told how to fail; another recipe and a wait make one
    // attempt.
    if step.child == nil, !step.action.isWait,
      !step.action.isBuiltin || step.action.effect != .pure || step.action.name == "fail"
    {
      page.field(inner, .init("retry", de: "Wiederholung"), step.retry.schedule)
    }
    if !step.providers.isEmpty { page.field(inner, .init("breaker", de: "Schutzschalter"), breakerWords(step)) }
    if let timeout = step.timeout {
      page.field(
        inner, .init("timeout", de: "Zeitgrenze"),
        LocalizedText("\(timeout.secondsText) for each attempt", de: "\(timeout.secondsText) je Versuch")
          + (step.action.isProgram && timeout == ActionSignature.programTimeout
            ? LocalizedText(
              ", unless the step sets another; calls of services: 300 s",
              de: ", falls der Schritt nichts anderes setzt; Aufrufe von Diensten: 300 s")
            : LocalizedText(verbatim: "")))
    }
    page.field(
      inner, .init("on error", de: "bei Fehler"),
      step.onError == .fail
        ? .init("the run fails", de: "schlägt der Lauf fehl") : .init("the run goes on", de: "geht der Lauf weiter"))
    guard let child = step.child, depth < 8 else { return }
    guard child.block != nil else { return describe(child, on: &page, depth: depth + 1) }
    for (number, innerStep) in child.steps.enumerated() {
      page.blank()
      describe(innerStep, number: number, of: child, on: &page, indent: inner, depth: depth + 1)
    }
  }

  /// What the circuit breakers of a step's providers add to its attempts and pauses.
  private func breakerWords(_ step: PlanStep) -> LocalizedText {
    let (first, longest) = (breaker.openSeconds.secondsText, breaker.longestSeconds.secondsText)
    let occasion =
      breaker.failures == 1
      ? LocalizedText("after a failure", de: "nach einem Fehlschlag")
      : LocalizedText(
        "after \(breaker.failures) failures in a row", de: "nach \(breaker.failures) Fehlschlägen in Folge")
    let span = LocalizedText("\(first) to \(longest)", de: "\(first) bis \(longest)")
    let budget =
      step.retry.within.map {
        LocalizedText(", as part of the \($0.secondsText)", de: ", als Teil der \($0.secondsText)")
      } ?? LocalizedText(verbatim: "")
    guard step.providers.count > 1 else {
      return occasion
        + LocalizedText(
          ", by whichever run, its circuit breaker opens for ",
          de: ", gleich welchen Laufs, öffnet sein Schutzschalter für ")
        + span
        + LocalizedText(
          "; the step then waits for it, once and before its first attempt",
          de: "; der Schritt wartet dann auf ihn, einmal und vor dem ersten Versuch") + budget
    }
    return occasion
      + LocalizedText(
        ", by whichever run, a provider's circuit breaker opens for ",
        de: ", gleich welchen Laufs, öffnet der Schutzschalter eines Providers für ")
      + span
      + LocalizedText(
        " and the next one asked at once; where none is left, the step waits, once and before its first attempt",
        de:
          " und der nächste wird sofort gefragt; bleibt keiner, wartet der Schritt, einmal und vor dem ersten Versuch"
      ) + budget
  }

  /// When a step has its turn that is none of the ordinary ones.
  private func turn(of step: PlanStep, in plan: Plan) -> LocalizedText? {
    switch step.phase {
    case .main: return nil
    case .undo(let target):
      let id = plan.steps.indices.contains(target) ? plan.steps[target].id : "?"
      return LocalizedText(
        "to take '\(id)' back, when it has succeeded and the run fails or is cancelled",
        de: "um '\(id)' zurückzunehmen, wenn er gelungen ist und der Lauf scheitert oder abgebrochen wird")
    case .onFailure: return .init("after a failure", de: "nach einem Fehlschlag")
    case .finally: return .init("at the end, whatever happened", de: "am Ende, in jedem Fall")
    }
  }

  private static func words(_ input: Plan.Input) -> LocalizedText {
    let type = input.schema.document["type"]?.stringValue ?? "any"
    let start = "\(input.name): \(type)"
    let about = input.schema.document["description"]?.stringValue.map { " – \($0)" } ?? ""
    if let value = input.schema.document["default"] {
      return LocalizedText(
        "\(start), default \(value.jsonString)\(about)", de: "\(start), Vorgabe \(value.jsonString)\(about)")
    }
    return input.isRequired
      ? LocalizedText("\(start), required\(about)", de: "\(start), nötig\(about)")
      : LocalizedText(verbatim: start + about)
  }
}

/// Lines of text that are folded at a width.
struct Page {
  let language: Language
  let width: Int
  var text = ""

  mutating func blank() { text += "\n" }

  mutating func line(_ indent: String, _ words: LocalizedText) {
    fold(words.string(in: language), first: indent, rest: indent + "  ")
  }

  /// A label and what it says; further lines stand below the first word after the label.
  mutating func field(_ indent: String, _ label: LocalizedText, _ words: LocalizedText) {
    let label = label.string(in: language)
    let padded = label + String(repeating: " ", count: max(1, 15 - label.count))
    fold(
      words.string(in: language), first: indent + "  " + padded,
      rest: indent + "  " + String(repeating: " ", count: padded.count))
  }

  private mutating func fold(_ words: String, first: String, rest: String) {
    if first.count + words.count <= width, !words.contains(where: \.isNewline) {
      text += first + words + "\n"
      return
    }
    var line = first
    var isEmpty = true
    for word in words.split(whereSeparator: \.isWhitespace) {
      if !isEmpty, line.count + 1 + word.count > width {
        text += line + "\n"
        line = rest
        isEmpty = true
      }
      var word = word
      // A word longer than a line is cut.
      while line.count + word.count > width, width - line.count > 8, isEmpty {
        let part = word.prefix(width - line.count)
        text += line + part + "\n"
        line = rest
        word = word.dropFirst(part.count)
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    text += line + "\n"
  }
}

extension BoundValue {
  fileprivate var words: String { (source.stringValue ?? source.jsonString).singleLine(400) }
}

extension ActionSignature {
  /// What the step stands still for; `nil` where it does not.
  fileprivate var waitWords: LocalizedText? {
    guard isWait else { return nil }
    switch name {
    case Self.sleep.name, Self.until.name:
      return .init("until its time; survives a restart", de: "bis zu seiner Zeit; übersteht einen Neustart")
    case Self.waitFor.name:
      return .init("for an event; survives a restart", de: "auf ein Ereignis; übersteht einen Neustart")
    default: return .init("for a person's decision", de: "auf die Entscheidung eines Menschen")
    }
  }
}

extension Effect {
  /// What repeating the action would do.
  fileprivate func words(isCostly: Bool) -> LocalizedText {
    let words: LocalizedText =
      switch self {
      case .pure: .init("pure: computes only", de: "pure: rechnet nur")
      case .read: .init("read: changes nothing", de: "read: ändert nichts")
      case .idempotent: .init("idempotent: may be repeated", de: "idempotent: darf wiederholt werden")
      case .once: .init("once: never repeated unseen", de: "once: wird nie ungesehen wiederholt")
      }
    return isCostly ? words + .init("; costly, kept at once", de: "; teuer, wird sofort gesichert") : words
  }
}
