import Expressions
import Foundation
import Localization
import Plans
import RecipeSyntax
import Schedules

/// Reads a recipe of kind `send`: a message that is sent at a time.
///
/// It lowers to steps that wait before the one that sends: `due` says when, `wait` waits, `turn` takes rate and quiet hours
/// into account, `confirm` asks where it is late, `slot` waits for the turn. As nobody may have worked at the time of the
/// turn, `check` looks once more, `ask` asks and `delay` waits for the end of quiet hours.
struct SendReader {
  /// The pauses between tries: 30 s, 60 s and so on up to ten minutes, three tries; those that reach no server do not count
  /// for a day.
  static let retry = RetrySettings(attempts: 3, backoff: 30, factor: 2, maximum: 600, jitter: 0, outage: 86_400)

  let reader: FieldReader

  func read(_ map: Node.Mapping, _ recipe: inout Recipe) {
    var dispatch = Plan.Dispatch()
    let at = map["send_at"].flatMap { time($0, &dispatch) }
    dispatch.undoFor = map["undo_for"].flatMap { reader.duration($0, "undo_for", allowsZero: true) }
    recipe.dispatch = dispatch
    guard let entry = map.entry("mail") else { return }
    var send = Recipe.Step(id: Located("send", at: entry.nameRange), range: entry.value.range)
    if entry.value.isWholeExpression {
      send.wholeInput = entry.value
    } else {
      guard MessageReader(reader: reader).read(entry.value, into: &send) else { return }
    }
    send.uses = Located("mail.send", at: entry.nameRange)
    send.retry = recipe.retry.laid(over: Self.retry)
    recipe.retry = RetrySettings()
    recipe.steps = waits(at, dispatch, entry) + [send]
  }

  private func waits(_ at: MadeValue?, _ dispatch: Plan.Dispatch, _ entry: Node.Mapping.Entry) -> [Recipe.Step] {
    func text(_ text: String) -> PlacedText { PlacedText(text: text, node: entry.value, document: reader.document) }
    func made(_ source: String) -> MadeValue { .text(text("{{ \(source) }}")) }
    func step(_ id: String, _ action: String, _ input: [(name: String, value: MadeValue)]) -> Recipe.Step {
      var step = Recipe.Step(id: Located(id, at: entry.nameRange), range: entry.value.range)
      step.uses = Located(action, at: entry.nameRange)
      step.made = input
      return step
    }
    let undo = dispatch.undoFor.map { [("undo_for", MadeValue.literal(.double($0)))] } ?? []
    func question(_ id: String, of turn: String) -> Recipe.Step {
      var step = step(id, ActionSignature.approve.name, [("message", made("steps.\(turn).output.question"))])
      step.madeCondition = text("steps.\(turn).output.question != ''")
      return step
    }
    return [
      step("due", ActionSignature.outboxDue.name, (at.map { [("at", $0)] } ?? []) + undo),
      step("wait", ActionSignature.until.name, [("time", made("steps.due.output.time"))]),
      step(
        "turn", ActionSignature.outboxTurn.name,
        [
          ("time", made("steps.due.output.time")), ("urgent", made("steps.due.output.urgent")),
          // The planner knows who sends.
          ("account", .literal("")),
        ]), question("confirm", of: "turn"),
      step("slot", ActionSignature.until.name, [("time", made("steps.turn.output.time"))]),
      step(
        "check", ActionSignature.outboxTurn.name,
        [
          ("time", made("steps.turn.output.time")),
          // Whoever was asked is not asked again.
          ("urgent", made("steps.due.output.urgent || steps.turn.output.question != ''")),
          ("account", .literal("")), ("has_slot", .literal(.bool(true))),
        ]), question("ask", of: "check"),
      step("delay", ActionSignature.until.name, [("time", made("steps.check.output.time"))]),
    ]
  }

  /// Reads `send_at`: a date with its zone or offset, words that count from when the recipe is run, or an expression.
  private func time(_ node: Node, _ dispatch: inout Plan.Dispatch) -> MadeValue? {
    guard let text = reader.string(node, "send_at") else { return nil }
    if text.contains("{{") { return .node(node) }
    let isDate = text.utf8.count >= 5 && text.utf8.prefix(4).allSatisfy { (0x30...0x39).contains($0) }
    guard isDate else {
      dispatch.phrase = text
      // Whether words are understood does not depend on the day; which day they mean does.
      let day = Timestamp(seconds: 1_800_000_000)
      do throws(ScheduleError) {
        _ = try SendMoment(text, now: day)
      } catch {
        if error.code != .ambiguous, error.code != .invalidTime {
          reader.report(.invalidValue, LocalizedText(verbatim: "'send_at': ") + error.text, at: node.range)
        }
      }
      return .literal(.string(text))
    }
    guard let time = SendTime(node, reader) else { return nil }
    (dispatch.time, dispatch.timezone) = (time.time, time.zone)
    return .literal(.string(time.time.rfc3339))
  }
}

extension Node {
  /// Whether it is one single expression and nothing else.
  fileprivate var isWholeExpression: Bool {
    string.map { $0.hasPrefix("{{") && $0.hasSuffix("}}") } ?? false
  }
}
