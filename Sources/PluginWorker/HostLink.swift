import Foundation
import PluginBoundary
import Synchronization

/// The way from a worker to its host: messages, requests that wait for their reply, and what happens to exchanges.
final class HostLink: Sendable {
  /// Takes what the host says about one HTTP request or stream; must return at once.
  typealias EventHandler = @Sendable (ExchangeEvent) -> Void

  private struct State {
    var lastRequest: UInt64 = 0
    var replies: [UInt64: @Sendable (WorkerReply) -> Void] = [:]
    var exchanges: [UInt64: EventHandler] = [:]
  }

  private let socket: FrameSocket
  private let state = Mutex(State())
  private let sending = Mutex<UInt64>(0)
  /// Called before a thread waits for the host.
  private let role = Mutex<ReaderHandover?>(nil)

  init(descriptor: Int32) {
    // Without a host the worker has no purpose.
    socket = FrameSocket(descriptor: descriptor, waiting: .blocks) { _exit(0) }
  }

  func setRole(_ role: ReaderHandover) { self.role.withLock { $0 = role } }

  func send(_ message: WorkerMessage) { socket.send(message.encoded()) }

  /// Asks the host; the reply comes on the thread that reads.
  func ask(_ request: WorkerRequest, reply: @escaping @Sendable (WorkerReply) -> Void) {
    let id = state.withLock { state in
      state.lastRequest += 1
      state.replies[state.lastRequest] = reply
      return state.lastRequest
    }
    // The plugin is going to wait for the reply: it must not do so on the thread that reads it.
    role.withLock { $0 }?.handOverIfReading()
    send(.request(id, request))
  }

  /// Asks the host and waits for its reply.
  func ask(_ request: WorkerRequest) -> WorkerReply {
    let outcome = Mutex<WorkerReply?>(nil)
    let semaphore = DispatchSemaphore(value: 0)
    ask(request) { reply in
      outcome.withLock { $0 = reply }
      semaphore.signal()
    }
    semaphore.wait()
    return outcome.withLock { $0 } ?? WorkerReply(.failed)
  }

  /// The host has replied.
  func replied(_ id: UInt64, _ reply: WorkerReply) {
    state.withLock { $0.replies.removeValue(forKey: id) }?(reply)
  }

  /// Begins an HTTP request or a stream, and gives its number.
  func begin(_ command: ExchangeCommand, handler: @escaping EventHandler) -> UInt64 {
    // Numbers have to reach the host in order.
    sending.withLock { last in
      last += 1
      let id = last
      state.withLock { $0.exchanges[id] = handler }
      send(.exchange(id, command))
      return id
    }
  }

  func command(_ id: UInt64, _ command: ExchangeCommand) {
    guard state.withLock({ $0.exchanges[id] != nil }) else { return }
    send(.exchange(id, command))
  }

  /// Something happened to an exchange.
  func happened(_ id: UInt64, _ event: ExchangeEvent) {
    let handler = state.withLock { state in
      if case .end = event { return state.exchanges.removeValue(forKey: id) }
      return state.exchanges[id]
    }
    handler?(event)
  }
}
