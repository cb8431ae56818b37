import Builtins
import Engine
import Expressions
import Localization
import Plans
import RecipeModel

/// Finds out from what is recorded of a run how its messages get back to where and what they were.
///
/// Runs that have undone it already, and undone that in turn, are read after it: what is back needs nothing more.
struct MailUndoReader {
  /// A message by the name that it had when the run began.
  private struct Place: Hashable {
    var provider: String
    var folder: String
    var uid: String
  }

  private var record: RunRecord
  private var plan: Plan
  private let event: Value
  private var undo = MailUndo()
  /// Where messages are now that the run has moved, by where they were when it began; and the other way round.
  private var moved: [Place: Place] = [:]
  private var origins: [Place: Place] = [:]
  /// The messages that were moved, in the order of their last moves.
  private var movedOrder: [Place] = []
  /// The flags that messages had.
  private var flags: [Place: [String]] = [:]
  /// The keys of messages, see ``MessageJourney/key(of:)``.
  private var keys: [Place: String] = [:]
  /// Messages whose flags this run and no earlier one tells: what an undo changed had been changed.
  private var isUndo = false
  /// The flags that the run has set or removed, by message, in lower case, as they were written, whether they were set in
  /// the end, and whether by the first change.
  private var touched: [Place: [String: (name: String, isSet: Bool, wasSet: Bool)]] = [:]
  private var order: [Place] = []

  /// - Parameter event: The event that started the run; null without one.
  init(_ record: RunRecord, _ plan: Plan, event: Value) {
    self.record = record
    self.plan = plan
    self.event = event
    undo.recipe = plan.name
    undo.version = plan.sourceVersion
    if let provider = event["provider"]?.stringValue, let folder = event["folder"]?.stringValue,
      let uid = event["uid"]?.stringValue, let message = event["message"]
    {
      let key = MessageJourney.key(of: message, uid: uid, in: folder, of: provider)
      keys[Place(provider: provider, folder: folder, uid: uid)] = key
    }
  }

  /// Reads the steps in the order in which they ran.
  ///
  /// - Parameter undone: The runs that have undone this one, and those that have undone these, oldest first.
  mutating func read(undone: [(record: RunRecord, plan: Plan)] = []) -> MailUndo {
    isUndo = plan.origin == .undo
    readSteps()
    let remains = undo.remains
    for run in undone {
      (record, plan) = run
      readSteps()
    }
    undo.remains = remains
    undo.earlier = undone.map(\.record.summary.id)
    for place in movedOrder {
      guard let now = moved[place], now.folder != place.folder else { continue }
      let move = MailUndo.Move(
        provider: now.provider, from: now.folder, to: place.folder, uids: [now.uid],
        keys: keys[place].map { [$0] } ?? [])
      if let same = undo.moves.firstIndex(where: { $0.isLike(move) }) {
        undo.moves[same].uids.append(now.uid)
        undo.moves[same].keys += move.keys
      } else {
        undo.moves.append(move)
      }
    }
    restoreFlags()
    undo.moves.reverse()
    return undo
  }

  private mutating func readSteps() {
    let bindings = self.bindings
    for (step, planned) in zip(record.steps, plan.steps) where step.id == planned.id {
      if planned.loop != nil {
        readItems(of: step, planned, bindings)
      } else if step.status == .succeeded, let output = step.output {
        read(step, planned, output, bindings)
      } else if step.status == .failed, Self.actions.contains(step.action) {
        leave(
          step, .init("it failed, and may have done a part", de: "er ist gescheitert und tat vielleicht einen Teil"))
      }
    }
  }

  /// Reads what a step has done that goes through a list.
  private mutating func readItems(of step: StepRecord, _ planned: PlanStep, _ bindings: Bindings) {
    let succeeded = step.itemsSucceeded ?? step.items.count
    guard Self.actions.contains(step.action), let loop = planned.loop else {
      if succeeded > 0 { leaveSent(step, count: succeeded) }
      return
    }
    if let failed = step.itemsFailed, failed > 0 {
      leave(
        step,
        .init(
          "\(failed) of its items failed, and may have done a part",
          de: "\(failed) seiner Elemente sind gescheitert und taten vielleicht einen Teil"))
    }
    let items = (try? loop.items.evaluate(bindings))?.listValue ?? []
    for item in step.items {
      guard items.indices.contains(item.index) else {
        return leave(step, .init("what it was given is not known any more", de: "was er bekam, ist nicht mehr bekannt"))
      }
      var own = bindings
      own.variables[loop.variable] = items[item.index]
      own.variables["index"] = .int(Int64(item.index))
      read(step, planned, item.output, own)
    }
  }

  /// Reads what a step, or an item of one, has done.
  private mutating func read(_ step: StepRecord, _ planned: PlanStep, _ output: Value, _ bindings: Bindings) {
    let provider = step.attempts.last { $0.status == .succeeded }?.kind.provider ?? planned.providers.first ?? ""
    if planned.selection != nil { return remember(output, provider) }
    guard Self.actions.contains(step.action) else { return leaveSent(step, count: 1) }
    guard let input = try? planned.input.evaluate(bindings) else {
      return leave(step, .init("what it was given is not known any more", de: "was er bekam, ist nicht mehr bekannt"))
    }
    take(step, input, output, provider)
  }

  /// The actions that change where or what messages are.
  private static let actions: Set<String> = [
    "mail.flag", "mail.move", "mail.archive", "mail.spam", "mail.delete", "mail.copy",
  ]

  /// Names what cannot be undone: what has gone out, files, other recipes.
  private mutating func leaveSent(_ step: StepRecord, count: Int) {
    let times = count == 1 ? "" : " (\(count))"
    switch step.action {
    case "mail.send":
      leave(step, .init("what was sent stays sent\(times)", de: "was gesendet ist, bleibt gesendet\(times)"))
    case "notify.send", "notify.command":
      leave(step, .init("notifications were shown\(times)", de: "Benachrichtigungen sind gezeigt\(times)"))
    case "http.request":
      leave(step, .init("requests were made\(times)", de: "Anfragen sind gestellt\(times)"))
    case "file.save":
      leave(step, .init("files stay where they are\(times)", de: "Dateien bleiben, wo sie sind\(times)"))
    case ActionSignature.recipe.name:
      leave(
        step,
        .init(
          "other recipes ran\(times), with effects of their own",
          de: "andere Rezepte liefen\(times), mit eigener Wirkung"))
    case ActionSignature.block.name:
      leave(
        step,
        .init(
          "the steps of the block ran\(times); what they did stays: 'sous show \(record.summary.id)' lists its runs",
          de:
            "die Schritte des Blocks liefen\(times); was sie taten, bleibt: 'sous show \(record.summary.id)' nennt seine Läufe"
        ))
    case "mail.append":
      leave(step, .init("stored messages stay\(times)", de: "abgelegte Nachrichten bleiben\(times)"))
    default: break
    }
  }

  private var bindings: Bindings {
    var steps = ValueMap()
    for step in record.steps {
      steps[step.id] = ["status": .string(step.status.rawValue), "output": step.output ?? .null, "error": .null]
    }
    var bindings = Bindings(
      variables: [
        "inputs": record.inputs, "steps": .map(steps), "event": event,
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
      guard let uid = decision["uid"]?.stringValue else { continue }
      let place = Place(provider: provider, folder: decision["folder"]?.stringValue ?? folder, uid: uid)
      if let key = decision["key"]?.stringValue { keys[place] = key }
      guard let list = decision["flags"]?.listValue else { continue }
      flags[place] = list.compactMap(\.stringValue)
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
      for (key, isSet) in [("add", true), ("remove", false)] {
        for name in (input[key]?.listValue ?? []).compactMap(\.stringValue) {
          for place in places { touch(origins[place] ?? place, name, isSet) }
        }
      }
    case "mail.copy":
      leave(step, .init("copies stay where they are", de: "Kopien bleiben, wo sie sind"))
    default:
      let isGone = step.action == "mail.delete" && output["to"] == nil
      if isGone {
        return leave(step, .init("what was deleted for good is gone", de: "was endgültig gelöscht ist, ist weg"))
      }
      let news = output["uids"]?.listValue?.compactMap(\.stringValue) ?? []
      guard let to = input["to"]?.stringValue ?? output["to"]?.stringValue, news.count == places.count else {
        return leave(
          step,
          .init(
            "the provider did not say under which names the messages are now",
            de: "der Provider sagte nicht, unter welchen Namen die Nachrichten jetzt liegen"))
      }
      for (place, new) in zip(places, news) { move(place, to: Place(provider: provider, folder: to, uid: new)) }
    }
  }

  private mutating func touch(_ place: Place, _ name: String, _ isSet: Bool) {
    if touched[place] == nil { order.append(place) }
    let first = touched[place]?[name.lowercased()]?.wasSet ?? isSet
    touched[place, default: [:]][name.lowercased()] = (name, isSet, first)
  }

  /// Notes a move, which may be the second of a message.
  private mutating func move(_ place: Place, to new: Place) {
    let origin = origins.removeValue(forKey: place) ?? place
    if moved[origin] == nil { movedOrder.append(origin) }
    moved[origin] = new
    origins[new] = origin
  }

  /// Gives each message the flags back that it had, together with others that change in the same way.
  private mutating func restoreFlags() {
    var isUnknown = false
    for place in order {
      let names = (touched[place] ?? [:]).sorted { $0.key < $1.key }
      let add: [String]
      let remove: [String]
      if let before = flags[place] {
        // What it had and was given again is not taken off it when this is undone in turn.
        let had = Set(before.map { $0.lowercased() })
        add = names.filter { had.contains($0.key) && !$0.value.isSet }.map(\.value.name)
        remove = names.filter { !had.contains($0.key) && $0.value.isSet }.map(\.value.name)
      } else if isUndo {
        // It changed only what had been changed; what was changed back since is as it was.
        let changed = names.filter { $0.value.isSet == $0.value.wasSet }
        add = changed.filter { !$0.value.isSet }.map(\.value.name)
        remove = changed.filter(\.value.isSet).map(\.value.name)
      } else {
        isUnknown = true
        continue
      }
      guard !add.isEmpty || !remove.isEmpty else { continue }
      let now = moved[place] ?? place
      let marks = MailUndo.Marks(provider: now.provider, folder: now.folder, uids: [now.uid], add: add, remove: remove)
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

extension MailUndo.Move {
  /// Whether other messages go the same way.
  fileprivate func isLike(_ other: MailUndo.Move) -> Bool {
    (provider, from, to) == (other.provider, other.from, other.to)
  }
}

extension MailUndo.Marks {
  /// Whether other messages change in the same way.
  fileprivate func isLike(_ other: MailUndo.Marks) -> Bool {
    (provider, folder) == (other.provider, other.folder) && (add, remove) == (other.add, other.remove)
  }
}
