import Access
package import Expressions
package import RecipePlanning

/// One run: its graph, steps, questions, log.
package struct RunPage: PageView {
  let run: Value
  private let graph: PlanGraph?
  let lines: [Value]
  private let chosen: String?
  let hasMoreLines: Bool
  private let rights: Rights
  /// Attempts of the run whose outcome is unknown.
  package var doubts: [Value] = []

  /// The rights of the user on this run.
  package struct Rights: Sendable {
    /// Whether the user may cancel, resume and retry it.
    let changes: Bool
    /// Whether the user may run its recipe.
    let runs: Bool
    /// Whether the user may answer its questions.
    let answers: Bool

    /// Creates rights.
    package init(changes: Bool, runs: Bool, answers: Bool) {
      (self.changes, self.runs, self.answers) = (changes, runs, answers)
    }
  }

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - run: The run, as the API answers it.
  ///   - graph: The graph of its plan; `nil` if the plan is not known any more.
  ///   - lines: The lines of its log.
  ///   - hasMoreLines: Whether the log is longer.
  ///   - step: The step that the drawer shows: `nil` for the first one that failed, empty for none.
  ///   - rights: The rights of the user.
  package init(
    _ run: Value, graph: PlanGraph?, lines: [Value], hasMoreLines: Bool, step: String?, rights: Rights
  ) {
    self.rights = rights
    (self.run, self.graph, self.lines, self.hasMoreLines) = (run, graph, lines, hasMoreLines)
    chosen = step ?? Self.firstFailure(run)
  }

  private static func firstFailure(_ run: Value) -> String? {
    (run["steps"]?.listValue ?? []).first { $0.text("status") == "failed" }?.text("id")
  }

  package var scripts: [String] { ["live.js", "run.js"] }
  package func title(_ context: PageContext) -> String { run.text("recipe") }

  /// The actions whose changes to messages can be taken back.
  private static let mailActions: Set<String> = ["mail.flag", "mail.move", "mail.archive", "mail.spam", "mail.delete"]

  var id: String { run.text("id") }
  private var steps: [Value] { run["steps"]?.listValue ?? [] }
  var isOver: Bool { ["succeeded", "failed", "cancelled", "skipped"].contains(run.text("status")) }
  private func address(_ step: String) -> String { PageContext.run(id) + "?step=" + PageAddress.escaped(step) }

  package func actions(_ context: PageContext) -> HTML {
    tag(.div, .id("run-actions"), .class("buttons")) {
      if rights.changes {
        if !isOver {
          context.button(
            context.say("Cancel", de: "Abbrechen"), "POST /runs/\(PageAddress.escaped(id))/cancel",
            confirm: context.say("Cancel this run?", de: "Diesen Lauf abbrechen?"), style: "danger")
        }
        if run.text("status") == "interrupted" {
          context.button(
            context.say("Resume", de: "Fortsetzen"), "POST /runs/\(PageAddress.escaped(id))/resume", style: "primary")
        }
        if isOver {
          context.button(
            context.say("Retry", de: "Wiederholen"), "POST /runs/\(PageAddress.escaped(id))/retry",
            then: "go /runs/{id}", style: "primary")
        }
      }
      if isOver, rights.runs {
        context.button(
          context.say("Replay without effects", de: "Nachspielen ohne Wirkung"),
          "POST /runs/\(PageAddress.escaped(id))/replay", then: "go /runs/{id}")
      }
      if isOver, rights.changes, steps.contains(where: { Self.mailActions.contains($0.text("action")) }) {
        tag(
          .a, .class("button"), .href(PageContext.run(id) + "/mail-undo"),
          text: context.say("Take back mail changes …", de: "Änderungen an Mail zurücknehmen …"))
      }
      if context.may(.read, .recipes) {
        tag(
          .a, .class("button quiet"), .href(PageContext.recipe(run.text("recipe"))),
          text: context.say("Recipe", de: "Rezept"))
      }
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    tag(.div, .id("run"), .data("run", id), .data("over", isOver ? "yes" : "no")) {
      tag(.div, .id("run-state"), .aria("live", "polite")) { state(context) }
      tag(.div, .id("run-decisions")) { decisions(context) }
      tag(.div, .class("with-drawer")) {
        tag(.div) {
          tag(.div, .id("run-graph")) { drawing(context) }
          tag(.div, .id("run-steps")) { table(context) }
        }
        tag(.div, .id("run-drawer")) { drawer(context) }
      }
      answer(context)
      log(context)
      tag(.div, .id("run-values")) { values(context) }
    }
  }

  // MARK: - The state

  private func state(_ context: PageContext) -> HTML {
    .group([
      tag(.div, .class("facts")) {
        context.status(of: run)
        fact(context.say("Started", de: "Begonnen"), context.time(run["started_at"]))
        if run["ended_at"]?.stringValue != nil {
          fact(context.say("Duration", de: "Dauer"), .text(context.duration(run["duration_ms"])))
        }
        fact(context.say("Started by", de: "Auslöser"), .text(starter(context)))
        if run.number("retry_count") > 0 {
          fact(context.say("Retries", de: "Wiederholungen"), .text("\(run.number("retry_count"))"))
        }
        if let origin = run["origin"]?.stringValue {
          fact(
            context.say("From run", de: "Aus Lauf"),
            tag(.a, .href(PageContext.run(origin)), text: String(origin.suffix(8))))
        }
        if let parent = run["parent"]?.stringValue {
          fact(
            context.say("Part of run", de: "Teil von Lauf"),
            tag(.a, .href(PageContext.run(parent)), text: String(parent.suffix(8))))
        }
        fact(context.say("Run", de: "Lauf"), tag(.code, text: id))
      },
      context.failure(of: run),
    ])
  }

  /// The trigger, and the user who has started it.
  private func starter(_ context: PageContext) -> String {
    let trigger = context.trigger(run.text("trigger"))
    return run["started_by"]?.stringValue.map { "\(trigger), \($0)" } ?? trigger
  }

  private func fact(_ name: String, _ value: HTML) -> HTML {
    tag(.span, .class("fact")) {
      tag(.span, .class("faint"), text: name + " ")
      value
    }
  }

  private func failure(_ failure: Value?, _ context: PageContext) -> HTML {
    guard let message = context.message(failure) else { return .empty }
    return tag(.div, .class("failure")) {
      tag(.p, text: message)
      if let advice = context.advice(failure) { tag(.p, .class("help"), text: advice) }
    }
  }

  private func decisions(_ context: PageContext) -> HTML {
    let open = (run["waits"]?.listValue ?? []).filter {
      $0.text("kind") == "approval" && $0["answered"]?.boolValue != true
    }
    return .group(
      doubts.map { DoubtCard($0).html(context) }
        + open.enumerated().map {
          DecisionCard($1, number: $0, showsRun: false, isAnswerable: rights.answers).html(context)
        })
  }

  // MARK: - Graph and steps

  private func drawing(_ context: PageContext) -> HTML {
    guard let graph, !graph.nodes.isEmpty else { return .empty }
    let statuses = Dictionary(steps.map { ($0.text("id"), $0.text("status")) }) { first, _ in first }
    return context.section(context.say("Plan", de: "Plan")) {
      tag(.div, .class("scroll canvas")) {
        GraphDrawing(graph, statuses: statuses, context, link: address).html
      }
    }
  }

  private func table(_ context: PageContext) -> HTML {
    context.section(context.say("Steps", de: "Schritte")) {
      context.table(
        context.say("Steps", de: "Schritte"),
        [
          context.say("Step", de: "Schritt"), context.say("Status", de: "Zustand"),
          context.say("Duration", de: "Dauer"),
          context.say("Attempts", de: "Versuche"), context.say("Retries", de: "Wiederholungen"),
          context.say("Providers", de: "Provider"),
        ],
        steps.map { step in
          let units = max(1, step["item_count"]?.intValue.map { Int(clamping: $0) } ?? 1)
          let retries = max(0, step.number("attempt_count") - units)
          let providers = (step["providers"]?.listValue ?? []).compactMap(\.stringValue)
          return [
            tag(.div) {
              tag(
                .a, .class("strong"), .id("row-" + step.text("id")), .href(address(step.text("id"))),
                .data("step", step.text("id")), text: step.text("id"))
              tag(.div, .class("faint"), text: subtitle(step, context))
            },
            context.status(step.text("status")), .text(context.duration(step["duration_ms"])),
            .text("\(step.number("attempt_count"))"), .text(retries == 0 ? "–" : "\(retries)"),
            .text(providers.isEmpty ? "–" : providers.joined(separator: ", ")),
          ]
        })
    }
  }

  private func subtitle(_ step: Value, _ context: PageContext) -> String {
    var words = [step.text("action")]
    switch step.text("phase") {
    case "undo": words.append(context.say("undoes \(step.text("undo_of"))", de: "nimmt \(step.text("undo_of")) zurück"))
    case "on_failure": words.append(context.say("on failure", de: "bei Fehler"))
    case "finally": words.append(context.say("at the end", de: "am Ende"))
    default: break
    }
    if let count = step["item_count"]?.intValue {
      words.append(context.say("\(count) items", de: "\(count) Durchgänge"))
    }
    return words.joined(separator: " · ")
  }

  // MARK: - The drawer

  private func drawer(_ context: PageContext) -> HTML {
    guard let chosen, let step = steps.first(where: { $0.text("id") == chosen }) else { return .empty }
    return tag(.section, .class("drawer"), .aria("labelledby", "drawer-title")) {
      tag(.div, .class("heading")) {
        tag(.h2, .id("drawer-title"), .with(.tabindex, "-1"), text: chosen)
        tag(
          .a, .class("button quiet"), .id("drawer-close"), .href(address("")),
          text: context.say("Close", de: "Schließen"))
      }
      tag(.p, .class("faint"), text: subtitle(step, context))
      tag(.p) {
        context.status(step.text("status"))
        " " + context.duration(step["duration_ms"])
      }
      failure(step["failure"], context)
      if isOver, rights.changes, step.text("phase") == "main" {
        tag(.p) {
          context.button(
            context.say("Retry from this step", de: "Ab diesem Schritt wiederholen"),
            "POST /runs/\(PageAddress.escaped(id))/retry", body: ["from": .string(chosen)], then: "go /runs/{id}")
        }
      }
      attempts(step, context)
      outputs(step, context)
    }
  }

  private func attempts(_ step: Value, _ context: PageContext) -> HTML {
    let attempts = step["attempts"]?.listValue ?? []
    guard !attempts.isEmpty else { return .empty }
    return .group([
      tag(.h3, text: context.say("Attempts", de: "Versuche")),
      tag(.ol, .class("attempts")) {
        for attempt in attempts.prefix(50) {
          tag(.li) {
            tag(.div) {
              context.status(attempt.text("status"))
              if let item = attempt["item"]?.intValue { " [\(item)]" }
              " \(attempt.text("provider")) · \(context.duration(attempt["duration_ms"]))"
            }
            tag(.div, .class("faint")) {
              context.say("Input", de: "Eingabe") + " \(attempt.number("input_bytes")) B"
              if let bytes = attempt["output_bytes"]?.intValue {
                " · " + context.say("output", de: "Ausgabe") + " \(bytes) B"
              }
            }
            if let message = context.message(attempt["failure"]) { tag(.div, .class("reason"), text: message) }
          }
        }
      },
    ])
  }

  private func outputs(_ step: Value, _ context: PageContext) -> HTML {
    let items = step["items"]?.listValue ?? []
    return .group([
      tag(.h3, text: context.say("Output", de: "Ausgabe")),
      items.isEmpty
        ? context.value(step["output"])
        : .group(
          items.prefix(50).map { item in
            tag(.details) {
              tag(.summary, text: context.say("Item", de: "Durchgang") + " \(item.number("item"))")
              context.value(item["output"])
            }
          }),
      step["failure"]?["output"].map { output in
        .group([tag(.h3, text: context.say("Output of the failure", de: "Ausgabe des Fehlers")), context.value(output)])
      } ?? .empty,
    ])
  }
}
