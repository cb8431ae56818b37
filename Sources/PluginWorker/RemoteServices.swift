import Engine
import Foundation
import OperatingSystem
import PluginBoundary
import Synchronization

/// The services of an instance as a worker process has them: everything is handed to the host.
final class RemoteServices: InstanceServices {
  let offered: Set<Capability>
  private let link: HostLink
  /// Whether the host's time is this machine's, which is read without asking.
  private let hasSystemTime: Bool
  private let lastBlob = Atomic<UInt64>(0)

  init(_ link: HostLink, _ assignment: WorkerAssignment) {
    self.link = link
    offered = assignment.offered
    hasSystemTime = assignment.hasSystemTime
  }

  func log(_ level: LogLevel, _ message: String, call: UInt64) { link.send(.log(call: call, level, message)) }

  func progress(done: UInt64, total: UInt64, label: String, call: UInt64) {
    link.send(.progress(call: call, done: done, total: total, label: label))
  }

  func delta(_ json: [UInt8]?, call: UInt64) { link.send(.delta(call: call, json: json)) }

  func reportDefect(_ message: String, level: LogLevel) { link.send(.defect(level, message)) }

  var now: Int64 {
    guard hasSystemTime else { return Int64(bitPattern: link.ask(.now).number) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec / 1_000_000)
  }

  var monotonic: UInt64 {
    guard hasSystemTime else { return link.ask(.monotonic).number }
    return MonotonicClock.nanoseconds
  }

  func send(_ request: HTTPExchangeRequest, to handler: any HTTPExchangeHandler) -> any HTTPExchangeControl {
    let id = link.begin(.send(request)) { event in
      switch event {
      case .head(let status, let headers): handler.head(status: status, headers: headers)
      case .data(let piece): handler.data(piece)
      case .end(let failure): handler.end(failure?.failure)
      case .opened, .secured, .sent: break
      }
    }
    return RemoteExchange(id, link)
  }

  func open(_ request: ByteStreamRequest, to handler: any ByteStreamHandler) -> any ByteStreamControl {
    let id = link.begin(.open(request)) { event in
      switch event {
      case .opened: handler.opened()
      case .data(let piece): handler.data(piece)
      case .secured: handler.secured()
      case .sent(let total): handler.sent(total)
      case .end(let failure): handler.end(failure?.failure)
      case .head: break
      }
    }
    return RemoteExchange(id, link)
  }

  func readSecret(_ name: String, reply: @escaping ServiceReply<[UInt8]>) {
    link.ask(.readSecret(name: name)) { reply($0.result { $0.items.first }) }
  }

  func readState(_ key: String, reply: @escaping ServiceReply<StateEntry>) {
    link.ask(.readState(key: key)) { answer in
      reply(answer.result { answer in answer.items.first.map { StateEntry(value: $0, version: answer.number) } })
    }
  }

  func listState(_ prefix: String, reply: @escaping ServiceReply<[String]>) {
    link.ask(.listState(prefix: prefix)) { answer in
      reply(answer.result { $0.items.map { String(decoding: $0, as: UTF8.self) } })
    }
  }

  func commitState(_ changes: [StateChange], reply: @escaping ServiceReply<Void>) {
    // More than the state of a provider may be.
    let size = changes.reduce(0) { $0 + $1.key.utf8.count + ($1.value?.count ?? 0) }
    guard size <= StateLimits.providerBytes else { return reply(.failure(.tooLarge)) }
    link.ask(.commitState(changes)) { reply($0.result { _ in () }) }
  }

  func createBlob(call: UInt64) -> (any BlobWriting)? {
    let id = lastBlob.wrappingAdd(1, ordering: .relaxed).newValue
    link.send(.createBlob(id, call: call))
    return RemoteBlob(id, link)
  }

  func readBlob(
    _ name: String, offset: UInt64, length: Int, call: UInt64, reply: @escaping ServiceReply<[UInt8]>
  ) {
    link.ask(.readBlob(call: call, name: name, offset: offset, length: UInt64(clamping: length))) {
      reply($0.result { $0.items.first ?? [] })
    }
  }

  func emit(_ event: EmittedEvent, reply: @escaping ServiceReply<Void>) {
    link.ask(.emit(event)) { reply($0.result { _ in () }) }
  }
}

extension WorkerReply {
  fileprivate func result<Value>(_ value: (WorkerReply) -> Value?) -> Result<Value, ServiceStatus> {
    if let failure { return .failure(failure) }
    guard let value = value(self) else { return .failure(.failed) }
    return .success(value)
  }
}

/// An HTTP request or a connection that the host has.
private final class RemoteExchange: HTTPExchangeControl, ByteStreamControl {
  private let id: UInt64
  private let link: HostLink

  init(_ id: UInt64, _ link: HostLink) {
    self.id = id
    self.link = link
  }

  func write(_ piece: [UInt8]) { link.command(id, .write(piece)) }
  func finish() { link.command(id, .finish) }
  func consumed(_ bytes: UInt64) { link.command(id, .consumed(bytes)) }
  func cancel() { link.command(id, .cancel) }
  func startTLS() { link.command(id, .startTLS) }
  func close() { link.command(id, .cancel) }
}

/// A blob that the host writes.
private final class RemoteBlob: BlobWriting {
  private let id: UInt64
  private let link: HostLink

  init(_ id: UInt64, _ link: HostLink) {
    self.id = id
    self.link = link
  }

  func write(_ piece: [UInt8], reply: @escaping ServiceReply<Void>) {
    link.ask(.writeBlob(blob: id, piece: piece)) { reply($0.result { _ in () }) }
  }

  func finish(reply: @escaping ServiceReply<String>) {
    link.ask(.finishBlob(blob: id)) { answer in
      reply(answer.result { $0.items.first.map { String(decoding: $0, as: UTF8.self) } })
    }
  }

  func discard() { link.send(.discardBlob(id)) }
}
