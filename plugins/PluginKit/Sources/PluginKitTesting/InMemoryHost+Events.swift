public import PluginKit
import Synchronization

extension InMemoryHost {
  /// An event that the host has accepted.
  public struct Event: Sendable, Hashable {
    /// Names it towards its trigger.
    public let id: String
    /// What has happened.
    public let event: JSONValue
    /// Where to go on after it.
    public let cursor: String

    /// Creates an event, to compare with.
    public init(id: String, event: JSONValue, cursor: String) {
      self.id = id
      self.event = event
      self.cursor = cursor
    }
  }

  /// A subscription under way: what it has accepted, and how many are wanted.
  struct Subscription {
    var events: [Event] = []
    var wanted: Int
  }
}

extension InMemoryHost.OpenPlugin {
  /// Subscribes to a trigger until it has emitted some events, then ends the subscription.
  ///
  /// Events with an id that this subscription has accepted before are dropped. Where the trigger sleeps, the time passes
  /// at once. One that emits too few events never returns: give the test a time limit.
  ///
  /// - Parameters:
  ///   - trigger: The trigger's name.
  ///   - settings: Its settings.
  ///   - cursor: That of the last event accepted before; `nil` for the first time.
  ///   - count: How many events are wanted.
  /// - Returns: The events in order; fewer where the trigger ends by itself.
  /// - Throws: What the trigger fails with before.
  public func events(
    of trigger: String, _ settings: JSONValue = .object([:]), cursor: String? = nil, count: Int
  ) async throws(ActionError) -> [InMemoryHost.Event] {
    var input: JSONValue = ["settings": settings]
    if let cursor { input = ["settings": settings, "cursor": .string(cursor)] }
    let json: [UInt8]
    do { json = try JSONCoding.encode(input) } catch { throw ActionError(any: error) }
    let context = host.context(context, key: "", attempt: 1, timeout: nil)
    host.state.withLock { $0.subscriptions[context.call] = InMemoryHost.Subscription(wanted: count) }
    let task = Task { [dispatcher] () -> ActionError? in
      do throws(ActionError) {
        _ = try await dispatcher.subscribe(trigger, input: json, context: context)
        return nil
      } catch {
        return error
      }
    }
    let isDone = host.state.withLock { state in
      state.subscriptionTasks[context.call] = task
      return state.subscriptions[context.call].map { $0.events.count >= $0.wanted } ?? true
    }
    if isDone { task.cancel() }
    let failure = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    let events = host.state.withLock { state in
      state.subscriptionTasks[context.call] = nil
      return state.subscriptions.removeValue(forKey: context.call)?.events ?? []
    }
    if let failure, events.count < count { throw failure }
    return events
  }
}

extension InMemoryServices {
  func emitEvent(call: UInt64, id: String, event: [UInt8], cursor: String) throws(HostRefusal) {
    // An announcement that the trigger watches is not an event.
    guard !id.isEmpty || !event.isEmpty else { return }
    guard let value = try? JSONValue(json: event), case .object = value else { throw .failed }
    guard cursor.utf8.count <= 64 << 10 else { throw .tooLarge }
    let done = try host.state.withLock { state throws(HostRefusal) -> Task<ActionError?, Never>? in
      guard var subscription = state.subscriptions[call], subscription.events.count < subscription.wanted else {
        throw .refused
      }
      guard !subscription.events.contains(where: { $0.id == id }) else { return nil }
      subscription.events.append(InMemoryHost.Event(id: id, event: value, cursor: cursor))
      state.subscriptions[call] = subscription
      return subscription.events.count == subscription.wanted ? state.subscriptionTasks[call] : nil
    }
    done?.cancel()
  }
}
