/// One sort of event that a plugin can watch for: new mail, a change of a price.
///
/// ```swift
/// Trigger(
///   "weather.warning", summary: "A warning for a place", settings: Place.self, event: Warning.self
/// ) { plugin, place, cursor, emitter in
///   var last = cursor ?? ""
///   while true {
///     for warning in try await plugin.warnings(for: place, after: last, emitter.context.http) {
///       try await emitter.emit(warning, id: warning.id, cursor: warning.id)
///       last = warning.id
///     }
///     try await emitter.context.clock.sleep(for: .seconds(60))
///   }
/// }
/// ```
public struct Trigger<Owner: Plugin, Settings: Decodable & Sendable, Event: Encodable & Sendable>: Sendable {
  /// Watches: works with the plugin, the settings, the cursor of the last event that was accepted, and where to emit.
  public typealias Body = @Sendable (Owner, Settings, String?, EventEmitter<Event>) async throws -> Void

  let name: String
  let summary: String
  let summaryGerman: String?
  let settingsSchema: JSONSchema?
  let eventSchema: JSONSchema?
  let announcesWatching: Bool
  let isBlocking: Bool
  let body: Body

  /// Declares a trigger.
  ///
  /// - Parameters:
  ///   - name: `CONTRACT.TRIGGER` for one of a published contract, `PLUGIN.TRIGGER` for one of this plugin's own.
  ///   - summary: The event, in one English sentence.
  ///   - summaryGerman: The summary in German.
  ///   - settings: The type of what a recipe sets.
  ///   - event: The type of the events; it encodes to a JSON object.
  ///   - settingsSchema: The shape of the settings; `nil` if the contract defines it, or the type says it.
  ///   - eventSchema: The shape of the events; `nil` if the contract defines it, or the type says it.
  ///   - announcesWatching: Whether the body calls ``EventEmitter/announceWatching()`` each time it begins to watch, at the
  ///     latest after its first look. The daemon then does not report that it is ready before. `false`: the trigger
  ///     watches from its first moment.
  ///   - isBlocking: Whether the body blocks its thread, as for ``Action``.
  ///   - body: Watches and emits until its task is cancelled. An error it throws ends the subscription; the host begins
  ///     it again with the cursor of the last event that was accepted, later and later.
  public init(
    _ name: String, summary: String, summaryGerman: String? = nil, settings: Settings.Type = Settings.self,
    event: Event.Type = Event.self, settingsSchema: JSONSchema? = nil, eventSchema: JSONSchema? = nil,
    announcesWatching: Bool = false, blocking isBlocking: Bool = false,
    body: @escaping Body
  ) {
    self.name = name
    self.summary = summary
    self.summaryGerman = summaryGerman
    self.settingsSchema = settingsSchema
    self.eventSchema = eventSchema
    self.announcesWatching = announcesWatching
    self.isBlocking = isBlocking
    self.body = body
  }
}

/// Takes the events of a trigger.
public struct EventEmitter<Event: Encodable & Sendable>: Sendable {
  /// The subscription as a call: its log, clock, network.
  public let context: ActionContext

  /// Hands over one event, and returns when it and its cursor are on disk.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - id: Names the event towards this trigger: one with an id that was accepted before is dropped.
  ///   - cursor: Where to go on after this event, any text up to 64 KiB.
  /// - Throws: `cancelled` once the subscription is to end, `invalid_input` if the event is too large, `io` if the
  ///   host cannot keep it; the error may be let through.
  public func emit(_ event: Event, id: String, cursor: String) async throws(ActionError) {
    let json: [UInt8]
    do {
      json = try JSONCoding.encode(event)
    } catch {
      let failure = DecodingFailure(error)
      throw ActionError(
        .protocol, "The event cannot be encoded: \(failure.english)",
        german: "Das Ereignis lässt sich nicht kodieren: \(failure.german)")
    }
    let call = context.call
    do {
      try await context.plugin.services.run { services throws(HostRefusal) in
        try services.emitEvent(call: call, id: id, event: json, cursor: cursor)
      }
    } catch {
      throw error == .refused ? .cancelled : ActionError(error, "sous.event/1", id)
    }
  }

  /// Reports that the trigger watches: each event from now on is handed over, also after a restart.
  ///
  /// Call it when the first look has been made and what was seen is kept. A host that does not know this report ignores it.
  ///
  /// - Throws: `cancelled` once the subscription is to end.
  public func announceWatching() async throws(ActionError) {
    let call = context.call
    do {
      try await context.plugin.services.run { services throws(HostRefusal) in
        try services.emitEvent(call: call, id: "", event: [], cursor: "")
      }
    } catch {
      if error == .refused { throw .cancelled }
    }
  }
}

/// A trigger that has forgotten its types.
struct TriggerEntry<Owner: Plugin>: Sendable {
  let name: String
  let manifest: @Sendable (_ id: String) -> String
  let isBlocking: Bool
  let run: @Sendable (Owner, [UInt8], ActionContext) async throws(ActionError) -> [UInt8]

  init<Settings, Event>(_ trigger: Trigger<Owner, Settings, Event>) {
    name = trigger.name
    isBlocking = trigger.isBlocking
    manifest = { id in
      let isOwn = trigger.name.hasPrefix(id + ".")
      let settings = trigger.settingsSchema ?? (isOwn ? .of(Settings.self) : nil)
      let event = trigger.eventSchema ?? (isOwn ? ActionEntry<Owner>.schema(ofOutput: Event.self) : nil)
      var fields = [("name", JSONText.string(trigger.name)), ("summary", JSONText.string(trigger.summary))]
      if let german = trigger.summaryGerman { fields.append(("summary_de", JSONText.string(german))) }
      if trigger.announcesWatching { fields.append(("announces_watching", "true")) }
      if let settings { fields.append(("settings", settings.json)) }
      if let event { fields.append(("event", event.json)) }
      return JSONText.object(fields)
    }
    run = { plugin, json, context async throws(ActionError) in
      let subscription: Subscription<Settings>
      do {
        subscription = try JSONCoding.decode(Subscription<Settings>.self, from: json)
      } catch {
        throw ActionError(input: error)
      }
      do {
        try await trigger.body(plugin, subscription.settings, subscription.cursor, EventEmitter(context: context))
      } catch {
        throw ActionError(any: error)
      }
      return Array("{}".utf8)
    }
  }
}

/// The input of a subscription, as the ABI header describes it.
private struct Subscription<Settings: Decodable>: Decodable {
  var settings: Settings
  var cursor: String?
}
