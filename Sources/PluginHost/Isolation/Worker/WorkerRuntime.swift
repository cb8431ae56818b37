import CIsolation
import CPluginABI
import Foundation
import Localization
import Synchronization

/// What goes on in a worker process: one library, one instance, the calls of the host.
final class WorkerRuntime: Sendable {
  // The pointer is opaque, and only handed to functions that the header allows to be called from any thread.
  private struct Instance: @unchecked Sendable {
    let table: PluginTable
    let pointer: OpaquePointer
  }

  /// How far a call without an answer has got.
  private enum Phase {
    case starting(cancelled: Bool)
    case started
  }

  private let descriptor: Int32
  private let link: HostLink
  private let decoder = Mutex(FrameDecoder())
  private let instance = Mutex<Instance?>(nil)
  private let calls = Mutex<[UInt64: Phase]>([:])
  private let answerBytes = Atomic<Int>(64 << 20)

  init(descriptor: Int32) {
    self.descriptor = descriptor
    link = HostLink(descriptor: descriptor)
  }

  /// Tells the host that a measure could not be taken.
  func report(_ what: String, _ code: Int32) {
    link.send(.defect(.warning, "isolation is not complete: \(what): \(String(cString: strerror(code)))"))
  }

  /// Serves the host until it hangs up.
  func run() -> Never {
    guard case .open(let assignment)? = nextMessage() else { _exit(1) }
    answerBytes.store(Int(clamping: assignment.answerBytes), ordering: .relaxed)
    let first = Mutex<WorkerAssignment?>(assignment)
    let role = ReaderRole(limit: assignment.threads) { [self] role in
      read(role, opening: first.withLock { $0.take() })
    }
    link.setRole(role)
    role.run()
    // Another thread reads now; the first one must not end, as the process would end with it.
    while true { pause() }
  }

  private func read(_ role: ReaderRole, opening assignment: WorkerAssignment?) {
    if let assignment {
      let mark = role.enter()
      open(assignment)
      guard role.leave(mark) else { return role.gone() }
    }
    while true {
      guard let message = nextMessage() else { _exit(0) }
      switch message {
      case .open: _exit(1)
      case .reply(let request, let reply): link.replied(request, reply)
      case .close:
        let mark = role.enter()
        close()
        guard role.leave(mark) else { return role.gone() }
      case .start(let id, let call):
        let mark = role.enter()
        start(id, call)
        guard role.leave(mark) else { return role.gone() }
      case .cancel(let id):
        let mark = role.enter()
        cancel(id)
        guard role.leave(mark) else { return role.gone() }
      case .exchange(let id, let event):
        let mark = role.enter()
        link.happened(id, event)
        guard role.leave(mark) else { return role.gone() }
      }
    }
  }

  /// The next message; `nil` once the host has hung up. Only for the thread that reads.
  private func nextMessage() -> HostMessage? {
    // The reader alone uses the decoder; the lock hands it over from one reader to the next.
    decoder.withLock { decoder in
      while true {
        do throws(FrameViolation) {
          if let frame = try decoder.next() { return try HostMessage(frame) }
        } catch {
          return nil
        }
        let count = decoder.fill { space in
          while true {
            let count = recv(descriptor, space.baseAddress, space.count, 0)
            if count >= 0 || errno != EINTR { return count }
          }
        }
        if count <= 0 { return nil }
      }
    }
  }
}

extension WorkerRuntime {
  /// Opens the library and makes the instance.
  private func open(_ assignment: WorkerAssignment) {
    let table: PluginTable
    // Constructors run while the library is opened: from here on nothing the plugin does is to be trusted.
    let filtered = isolation_filter_system_calls()
    if filtered != 0 { report("system calls cannot be filtered", filtered) }
    do throws(PluginError) {
      table = try PluginTable(opening: assignment.path)
    } catch {
      refuse(
        WorkerRefusal(code: error.code.rawValue, english: error.message.english, german: error.message.german))
    }
    let reported = Mutex<WorkerAnswer?>(nil)
    let id = CompletionTable.shared.makeID()
    let failure = CompletionTable.shared.open(
      id,
      CompletionTable.Entry(
        limit: 1 << 20, deliver: { answer in reported.withLock { $0 = WorkerAnswer(answer) } },
        repeated: { [link] in link.send(.defect(.error, "create failed twice")) }))
    let host = WorkerCapabilities.make(link, assignment)
    let pointer = borrow(Array(assignment.provider.utf8)) { name in
      borrow(assignment.settings) { table.create(host, name, $0, failure) }
    }
    CompletionTable.shared.withdraw(id)
    let answer = reported.withLock { $0 }
    guard let pointer else { refuse(WorkerRefusal(code: "", answer: answer)) }
    if answer != nil {
      link.send(.defect(.error, "create reported a failure and returned an instance"))
    }
    instance.withLock { $0 = Instance(table: table, pointer: pointer) }
    link.send(.opened)
  }

  private func refuse(_ refusal: WorkerRefusal) -> Never {
    link.send(.refused(refusal))
    _exit(0)
  }

  private func start(_ id: UInt64, _ call: WorkerCall) {
    guard let instance = instance.withLock({ $0 }) else { return }
    calls.withLock { $0[id] = .starting(cancelled: false) }
    let completion = CompletionTable.shared.open(
      id,
      CompletionTable.Entry(
        limit: answerBytes.load(ordering: .relaxed),
        deliver: { [self] answer in
          calls.withLock { _ = $0.removeValue(forKey: id) }
          link.send(.completed(call: id, WorkerAnswer(answer)))
        },
        repeated: { [link] in link.send(.repeated(call: id)) }))
    borrow(Array(call.action.utf8)) { action in
      borrow(call.input) { input in
        borrow(Array(call.key.utf8)) { key in
          var native = sous_call(
            size: MemoryLayout<sous_call>.size, id: id, operation: call.operation, attempt: call.attempt,
            action: action, input: input, key: key, timeout_ms: call.timeoutMilliseconds)
          instance.table.start(instance.pointer, &native, completion)
        }
      }
    }
    let phase = calls.withLock { calls in
      let phase = calls[id]
      if phase != nil { calls[id] = .started }
      return phase
    }
    guard let phase else { return }
    link.send(.started(call: id))
    // A cancel that came while `start` ran may have met a plugin that did not know the call yet.
    if case .starting(cancelled: true) = phase { instance.table.cancel(instance.pointer, id) }
  }

  private func cancel(_ id: UInt64) {
    guard let instance = instance.withLock({ $0 }) else { return }
    let isOpen = calls.withLock { calls in
      if case .starting? = calls[id] { calls[id] = .starting(cancelled: true) }
      return calls[id] != nil
    }
    if isOpen { instance.table.cancel(instance.pointer, id) }
  }

  /// Destroys the instance and ends the process, without running what the plugin has registered for its end.
  private func close() {
    if let instance = instance.withLock({ $0.take() }) { instance.table.destroy(instance.pointer) }
    _exit(0)
  }
}

extension WorkerAnswer {
  /// What a plugin handed to `complete`; `nil` stands for no usable result.
  fileprivate init(_ answer: Answer?) {
    switch answer?.payload {
    case nil: self.init(status: 0, payload: .noResult)
    case .bytes(let bytes)?: self.init(status: answer?.status ?? 0, payload: .bytes(bytes))
    case .null?: self.init(status: answer?.status ?? 0, payload: .null)
    case .tooLarge(let size)?: self.init(status: answer?.status ?? 0, payload: .tooLarge(UInt64(clamping: size)))
    }
  }
}

private func borrow<Result>(_ bytes: [UInt8], _ body: (sous_bytes) -> Result) -> Result {
  bytes.withUnsafeBufferPointer { body(sous_bytes(data: $0.baseAddress, size: $0.count)) }
}
