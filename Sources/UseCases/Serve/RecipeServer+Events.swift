import Builtins
import Engine
import Expressions
import Localization
import Recipes
import RunStore

extension RecipeServer {
  /// Begins the run of an event, unless it has begun already: event and run are one transaction.
  ///
  /// Of the filters of one folder, those that have their turn before this one begin first, whichever trigger reports the
  /// message first.
  ///
  /// - Throws: `CancellationError` where the recipe is switched off or gone: the event stays where it is.
  func fire(_ id: String, _ event: Value, _ trigger: ServedTrigger) async throws -> EventOutcome {
    let now = time.now
    let earlier = filtersBefore(trigger)
    for (position, other) in earlier.enumerated() {
      do {
        _ = try await begin(id, event, other, at: now.adding(seconds: Double(position) / 1000))
      } catch is CancellationError {
        // It is switched off: the event waits for it.
      }
    }
    // The queue goes by the names of runs, which begin with a time of milliseconds.
    return try await begin(id, event, trigger, at: now.adding(seconds: Double(earlier.count) / 1000))
  }

  private func begin(
    _ id: String, _ event: Value, _ trigger: ServedTrigger, at now: Timestamp
  ) async throws -> EventOutcome {
    guard let recipe = recipe(trigger.path), let written = recipe.trigger(trigger.subscription),
      try await !store.disabledRecipes().contains(trigger.path)
    else { throw CancellationError() }
    if let run = try putBack(event, recipe.plan) {
      guard try await store.fire(event: id, of: trigger.subscription, nil) else { return .known }
      tell(.putBack(recipe: recipe.plan.name, run: run))
      return .leftOut
    }
    var begun: RunStart?
    do throws(EngineError) {
      if let inputs = try recipe.plan.inputs(of: written, event: event, at: now) {
        let request = RunRequest(
          id: RunID(at: now, of: "\(trigger.subscription)\n\(id)"), inputs: inputs, trigger: trigger.word,
          event: event)
        begun = try session.start(of: recipe.plan, request)
      }
    } catch {
      // It would fail the same way again and hold up all that come after it.
      tell(.problem(path: trigger.path, error.message))
      _ = try await store.fire(event: id, of: trigger.subscription, nil)
      return .unusable(error.message)
    }
    guard let start = begun else {
      return try await store.fire(event: id, of: trigger.subscription, nil) ? .leftOut : .known
    }
    guard try await store.fire(event: id, of: trigger.subscription, start) else { return .known }
    tell(.triggered(start.run, recipe: recipe.plan.name, by: trigger.word))
    return .began(start.run)
  }

  /// The triggers of the other filters that listen to the same folder and have their turn before a filter.
  private func filtersBefore(_ trigger: ServedTrigger) -> [ServedTrigger] {
    guard let own = turn(of: trigger) else { return [] }
    return watchers.keys.filter { $0.path != trigger.path && $0.source == trigger.source }
      .compactMap { other in turn(of: other).map { (other, $0) } }
      .filter { $0.1 < own }.sorted { $0.1 < $1.1 }.map(\.0)
  }

  /// When a filter has its turn in its folder; `nil` for recipes of other kinds.
  private func turn(of trigger: ServedTrigger) -> FilterTurn? {
    recipe(trigger.path).flatMap { FilterTurn($0.plan, path: $0.path) }
  }

  /// The run that has put the message of an event back, if the recipe is not to judge it anew.
  private func putBack(_ event: Value, _ plan: Plan) throws -> String? {
    guard event["type"]?.stringValue == "mail", let folder = event["folder"]?.stringValue,
      let provider = event["provider"]?.stringValue, let key = event["message"].flatMap(MessageJourney.key(of:))
    else { return nil }
    let version = plan.source.map { Fingerprint.version(of: Array($0.utf8)) } ?? ""
    return try MessageJourney.read(key, at: time.now, in: ProviderRecipeState(store) { _ in true })
      .putBack(into: folder, of: provider, for: plan.name, version: version, isEvent: true)
  }

  /// Forgets moves of messages that are too old to matter.
  func forgetJourneys() async throws {
    let oldest = MessageJourney.month(of: time.now.adding(seconds: -MessageJourney.memory))
    let prefix = "recipe:" + MessageJourney.spaces
    try await store.forgetState(from: prefix, before: prefix + oldest)
  }
}
