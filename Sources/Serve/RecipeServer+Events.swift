import Builtins
import Engine
import Expressions
import Localization
import Plans
import Providers
import RunStore
import Schemas
import UseCases

extension RecipeServer {
  /// Begins the run of an event, unless it has begun already: event and run are one transaction.
  ///
  /// If several filters sort the folder, that transaction begins the runs of all of them, in the order of their turns. Otherwise
  /// the first filter could move the message before the triggers of the others find it.
  ///
  /// - Throws: `CancellationError` if the recipe is switched off or gone: the event stays pending.
  func fire(_ id: String, _ event: Value, _ trigger: ServedTrigger) async throws -> EventOutcome {
    let now = time.now
    var arrivals: [Arrival] = []
    for (position, other) in filters(beside: trigger).enumerated() {
      do {
        // The queue orders runs by their IDs, which begin with a time in milliseconds.
        arrivals.append(try await arrival(id, event, other, at: now.adding(seconds: Double(position) / 1000)))
      } catch is CancellationError {
        // Another filter that is switched off does not hold up this one.
        if other == trigger { throw CancellationError() }
      }
    }
    let isNew = try await store.fire(event: id, arrivals.map { ($0.trigger.subscription, $0.start) })
    var outcome = EventOutcome.known
    for (arrival, isNew) in zip(arrivals, isNew) where isNew {
      report(arrival)
      if arrival.trigger == trigger { outcome = arrival.outcome }
    }
    return outcome
  }

  /// The consequence of an event for the recipe of a trigger.
  private struct Arrival {
    /// Whether a run begins, or why none does.
    enum Meaning {
      case begins(RunStart)
      case leftOut
      case putBack(run: String)
      /// The recipe has started itself too often.
      case circling(LocalizedText)
      case unusable(LocalizedText)
    }

    let trigger: ServedTrigger
    /// The recipe's name.
    let recipe: String
    let meaning: Meaning

    var start: RunStart? { if case .begins(let start) = meaning { start } else { nil } }

    var outcome: EventOutcome {
      switch meaning {
      case .begins(let start): .began(start.run)
      case .leftOut, .putBack, .circling: .leftOut
      case .unusable(let text): .unusable(text)
      }
    }
  }

  private func arrival(
    _ id: String, _ event: Value, _ trigger: ServedTrigger, at now: Timestamp
  ) async throws -> Arrival {
    guard let recipe = recipe(trigger.path), let written = recipe.trigger(trigger.subscription),
      try await !store.disabledRecipes().contains(trigger.path)
    else { throw CancellationError() }
    let name = recipe.plan.name
    if let run = try putBack(event, recipe.plan) {
      return Arrival(trigger: trigger, recipe: name, meaning: .putBack(run: run))
    }
    if case .recipe = trigger.source, event["chain"]?.listValue?.contains(.string(name)) == true {
      // The recipe itself has led to this run: another start would begin a circle.
      return Arrival(trigger: trigger, recipe: name, meaning: .leftOut)
    }
    let line = try await self.line(of: event)
    if let circle = circle(line, recipe.plan, event) {
      return Arrival(trigger: trigger, recipe: name, meaning: .circling(circle))
    }
    do throws(EngineError) {
      guard let inputs = try recipe.plan.inputs(of: written, event: event, at: now) else {
        return Arrival(trigger: trigger, recipe: name, meaning: .leftOut)
      }
      var request = RunRequest(
        id: RunID(at: now, of: "\(trigger.subscription)\n\(id)"), inputs: inputs, trigger: trigger.word,
        event: event)
      if case .webhook = trigger.source {
        request.traceParent = event["headers"]?["traceparent"]?.stringValue.flatMap { TraceParent(field: $0) }
      }
      let start = try session.start(of: recipe.plan, request)
      if !line.isEmpty { try? StoredMessages(store, at: now).keep(line, before: start.run) }
      return Arrival(trigger: trigger, recipe: name, meaning: .begins(start))
    } catch {
      // The event would fail the same way again and hold up all later ones.
      return Arrival(trigger: trigger, recipe: name, meaning: .unusable(error.message))
    }
  }

  private func report(_ arrival: Arrival) {
    switch arrival.meaning {
    case .begins(let start): tell(.triggered(start.run, recipe: arrival.recipe, by: arrival.trigger.word))
    case .putBack(let run): tell(.putBack(recipe: arrival.recipe, run: run))
    case .circling(let text):
      tell(.problem(path: arrival.trigger.path, text))
      notify(of: text, arrival)
    case .unusable(let text): tell(.problem(path: arrival.trigger.path, text))
    case .leftOut: break
    }
  }

  /// Puts into the inbox that a recipe starts itself, once a day.
  private func notify(of text: LocalizedText, _ arrival: Arrival) {
    let day = String(time.now.rfc3339.prefix(10))
    let language = Language.preferred(environment: session.project.workspace.surroundings.environment)
    var notification = NotificationRecord(
      call: "circle.\(arrival.trigger.subscription).\(day)", recipe: arrival.recipe, run: "",
      text: text.string(in: language),
      at: time.now)
    notification.priority = .high
    notification.tags = ["sous"]
    let (store, posted) = (store, notification)
    // Nothing waits for it: the log line has been written.
    Task { _ = try? await store.post(posted) }
  }

  /// The recipes that led to the message of an event; empty if no run has put it into its folder.
  private func line(of event: Value) async throws -> [String] {
    guard event["type"]?.stringValue == "mail", let folder = event["folder"]?.stringValue,
      let provider = event["provider"]?.stringValue, let uid = event["uid"]?.stringValue
    else { return [] }
    let place = MailFolder(provider: provider, name: folder)
    await session.providers.storings.settle(place, time)
    return try StoredMessages(store, at: time.now).line(of: uid, in: place)
  }

  /// Why a message starts a recipe no more that has led to it. Filters count the moves of a message themselves.
  private func circle(_ line: [String], _ plan: Plan, _ event: Value) -> LocalizedText? {
    guard plan.concurrency?.order == nil, line.count(where: { $0 == plan.name }) >= StoredMessages.mostRounds else {
      return nil
    }
    let folder = event["folder"]?.stringValue ?? ""
    let others = Set(line).subtracting([plan.name]).sorted()
    let with = others.isEmpty ? "" : " (\(others.joined(separator: ", ")))"
    return LocalizedText(
      "the recipe starts itself\(with) by messages that it puts into \(folder); after \(StoredMessages.mostRounds) rounds "
        + "no run begins: put them into another folder, or leave them out with 'filter'",
      de: "das Rezept startet sich selbst\(with) durch Nachrichten, die es in \(folder) legt; nach "
        + "\(StoredMessages.mostRounds) Runden beginnt kein Lauf: sie gehören in einen anderen Ordner, oder 'filter' "
        + "lässt sie aus")
  }

  /// A trigger and the triggers of other filters of the same folder, in the order of their turns.
  private func filters(beside trigger: ServedTrigger) -> [ServedTrigger] {
    guard let own = turn(of: trigger) else { return [trigger] }
    let others = watchers.keys.filter { $0.path != trigger.path && $0.source == trigger.source }
      .compactMap { other in turn(of: other).map { (trigger: other, turn: $0) } }
    return (others + [(trigger, own)]).sorted { $0.turn < $1.turn }.map(\.trigger)
  }

  /// The turn of the filter of a trigger; `nil` for recipes of other kinds.
  private func turn(of trigger: ServedTrigger) -> FilterTurn? {
    recipe(trigger.path).flatMap { FilterTurn($0.plan, path: $0.path) }
  }

  /// The ID of the run that has put the message of an event back, if the recipe must therefore ignore the message.
  private func putBack(_ event: Value, _ plan: Plan) throws -> String? {
    guard event["type"]?.stringValue == "mail", let folder = event["folder"]?.stringValue,
      let provider = event["provider"]?.stringValue, let message = event["message"]
    else { return nil }
    let key = MessageJourney.key(of: message, uid: event["uid"]?.stringValue ?? "", in: folder, of: provider)
    return try MessageJourney.read(key, at: time.now, in: ProviderRecipeState(store) { _ in true })
      .putBack(into: folder, of: provider, for: plan.name, version: plan.sourceVersion, isEvent: true)
  }

  /// Deletes journeys of messages that are older than ``MessageJourney/memory``.
  func forgetJourneys() async throws {
    let oldest = MessageJourney.month(of: time.now.adding(seconds: -MessageJourney.memory))
    let prefix = "recipe:" + MessageJourney.spaces
    try await store.forgetState(from: prefix, before: prefix + oldest)
    try await StoredMessages.forget(in: store, at: time.now)
  }
}
