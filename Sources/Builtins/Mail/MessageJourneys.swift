import Engine
import Expressions
import Localization
import Plans

/// Applies the journeys of messages to the decisions of a filter.
struct MessageJourneys {
  private let call: BuiltinCall
  private let provider: String
  private let rules: [MessageSelection.Rule]
  private let version: String
  /// The event that started the run, of a message or a schedule; null if a person started it.
  private let event: Value

  init(_ call: BuiltinCall, _ sorting: MessageSorting) {
    self.call = call
    event = sorting.bindings.variables["event"] ?? .null
    provider = sorting.provider ?? ""
    rules = sorting.selection.rules
    version = sorting.selection.version
  }

  /// The path of a message from a folder on, by the moves of filters.
  ///
  /// - Parameter uid: The uid that it had in the folder.
  func way(
    of key: String, uid: String, from folder: String
  ) async throws -> [MessageJourney.Move] {
    guard call.surroundings.state != nil else { return [] }
    let (provider, now) = (self.provider, call.surroundings.time.now)
    return try await call.sentMessages { state in
      try MessageJourney.way(of: key, uid: uid, from: folder, of: provider, at: now, in: state)
    }
  }

  /// The messages for which earlier runs of this filter could not do all, as far as this run tries them again.
  func owed(in folder: String) async throws -> [OwedMessage] {
    guard call.surroundings.state != nil else { return [] }
    let place = OwedMessage.place(call.request.recipe, provider, folder)
    let now = call.surroundings.time.now
    let messages = try await call.sentMessages { state in
      try OwedMessage.read(place, at: now, in: state)
    }
    return event["type"] == "mail" ? Array(messages.prefix(OwedMessage.mostOfEvent)) : messages
  }

  /// Replaces the decisions about messages that were put back into the folder or that filters move in a circle: these stay
  /// in their folder. A run that a person has started judges them like all others.
  func adjusted(
    _ decisions: [(MessageJudge.Decision, Value)], in folder: String
  ) async throws -> [(MessageJudge.Decision, Value)] {
    var keys: [Int: String] = [:]
    for (position, (decision, message)) in decisions.enumerated() {
      guard case .acted = decision else { continue }
      keys[position] = MessageJourney.key(of: message, uid: Self.uid(message), in: folder, of: provider)
    }
    guard !event.isNull, !keys.isEmpty, call.surroundings.state != nil else { return decisions }
    let (asked, now) = (Set(keys.values), call.surroundings.time.now)
    let journeys = try await call.sentMessages { state in
      var journeys: [String: MessageJourney] = [:]
      for key in asked { journeys[key] = try MessageJourney.read(key, at: now, in: state) }
      return journeys
    }
    return decisions.enumerated().map { position, entry in
      guard let journey = keys[position].flatMap({ journeys[$0] }), !journey.moves.isEmpty else { return entry }
      return (adjusted(entry.0, uid: Self.uid(entry.1), by: journey, in: folder, at: now), entry.1)
    }
  }

  private static func uid(_ message: Value) -> String { message["uid"]?.stringValue ?? "" }

  private func adjusted(
    _ decision: MessageJudge.Decision, uid: String, by journey: MessageJourney, in folder: String, at now: Timestamp
  ) -> MessageJudge.Decision {
    guard case .acted(let acting, _) = decision else { return decision }
    let recipe = call.request.recipe
    if let run = journey.putBack(
      into: folder, of: provider, for: recipe, version: version, isEvent: event["type"] == "mail")
    {
      return .skipped(
        reason: LocalizedText(
          "run \(run) has put it back into \(folder); this filter judges it again after a change of the recipe",
          de: "Lauf \(run) hat sie nach \(folder) zurückgelegt; dieser Filter prüft sie wieder, sobald sich das Rezept "
            + "ändert"))
    }
    guard let rule = acting.first(where: { rules[$0].takes }),
      let circle = journey.circle(of: uid, from: folder, of: provider, by: recipe, version: version, at: now)
    else { return decision }
    return .circling(rule: rule, recipes: circle.recipes, count: circle.count)
  }
}
