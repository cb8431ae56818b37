import Engine
import Foundation
import OperatingSystem
import PluginBoundary
import Synchronization

/// One worker process from its start to its end, with the conversation the host has with it.
///
/// Two threads belong to it: one starts the process, reads its messages and reaps it; the other is that of its
/// ``ProcessWatch``. Everything else happens on the threads of the callers.
final class PluginProcess: Sendable {
  /// The parameters of a worker.
  struct Setup: Sendable {
    /// The executable to run; its command `plugin-worker` must call `PluginWorker.runChild`.
    var executable: String
    var assignment: WorkerAssignment
    var limits: IsolationLimits
    /// Seconds until the instance has to be there.
    var openSeconds: Double
    /// Seconds until the process has to have ended after ``PluginProcess/close()``.
    var closeSeconds: Double
    /// The plugin's id, for messages.
    var plugin: String
    /// Its private temporary folder and the files of its calls; `nil` if it could not be made.
    var folder: WorkerFolder?
  }

  /// How the start of a worker came out.
  enum Opening: Sendable {
    case opened
    case refused(WorkerRefusal)
    case ended(WorkerEnding)
  }

  /// Bytes that may wait for a worker to read them.
  private static let queueLimit = 256 << 20

  private struct State {
    var conversation = PluginProcessProtocol()
    var calls: [UInt64: PendingCall] = [:]
    /// Starts that wait until the instance is there.
    var waiting: [(call: PendingCall, frame: [UInt8])] = []
    var isOpen = false
    var process: ChildProcess?
    var socket: FrameSocket?
    var reason: WorkerEnding.Reason?
    var closingSince: Double?
    var hasEnded = false
    var refusal: WorkerRefusal?
    var closed: (@Sendable () -> Void)?
    /// Who waits to hear how much memory the process has allocated.
    var measurements: [Promise<Int?>] = []
    /// Lines that belong to no call, which nothing else limits.
    var allowance = LineAllowance()
  }

  let setup: Setup
  /// How the start came out; awaited once, by the code that makes the worker.
  let opening = Promise<Opening>()
  private let state = Mutex(State())
  private let decoder = Mutex(FrameDecoder())
  let services: ProviderServices
  private let reader: AnswerReader
  /// Called when the process has ended, before its calls end.
  private let whenEnded: @Sendable (PluginProcess, WorkerEnding) -> Void
  private let bridge: ServiceBridge
  private let startTime = MonotonicClock.seconds

  private let watch = ProcessWatch()

  init(
    _ setup: Setup, services: ProviderServices, reader: AnswerReader,
    whenEnded: @escaping @Sendable (PluginProcess, WorkerEnding) -> Void
  ) {
    self.setup = setup
    self.services = services
    self.reader = reader
    self.whenEnded = whenEnded
    bridge = ServiceBridge(services)
  }

  /// Seconds since it was started.
  var age: Double { MonotonicClock.seconds - startTime }
  /// Whether its instance was ever there.
  var wasReady: Bool { state.withLock { $0.isOpen } }
  /// Whether calls may be handed to it.
  var isUsable: Bool { state.withLock { !$0.hasEnded && $0.reason == nil && $0.closingSince == nil } }
  /// Whether its instance is open and has no calls.
  var isIdle: Bool { state.withLock { $0.isOpen && $0.calls.isEmpty && $0.waiting.isEmpty } }
  /// Whether it has calls or is about to end.
  var needsWatch: Bool { state.withLock { !$0.calls.isEmpty || $0.closingSince != nil } }
  /// The state on which its limits depend.
  var activity: ProcessWatch.Activity {
    state.withLock { state in
      let subscriptions = state.calls.values.filter { $0.subscription != nil }.map(\.id)
      return ProcessWatch.Activity(
        calls: state.conversation.openCalls.subtracting(subscriptions), subscriptions: subscriptions.count,
        isOpen: state.isOpen, closingSince: state.closingSince)
    }
  }
  /// The process; for tests.
  var processID: pid_t? { state.withLock { $0.process?.id } }

  /// Starts the process, on a thread of its own.
  func run() {
    NamedThread.start("worker-reader", stackSize: PluginExecutor.stackSize) { [self] in live() }
  }

  // MARK: - Calls

  /// Hands a call over; `false` if the worker has ended and another one has to take it.
  func begin(_ call: PendingCall) -> Bool {
    let frame = HostMessage.start(call.request).encoded()
    let (isTaken, socket) = state.withLock { state in
      guard !state.hasEnded, state.reason == nil, state.closingSince == nil else { return (false, nil as FrameSocket?) }
      state.calls[call.id] = call
      state.conversation.begin(call: call.id, PluginProcessProtocol.Name(action: call.action, key: call.key))
      guard state.isOpen else {
        state.waiting.append((call, frame))
        return (true, nil)
      }
      return (true, state.socket)
    }
    guard isTaken else { return false }
    if let socket { hand(over: call, frame, to: socket) }
    watch.wake()
    return true
  }

  private func hand(over call: PendingCall, _ frame: [UInt8], to socket: FrameSocket) {
    if call.enterStart() {
      socket.send(frame)
      // One that was asked for meanwhile may have overtaken the call; twice is as good as once.
      if call.cancelReason != nil { socket.send(HostMessage.cancel(call: call.id).encoded()) }
    } else {
      services.detach(call)
      _ = abandon(call.id)
    }
  }

  /// Asks for the end of a call.
  func cancel(_ call: UInt64) {
    let socket = state.withLock { state in state.calls[call] == nil ? nil : state.socket }
    socket?.send(HostMessage.cancel(call: call).encoded())
  }

  /// Stops waiting for a call; `false` if the worker does not have it any more.
  func abandon(_ call: UInt64) -> Bool {
    state.withLock { state in
      state.calls[call] = nil
      return state.conversation.abandon(call: call)
    }
  }

  /// The bytes that the process has allocated; `nil` if it ends before it answers.
  func heapBytes() async -> Int? {
    let outcome = Promise<Int?>()
    let socket = state.withLock { state -> FrameSocket? in
      guard state.isOpen, !state.hasEnded, let socket = state.socket else { return nil }
      state.conversation.askForHeap()
      state.measurements.append(outcome)
      return socket
    }
    guard let socket else { return nil }
    socket.send(HostMessage.measureHeap.encoded())
    return await outcome.value()
  }

  /// Ends the process at once; the first reason counts.
  func end(_ reason: WorkerEnding.Reason) {
    let process = state.withLock { state in
      if state.reason == nil { state.reason = reason }
      return state.process
    }
    process?.kill()
  }

  /// Lets the plugin destroy its instance and the process end, for a limited time.
  ///
  /// - Parameter closed: Called once it has ended; not called if this returns `false`, because the process has ended before.
  func close(_ closed: @escaping @Sendable () -> Void) -> Bool {
    let isGoing = state.withLock { state in
      if !state.hasEnded { state.closed = closed }
      return !state.hasEnded
    }
    guard isGoing else { return false }
    let socket = state.withLock { state in
      if state.closingSince == nil { state.closingSince = MonotonicClock.seconds }
      return state.isOpen ? state.socket : nil
    }
    if let socket { socket.send(HostMessage.close.encoded()) } else { end(.closed) }
    watch.wake()
    return true
  }

  // MARK: - The reader

  private func live() {
    let process: ChildProcess
    do throws(ChildProcess.Failure) {
      setup.folder?.clear()
      process = try ChildProcess(
        executable: setup.executable, limits: setup.limits, temporary: setup.folder?.temporary)
    } catch {
      services.reportDefect("the worker process could not be started: \(error.reason)", level: .error)
      finish(WorkerEnding(reason: nil, status: .unknown, lastWords: error.reason))
      return
    }
    let socket = FrameSocket(descriptor: process.socket, waiting: .queues(limit: PluginProcess.queueLimit)) {
      [weak self] in
      self?.end(.deaf)
    }
    let isUnwanted = state.withLock { state in
      state.process = process
      state.socket = socket
      return state.reason != nil
    }
    if isUnwanted { process.kill() }
    NamedThread.start("worker-watch") { [self] in watch.run(process, of: self) }
    var assignment = setup.assignment
    if let folder = setup.folder {
      assignment.places.append(WorkerPlace(path: folder.temporary, isWritable: true))
      assignment.places.append(WorkerPlace(path: folder.files, isWritable: false))
    }
    socket.send(HostMessage.open(assignment).encoded())

    serve(process, socket)
  }

  /// Reads until the worker has ended and reaps it, unless another thread does by then.
  private func serve(_ process: ChildProcess, _ socket: FrameSocket) {
    // Tasks that wait for an answer continue on the thread that reads it, which saves a change of threads.
    let guest = PluginExecutor.shared.makeGuest { [self] in
      NamedThread.start("worker-reader", stackSize: PluginExecutor.stackSize) { [self] in serve(process, socket) }
    }
    defer { PluginExecutor.shared.dismiss(guest) }
    do throws(FrameViolation) {
      guard try read(process.socket, guest) else { return }
    } catch {
      end(.violation(error.reason))
    }
    watch.stopsWaiting()
    // A plugin may have closed the socket only; give a process that is about to end the time to say how.
    if state.withLock({ $0.reason }) == nil, process.ending >= 0 {
      var place = pollfd(fd: process.ending, events: Int16(POLLIN), revents: 0)
      _ = poll(&place, 1, 1000)
    }
    process.kill()
    let lastWords = watch.stop(within: 2)
    let (status, peak) = process.reap()
    socket.stop()
    // Otherwise they go with the thread that still watches.
    if lastWords != nil { process.closeDescriptors() }
    let reason = state.withLock { $0.reason }
    finish(WorkerEnding(reason: reason, status: status, peakMemory: peak, lastWords: lastWords ?? ""))
  }

  private func finish(_ ending: WorkerEnding) {
    let (calls, measurements, refusal, closed, ending) = state.withLock { state in
      var ending = ending
      // It was asked to go, and went; or said why it would not stay.
      if state.closingSince != nil || state.refusal != nil, ending.reason == nil { ending.reason = .closed }
      state.hasEnded = true
      state.process = nil
      defer {
        state.calls = [:]
        state.measurements = []
      }
      return (Array(state.calls.values), state.measurements, state.refusal, state.closed, ending)
    }
    for measurement in measurements { measurement.offer(nil) }
    bridge.close()
    whenEnded(self, ending)
    opening.offer(.ended(ending))
    for call in calls {
      services.detach(call)
      let failure =
        refusal.map { PluginError($0, reader: reader, path: setup.assignment.path).failure }
        ?? ending.failure(
          plugin: setup.plugin, provider: setup.assignment.provider, action: call.action, limits: setup.limits)
      call.end(.abandoned(failure))
    }
    closed?()
  }

  /// Reads to the end; `false` if another thread reads by then.
  private func read(_ descriptor: Int32, _ guest: PluginExecutor.Worker) throws(FrameViolation) -> Bool {
    while let frame = try nextFrame(descriptor) {
      guard try react(to: try WorkerMessage(frame), guest) else { return false }
    }
    return true
  }

  /// The next frame; `nil` once the worker has hung up. Only for the thread that reads.
  private func nextFrame(_ descriptor: Int32) throws(FrameViolation) -> Frame? {
    // The reader alone uses the decoder; the lock hands it over from one reader to the next.
    try decoder.withLock { decoder throws(FrameViolation) in
      while true {
        if let frame = try decoder.next() { return frame }
        let isExpecting = state.withLock { !$0.calls.isEmpty }
        if decoder.fill({ FrameReading.receive(descriptor, $0, isExpecting: isExpecting) }) <= 0 { return nil }
      }
    }
  }

  /// Does what a message asks for; `false` if another thread reads by then.
  private func react(to message: WorkerMessage, _ guest: PluginExecutor.Worker) throws(FrameViolation) -> Bool {
    let (reaction, call, isLast): (PluginProcessProtocol.Reaction, PendingCall?, Bool)
    do {
      (reaction, call, isLast) = try state.withLock { state throws(FrameViolation) in
        let reaction = try state.conversation.receive(message)
        guard case .completed(let id, _) = reaction else {
          if case .started(let id) = reaction { return (reaction, state.calls[id], false) }
          return (reaction, nil, false)
        }
        let call = state.calls.removeValue(forKey: id)
        return (reaction, call, state.calls.isEmpty)
      }
    }
    switch reaction {
    case .ignore: break
    case .opened: opened()
    case .refused(let refusal):
      state.withLock { $0.refusal = refusal }
      opening.offer(.refused(refusal))
    case .heap(let bytes):
      state.withLock { $0.measurements.isEmpty ? nil : $0.measurements.removeFirst() }?.offer(Int(clamping: bytes))
    case .started: _ = call?.leaveStart()
    case .completed(_, let answer):
      guard let call else { break }
      // With other calls open their answers must not wait for what this one's task does next.
      guard isLast else {
        services.answer(call, Answer(answer))
        break
      }
      return PluginExecutor.shared.serve(guest) { services.answer(call, Answer(answer)) }
    case .late(let name, let answer):
      // The plugin may have had its effect: the user has to check.
      let outcome = answer.status == 0 ? "a success" : "a failure"
      services.reportDefect(
        "'\(name.action)' (key \(name.key)) answered after the host had stopped waiting; \(outcome) is dropped",
        level: .warning)
    case .repeated(let name):
      guard mayWriteLine() else { break }
      services.reportDefect(
        "'\(name.action)' (key \(name.key)) answered the same call twice; the second answer is dropped", level: .error)
    case .report(let report):
      switch report {
      case .log(call: 0, _, _), .defect:
        if mayWriteLine() { bridge.report(report) }
      default: bridge.report(report)
      }
    case .carryOut(let id, let request):
      bridge.carryOut(request) { [weak self] reply in
        self?.state.withLock { $0.conversation.replied(id) }
        self?.send(.reply(request: id, reply))
      }
    case .begin(let id, let command):
      bridge.begin(id, command) { [weak self] event in self?.happened(id, event) }
    case .command(let id, let command): bridge.command(id, command)
    }
    return true
  }

  /// Whether the worker may write one more line that belongs to no call.
  private func mayWriteLine() -> Bool {
    let now = MonotonicClock.seconds
    return state.withLock { state in
      state.allowance.advance(to: now)
      return state.allowance.take()
    }
  }

  private func opened() {
    let (frames, socket) = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return (state.waiting, state.socket)
    }
    if let socket { for (call, frame) in frames { hand(over: call, frame, to: socket) } }
    opening.offer(.opened)
  }

  private func happened(_ exchange: UInt64, _ event: ExchangeEvent) {
    if case .end = event {
      guard state.withLock({ $0.conversation.ended(exchange: exchange) }) else { return }
    }
    send(.exchange(exchange, event))
  }

  private func send(_ message: HostMessage) {
    state.withLock { $0.hasEnded ? nil : $0.socket }?.send(message.encoded())
  }
}
