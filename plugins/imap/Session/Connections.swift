import PluginKit

/// The connections of an account, each lent to one call at a time.
actor Connections {
  /// How long a server that has refused a connection as one too many is not asked for another.
  private static let crowdedTime = Duration.seconds(60)

  private let limit: Int
  private let clock: HostClock
  /// Until when the server takes no more connections than there are.
  private var crowded: Duration?
  private var idle: [Session] = []
  private var open = 0
  private var waiting: [(id: UInt64, continuation: CheckedContinuation<Void, Never>)] = []
  private var lastID: UInt64 = 0

  /// - Parameter limit: The most connections at a time.
  init(limit: Int, clock: HostClock) {
    self.limit = limit
    self.clock = clock
  }

  /// Lends a connection: one that is idle, best with the folder open; else a new one; else the first that is given back.
  ///
  /// Where the server takes fewer than the limit, those that there are have to do.
  ///
  /// - Returns: The connection, and whether it is new. One that is not may be dead.
  func borrow(
    preferring mailbox: [UInt8]?, _ connect: @Sendable () async throws(ActionError) -> Session
  ) async throws(ActionError) -> (Session, isFresh: Bool) {
    while true {
      guard !Task.isCancelled else { throw ActionError(.cancelled, "Cancelled", german: "Abgebrochen") }
      if let session = await take(preferring: mailbox) { return (session, false) }
      let isCrowded = open > 0 && crowded.map { clock.monotonic < $0 } ?? false
      if open < limit, !isCrowded {
        open += 1
        do {
          return (try await connect(), true)
        } catch {
          open -= 1
          guard error.kind == .rateLimited, open > 0 else {
            resumeFirst()
            throw error
          }
          crowded = clock.monotonic + Self.crowdedTime
        }
        // One may have been given back meanwhile.
        continue
      }
      await wait()
    }
  }

  /// Lends a new connection for one that has turned out to be dead.
  func replace(
    _ session: Session, _ connect: @Sendable () async throws(ActionError) -> Session
  ) async throws(ActionError) -> Session {
    // Those that were made at the same time are likely dead as well. No caller may get one while they are closed.
    let dead = idle
    idle = []
    open -= dead.count
    await session.abandon()
    for other in dead {
      await other.abandon()
      resumeFirst()
    }
    do {
      return try await connect()
    } catch {
      release()
      throw error
    }
  }

  /// Bytes that came over the connections that are idle now.
  var bytesReceived: Int {
    get async {
      var sum = 0
      for session in idle { sum += await session.bytesReceived }
      return sum
    }
  }

  /// Takes a connection back; one that is broken is let go.
  func give(back session: Session) async {
    if await session.isBroken {
      release()
    } else {
      idle.append(session)
      resumeFirst()
    }
  }

  private func take(preferring mailbox: [UInt8]?) async -> Session? {
    guard !idle.isEmpty else { return nil }
    var best = idle.count - 1
    if let mailbox {
      for (index, session) in idle.enumerated() where await session.mailbox?.name == mailbox { best = index }
    }
    // Another call may have come in between.
    guard best < idle.count else { return idle.popLast() }
    return idle.remove(at: best)
  }

  private func release() {
    open -= 1
    resumeFirst()
  }

  private func resumeFirst() {
    guard !waiting.isEmpty else { return }
    waiting.removeFirst().continuation.resume()
  }

  private func wait() async {
    lastID += 1
    let id = lastID
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiting.append((id, continuation)) }
      }
    } onCancel: {
      // Ends by itself: it only wakes the waiters.
      Task { await self.cancel(id) }
    }
  }

  private func cancel(_ id: UInt64) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).continuation.resume()
  }
}
