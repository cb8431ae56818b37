import Engine
import Expressions
import Localization
import Recipes

/// Finds out from what is recorded of a run how its messages get back to where and what they were.
struct MailUndoReader {
  /// A message by the name that it had when the run began.
  private struct Place: Hashable {
    var provider: String
    var folder: String
    var uid: String
  }

  private let record: RunRecord
  private let plan: Plan
  private var undo = MailUndo()
  /// Where messages are now that the run has moved.
  private var moved: [Place: Place] = [:]
  /// The flags that messages had.
  private var flags: [Place: [String]] = [:]
  /// The flags that the run has set or removed, by message, in lower case, as they were written.
  private var touched: [Place: [String: String]] = [:]
  private var order: [Place] = []

  init(_ record: RunRecord, _ plan: Plan) {
    self.record = record
    self.plan = plan
  }

  /// Reads the steps in the order in which they ran.
  mutating func read() -> MailUndo {
    let bindings = self.bindings
    for (step, planned) in zip(record.steps, plan.steps) where step.id == planned.id {
      guard let output = step.output, step.status == .succeeded, planned.loop == nil else {
        if step.status == .failed, Self.actions.contains(step.action) {
          leave(
            step, .init("it failed, and may have done a part", de: "er ist gescheitert und tat vielleicht einen Teil"))
        }
        continue
      }
      let provider = step.attempts.last { $0.status == .succeeded }?.kind.provider ?? planned.providers.first ?? ""
      if planned.selection != nil {
        remember(output, provider)
      } else if Self.actions.contains(step.action) {
        guard let input = try? planned.input.evaluate(bindings) else {
          leave(step, .init("what it was given is not known any more", de: "was er bekam, ist nicht mehr bekannt"))
          continue
        }
        take(step, input, output, provider)
      }
    }
    restoreFlags()
    undo.moves.reverse()
    return undo
  }

  /// The actions that change where or what messages are.
  private static let actions = ["mail.flag", "mail.move", "mail.archive", "mail.spam", "mail.delete", "mail.copy"]

  private var bindings: Bindings {
    var steps = ValueMap()
    for step in record.steps {
      steps[step.id] = ["status": .string(step.status.rawValue), "output": step.output ?? .null, "error": .null]
    }
    var bindings = Bindings(
      variables: [
        "inputs": record.inputs, "steps": .map(steps), "event": .null,
        "run": ["id": .string(record.summary.id.rawValue), "started": .timestamp(record.summary.startedAt)],
        "recipe": ["name": .string(plan.name), "path": .string(plan.path)],
      ], now: record.summary.startedAt)
    for (name, value) in plan.keywords { bindings.keywords[name] = try? value.evaluate(bindings) }
    return bindings
  }

  private mutating func leave(_ step: StepRecord, _ reason: LocalizedText) { undo.remains.append((step.id, reason)) }

  /// Notes the flags that messages had when the rules looked at them.
  private mutating func remember(_ output: Value, _ provider: String) {
    let folder = output["folder"]?.stringValue ?? ""
    for decision in output["decisions"]?.listValue ?? [] {
      guard let uid = decision["uid"]?.stringValue, let list = decision["flags"]?.listValue else { continue }
      flags[Place(provider: provider, folder: folder, uid: uid)] = list.compactMap(\.stringValue)
    }
  }

  private mutating func take(_ step: StepRecord, _ input: Value, _ output: Value, _ provider: String) {
    let folder = input["folder"]?.stringValue ?? ""
    // Nothing was done about those that were not there any more.
    let missing = Set(output["missing"]?.listValue?.compactMap(\.stringValue) ?? [])
    let uids = (input["uids"]?.listValue?.compactMap(\.stringValue) ?? []).filter { !missing.contains($0) }
    let places = uids.map { Place(provider: provider, folder: folder, uid: $0) }
    switch step.action {
    case "mail.flag":
      let names = ["add", "remove"].flatMap { input[$0]?.listValue ?? [] }.compactMap(\.stringValue)
      for place in places {
        if touched[place] == nil { order.append(place) }
        for name in names { touched[place, default: [:]][name.lowercased()] = name }
      }
    case "mail.copy":
      leave(step, .init("copies stay where they are", de: "Kopien bleiben, wo sie sind"))
    default:
      let news = output["uids"]?.listValue?.compactMap(\.stringValue) ?? []
      guard let to = input["to"]?.stringValue ?? output["to"]?.stringValue, news.count == places.count else {
        leave(
          step,
          .init(
            "the provider did not say under which names the messages are now",
            de: "der Provider sagte nicht, unter welchen Namen die Nachrichten jetzt liegen"))
        return
      }
      for (place, new) in zip(places, news) { moved[place] = Place(provider: provider, folder: to, uid: new) }
      if !news.isEmpty { undo.moves.append(.init(provider: provider, from: to, to: folder, uids: news)) }
    }
  }

  /// Gives each message the flags back that it had, together with others that change in the same way.
  private mutating func restoreFlags() {
    var isUnknown = false
    for place in order {
      guard let before = flags[place] else {
        isUnknown = true
        continue
      }
      let had = Set(before.map { $0.lowercased() })
      let names = (touched[place] ?? [:]).sorted { $0.key < $1.key }
      let now = moved[place] ?? place
      let marks = MailUndo.Marks(
        provider: now.provider, folder: now.folder, uids: [now.uid],
        add: names.filter { had.contains($0.key) }.map(\.value),
        remove: names.filter { !had.contains($0.key) }.map(\.value))
      if let same = undo.marks.firstIndex(where: { $0.isLike(marks) }) {
        undo.marks[same].uids.append(now.uid)
      } else {
        undo.marks.append(marks)
      }
    }
    if isUnknown {
      undo.remains.append(
        (
          "mail.flag",
          .init("the flags that messages had were not recorded", de: "welche Markierungen da waren, ist nicht notiert")
        ))
    }
  }
}

extension MailUndo.Marks {
  /// Whether other messages change in the same way.
  fileprivate func isLike(_ other: MailUndo.Marks) -> Bool {
    (provider, folder) == (other.provider, other.folder) && (add, remove) == (other.add, other.remove)
  }
}
