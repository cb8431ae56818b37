import Access
import Engine
import Foundation
import MCP
import Synchronization

/// The sessions of clients whose version of the protocol has a handshake, and all connections that are in use.
final class AssistantSessions: Sendable {
  /// The most sessions of all users, and of one. Of more, the one of this user that was unused longest ends, otherwise that of all.
  private static let (most, mostOfUser) = (500, 20)
  /// Seconds without a message after which a session ends.
  private static let idle = 8 * 3600.0

  /// The credential to which a session belongs: what one token of a user has begun is not open to another one, which may have
  /// other scopes.
  private struct Holder: Equatable {
    let user: String
    let origin: Actor.Origin

    init(_ actor: Actor) { (user, origin) = (actor.user, actor.origin) }
  }

  private struct Session {
    let holder: Holder
    let connection: AssistantConnection
    var used: Double
  }

  private struct State {
    var sessions: [String: Session] = [:]
    var connections: [ObjectIdentifier: AssistantConnection] = [:]
  }

  private let state = Mutex(State())

  /// Keeps a session.
  ///
  /// - Returns: Its id.
  func add(_ connection: AssistantConnection, of actor: Actor) -> String {
    let holder = Holder(actor)
    let id = UUID().uuidString.lowercased()
    let now = SystemTime().monotonic
    let ended = state.withLock { state in
      var ended = state.sessions.filter { now - $0.value.used >= Self.idle }
      let own = state.sessions.filter { $0.value.holder.user == holder.user && ended[$0.key] == nil }
      if own.count >= Self.mostOfUser, let oldest = own.min(by: { $0.value.used < $1.value.used }) {
        ended[oldest.key] = oldest.value
      } else if state.sessions.count - ended.count >= Self.most,
        let oldest = state.sessions.filter({ ended[$0.key] == nil }).min(by: { $0.value.used < $1.value.used })
      {
        ended[oldest.key] = oldest.value
      }
      for key in ended.keys { state.sessions[key] = nil }
      state.sessions[id] = Session(holder: holder, connection: connection, used: now)
      return ended.values.map(\.connection)
    }
    for connection in ended { Self.end(connection) }
    return id
  }

  /// The connection of a session; `nil` if it has ended, or if another credential has begun it.
  func connection(_ id: String, of actor: Actor) -> AssistantConnection? {
    let holder = Holder(actor)
    let now = SystemTime().monotonic
    return state.withLock { state in
      guard let session = state.sessions[id], session.holder == holder, now - session.used < Self.idle else {
        return nil
      }
      state.sessions[id]?.used = now
      return session.connection
    }
  }

  /// Ends a session with its calls; runs go on.
  ///
  /// - Returns: Whether there was one of the credential.
  func remove(_ id: String, of actor: Actor) -> Bool {
    let holder = Holder(actor)
    let removed = state.withLock { state -> AssistantConnection? in
      guard state.sessions[id]?.holder == holder else { return nil }
      return state.sessions.removeValue(forKey: id)?.connection
    }
    if let removed { Self.end(removed) }
    return removed != nil
  }

  /// Ends the calls of a connection, apart from the caller.
  private static func end(_ connection: AssistantConnection) {
    Task { await connection.end() }
  }

  /// Registers a connection while it has calls, so that they end with the server.
  func enter(_ connection: AssistantConnection) {
    state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
  }

  /// Forgets a connection.
  func leave(_ connection: AssistantConnection) {
    state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
  }

  /// Ends all calls.
  func close() async {
    let all = state.withLock { state in
      defer { state = State() }
      return Array(state.connections.values) + state.sessions.values.map(\.connection)
    }
    for connection in all { await connection.end() }
  }
}
