import Engine
import Foundation
import MCP
import Synchronization

/// The sessions of clients whose version of the protocol has a handshake, and all connections that are in use.
final class AssistantSessions: Sendable {
  /// The most sessions; of more, the one that was unused longest ends.
  private static let most = 500
  /// Seconds without a message after which a session ends.
  private static let idle = 8 * 3600.0

  private struct Session {
    let user: String
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
  func add(_ connection: AssistantConnection, of user: String) -> String {
    let id = UUID().uuidString.lowercased()
    let now = SystemTime().monotonic
    state.withLock { state in
      state.sessions = state.sessions.filter { now - $0.value.used < Self.idle }
      if state.sessions.count >= Self.most, let oldest = state.sessions.min(by: { $0.value.used < $1.value.used }) {
        state.sessions[oldest.key] = nil
      }
      state.sessions[id] = Session(user: user, connection: connection, used: now)
    }
    return id
  }

  /// The connection of a session; `nil` if it has ended, or if it belongs to another user.
  func connection(_ id: String, of user: String) -> AssistantConnection? {
    let now = SystemTime().monotonic
    return state.withLock { state in
      guard let session = state.sessions[id], session.user == user, now - session.used < Self.idle else { return nil }
      state.sessions[id]?.used = now
      return session.connection
    }
  }

  /// Ends a session. Its calls go on.
  ///
  /// - Returns: Whether there was one of the user.
  func remove(_ id: String, of user: String) -> Bool {
    state.withLock { state in
      guard state.sessions[id]?.user == user else { return false }
      state.sessions[id] = nil
      return true
    }
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
