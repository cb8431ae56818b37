import CIsolation
import Engine
import Foundation
import OperatingSystem
import PluginBoundary
import Synchronization

/// One worker process from its start to its end, with the conversation the host has with it.
///
/// Two threads belong to it: one starts the process, reads its messages and reaps it; the other takes what it prints
/// and watches over what it uses. Everything else happens on the threads of those who call.
final class Worker: Sendable {
  /// What a worker is started with.
  struct Setup: Sendable {
    /// The executable to run; its command `plugin-worker` must call `PluginWorker.runChild`.
    var executable: String
    var assignment: WorkerAssignment
    var limits: IsolationLimits
    /// Seconds until the instance has to be there.
    var openSeconds: Double
    /// Seconds until the process has to have ended after ``Worker/close()``.
    var closeSeconds: Double
    /// The plugin's id, for messages.
    var plugin: String
    /// Its private temporary folder and the files of its calls; `nil` if it could not be made.
    var folder: WorkerFolder?
  }

  /// What the worker's messages lead to, besides its services. Called from the worker's threads; must return soon.
  struct Client: Sendable {
    /// The answer to a call.
    var answer: @Sendable (PendingCall, Answer?) -> Void
    /// A line that the plugin printed.
    var line: @Sendable (_ text: String) -> Void
    /// Takes secrets out of what the plugin printed.
    var mask: @Sendable (_ text: String) -> String
    /// What a refusal means for a call that waited for the instance.
    var refused: @Sendable (WorkerRefusal) -> ActionFailure
    /// The worker has ended; its calls are told after this.
    var ended: @Sendable (Worker, WorkerEnding) -> Void
    /// A call ends without an answer.
    var detached: @Sendable (PendingCall) -> Void
  }

  /// How the start of a worker came out.
  enum Opening: Sendable {
    case opened
    case refused(WorkerRefusal)
    case ended(WorkerEnding)
  }

  /// Milliseconds between two looks at what the process uses.
  private static let tick: Int32 = 250
  /// Ticks without a call after which the worker is checked only every ``idleTick``, until the next call.
  private static let quietTicks = 20
  /// Milliseconds between two checks of a process without calls: its threads may still run.
  private static let idleTick: Int32 = 2000
  /// Bytes that may wait for a worker to read them.
  private static let queueLimit = 256 << 20

  private struct State {
    var conversation = WorkerConversation()
    var calls: [UInt64: PendingCall] = [:]
    /// Starts that wait until the instance is there.
    var waiting: [(call: PendingCall, frame: [UInt8])] = []
    var isOpen = false
    var process: WorkerProcess?
    var socket: FrameSocket?
    var reason: WorkerEnding.Reason?
    var closingSince: Double?
    var hasEnded = false
    var refusal: WorkerRefusal?
    var closed: (@Sendable () -> Void)?
    /// Who waits to hear how much memory the process has allocated.
    var measurements: [FirstOutcome<Int?>] = []
    /// Lines that belong to no call, which nothing else limits.
    var allowance = LineAllowance()
  }

  let setup: Setup
  /// How the start came out; waited for once, by whoever makes the worker.
  let opening = FirstOutcome<Opening>()
  private let client: Client
  private let state = Mutex(State())
  private let decoder = Mutex(FrameDecoder())
  private let services: any InstanceServices
  private let bridge: ServiceBridge
  private let startTime: Double

  // Of the thread that watches.
  private let isTicking = Atomic<Bool>(true)
  private let isOver = Atomic<Bool>(false)
  private let bell: Int32
  private let watched = DispatchSemaphore(value: 0)
  private let lastWords = Mutex("")

  init(_ setup: Setup, services: any InstanceServices, client: Client) {
    self.setup = setup
    self.client = client
    self.services = services
    bridge = ServiceBridge(services)
    startTime = Worker.now
    var bell: Int32 = -1
    _ = isolation_make_bell(&bell)
    self.bell = bell
  }

  deinit {
    if bell >= 0 { Foundation.close(bell) }
  }

  /// The system's monotonic time in seconds: processes live by no other.
  static var now: Double { MonotonicClock.seconds }

  /// Seconds since it was started.
  var age: Double { Worker.now - startTime }
  /// Whether its instance was ever there.
  var wasReady: Bool { state.withLock { $0.isOpen } }
  /// Whether calls may be handed to it.
  var isUsable: Bool { state.withLock { !$0.hasEnded && $0.reason == nil && $0.closingSince == nil } }
  /// Whether its instance is open and has no calls.
  var isIdle: Bool { state.withLock { $0.isOpen && $0.calls.isEmpty && $0.waiting.isEmpty } }
  /// The process; for tests.
  var processID: pid_t? { state.withLock { $0.process?.id } }

  /// Starts the process, on a thread of its own.
  func run() {
    NamedThread.start("worker-reader", stackSize: ElasticExecutor.stackSize) { [self] in live() }
  }

  // MARK: - Calls

  /// Hands a call over; `false` where the worker has ended and another one has to take it.
  func begin(_ call: PendingCall) -> Bool {
    let frame = HostMessage.start(call.request).encoded()
    let (isTaken, socket) = state.withLock { state in
      guard !state.hasEnded, state.reason == nil, state.closingSince == nil else { return (false, nil as FrameSocket?) }
      state.calls[call.id] = call
      state.conversation.begin(call: call.id, WorkerConversation.Name(action: call.action, key: call.key))
      guard state.isOpen else {
        state.waiting.append((call, frame))
        return (true, nil)
      }
      return (true, state.socket)
    }
    guard isTaken else { return false }
    if let socket { hand(over: call, frame, to: socket) }
    watchCalls()
    return true
  }

  private func hand(over call: PendingCall, _ frame: [UInt8], to socket: FrameSocket) {
    if call.enterStart() {
      socket.send(frame)
      // One that was asked for meanwhile may have overtaken the call; twice is as good as once.
      if call.cancelReason != nil { socket.send(HostMessage.cancel(call: call.id).encoded()) }
    } else {
      client.detached(call)
      _ = abandon(call.id)
    }
  }

  /// Asks for the end of a call.
  func cancel(_ call: UInt64) {
    let socket = state.withLock { state in state.calls[call] == nil ? nil : state.socket }
    socket?.send(HostMessage.cancel(call: call).encoded())
  }

  /// Stops waiting for a call; `false` where the worker does not have it any more.
  func abandon(_ call: UInt64) -> Bool {
    state.withLock { state in
      state.calls[call] = nil
      return state.conversation.abandon(call: call)
    }
  }

  /// The bytes that the process has allocated; `nil` where it ends before it says so.
  func heapBytes() async -> Int? {
    let outcome = FirstOutcome<Int?>()
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
  /// - Parameter closed: Called once it has ended; not called where this returns `false`: it has ended before.
  func close(_ closed: @escaping @Sendable () -> Void) -> Bool {
    let isGoing = state.withLock { state in
      if !state.hasEnded { state.closed = closed }
      return !state.hasEnded
    }
    guard isGoing else { return false }
    let socket = state.withLock { state in
      if state.closingSince == nil { state.closingSince = Worker.now }
      return state.isOpen ? state.socket : nil
    }
    if let socket { socket.send(HostMessage.close.encoded()) } else { end(.closed) }
    watchCalls()
    return true
  }

  // MARK: - The reader

  private func live() {
    let process: WorkerProcess
    do throws(WorkerProcess.Failure) {
      setup.folder?.clear()
      process = try WorkerProcess(
        executable: setup.executable, limits: setup.limits, temporary: setup.folder?.temporary)
    } catch {
      services.reportDefect("the worker process could not be started: \(error.reason)", level: .error)
      finish(WorkerEnding(reason: nil, status: .unknown, lastWords: error.reason))
      return
    }
    let socket = FrameSocket(descriptor: process.socket, waiting: .queues(limit: Worker.queueLimit)) { [weak self] in
      self?.end(.deaf)
    }
    let isUnwanted = state.withLock { state in
      state.process = process
      state.socket = socket
      return state.reason != nil
    }
    if isUnwanted { process.kill() }
    NamedThread.start("worker-watch") { [self] in watch(process) }
    var assignment = setup.assignment
    if let folder = setup.folder {
      assignment.places.append(WorkerPlace(path: folder.temporary, isWritable: true))
      assignment.places.append(WorkerPlace(path: folder.files, isWritable: false))
    }
    socket.send(HostMessage.open(assignment).encoded())

    serve(process, socket)
  }

  /// Reads until the worker has ended and reaps it, unless another thread does by then.
  private func serve(_ process: WorkerProcess, _ socket: FrameSocket) {
    // Tasks that wait for an answer go on where it is read, which saves a change of threads.
    let guest = ElasticExecutor.shared.makeGuest { [self] in
      NamedThread.start("worker-reader", stackSize: ElasticExecutor.stackSize) { [self] in serve(process, socket) }
    }
    defer { ElasticExecutor.shared.dismiss(guest) }
    do throws(FrameViolation) {
      guard try read(process.socket, guest) else { return }
    } catch {
      end(.violation(error.reason))
    }
    // Whatever is left of it: nobody listens any more.
    isOver.store(true, ordering: .sequentiallyConsistent)
    // A plugin may have closed the socket only; give a process that is about to end the time to say how.
    if state.withLock({ $0.reason }) == nil, process.ending >= 0 {
      var place = pollfd(fd: process.ending, events: Int16(POLLIN), revents: 0)
      _ = poll(&place, 1, 1000)
    }
    process.kill()
    ring()
    let isAlone = watched.wait(timeout: .now() + .seconds(2)) == .success
    let (status, peak) = process.reap()
    socket.stop()
    // Otherwise they go with the thread that still watches.
    if isAlone { process.closeDescriptors() }
    let reason = state.withLock { $0.reason }
    finish(
      WorkerEnding(reason: reason, status: status, peakMemory: peak, lastWords: lastWords.withLock { $0 }))
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
    client.ended(self, ending)
    opening.offer(.ended(ending))
    for call in calls {
      client.detached(call)
      let failure =
        refusal.map { client.refused($0) }
        ?? ending.failure(
          plugin: setup.plugin, provider: setup.assignment.provider, action: call.action, limits: setup.limits)
      call.end(.abandoned(failure))
    }
    closed?()
  }

  /// Reads to the end; `false` where another thread reads by then.
  private func read(_ descriptor: Int32, _ guest: ElasticExecutor.Worker) throws(FrameViolation) -> Bool {
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

  /// Does what a message asks for; `false` where another thread reads by then.
  private func react(to message: WorkerMessage, _ guest: ElasticExecutor.Worker) throws(FrameViolation) -> Bool {
    let (reaction, call, isLast): (WorkerConversation.Reaction, PendingCall?, Bool)
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
        client.answer(call, Answer(answer))
        break
      }
      return ElasticExecutor.shared.serve(guest) { client.answer(call, Answer(answer)) }
    case .late(let name, let answer):
      // What the plugin did may have happened all the same: somebody has to look.
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
    let now = Worker.now
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

  // MARK: - The watch

  private func ring() { isolation_ring(bell) }

  /// Has somebody look at what the process uses.
  private func watchCalls() {
    if isTicking.load(ordering: .relaxed) { return }
    if !isTicking.exchange(true, ordering: .sequentiallyConsistent) { ring() }
  }

  private func watch(_ process: WorkerProcess) {
    var lines = OutputLines(lineBytes: setup.assignment.limits.logLineBytes + PluginLimits.lineSlack)
    var usage = ProcessorUse()
    var idle = IdleUse()
    var quiet = 0
    var isPrinting = true
    var hasEnded = false
    var nextTick = Worker.now
    while true {
      var places = [
        pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isPrinting ? process.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasEnded ? -1 : process.ending, events: Int16(POLLIN), revents: 0),
      ]
      let mayWait = !hasEnded && !isOver.load(ordering: .sequentiallyConsistent)
      // Without a bell only the timeout ends the poll.
      let isWatching = bell < 0 || isTicking.load(ordering: .sequentiallyConsistent)
      let timeout = !mayWait ? 0 : isWatching ? Worker.tick : Worker.idleTick
      _ = poll(&places, 3, timeout)
      if places[0].revents != 0 {
        isolation_silence(bell)
        nextTick = Worker.now
      }
      if places[1].revents != 0 {
        isPrinting = take(process.output, &lines)
      } else if !mayWait {
        break
      }
      if places[2].revents != 0 {
        hasEnded = true
        // A descendant may hold the socket open; what has arrived is read all the same.
        shutdown(process.socket, Int32(SHUT_RDWR))
      }
      guard mayWait, !hasEnded, Worker.now >= nextTick else { continue }
      nextTick = Worker.now + Double(isWatching ? Worker.tick : Worker.idleTick) / 1000
      quiet = look(at: process, &usage, &idle) ? 0 : quiet + 1
      if isWatching, quiet >= Worker.quietTicks {
        quiet = 0
        isTicking.store(false, ordering: .sequentiallyConsistent)
        // A call may have come in between.
        let isIdle = state.withLock { $0.calls.isEmpty && $0.closingSince == nil }
        if !isIdle { isTicking.store(true, ordering: .sequentiallyConsistent) }
      }
    }
    print(lines.finish())
    lastWords.withLock { $0 = client.mask(lines.lastWords).singleLine(limit: 300) }
    watched.signal()
  }

  /// Reads what the process has printed; `false` at the end.
  private func take(_ descriptor: Int32, _ lines: inout OutputLines) -> Bool {
    guard let bytes = try? Descriptor.read(from: descriptor, upTo: 64 << 10), !bytes.isEmpty else { return false }
    print(lines.append(bytes[...], at: Worker.now))
    return true
  }

  private func print(_ lines: [OutputLines.Line]) {
    for line in lines {
      switch line {
      case .text(let text): client.line(text)
      case .cutOff: services.reportDefect("it prints too much; lines are left out", level: .warning)
      }
    }
  }

  /// Looks at what the process uses, and ends it where that is too much; `false` where nothing goes on.
  private func look(at process: WorkerProcess, _ usage: inout ProcessorUse, _ idle: inout IdleUse) -> Bool {
    let (calls, subscriptions, isOpen, closingSince) = state.withLock { state in
      let subscriptions = state.calls.values.filter { $0.subscription != nil }.map(\.id)
      return (
        state.conversation.openCalls.subtracting(subscriptions), subscriptions.count, state.isOpen, state.closingSince
      )
    }
    if let closingSince, Worker.now - closingSince > setup.closeSeconds {
      services.reportDefect(
        "'destroy' did not return within \(setup.closeSeconds) s; its process was ended", level: .error)
      end(.closed)
      return true
    }
    if !isOpen, age > setup.openSeconds { end(.slow) }
    var memory: UInt64 = 0
    var threads: UInt32 = 0
    var time: UInt64 = 0
    guard isolation_measure(process.id, &memory, &threads, &time) == 0 else { return true }
    if memory > setup.limits.residentMemory { end(.memory) }
    if threads > setup.limits.threads { end(.threads) }
    if usage.longest(calls, at: time) > setup.limits.processorSeconds { end(.processorTime) }
    let isIdle = calls.isEmpty && isOpen && closingSince == nil
    // A trigger runs for days: it may use the time of a call at once, and a larger share after that.
    idle.share = subscriptions > 0 ? IdleUse.shareOfTriggers : IdleUse.usualShare
    let idleLimit =
      subscriptions > 0 ? setup.limits.processorSeconds : min(setup.limits.idleSeconds, setup.limits.processorSeconds)
    if idle.seconds(isIdle: isIdle, used: time, at: Worker.now) > idleLimit { end(.idleTime) }
    if let folder = setup.folder, idle.isTimeToMeasure(at: Worker.now) {
      if folder.bytes(limit: setup.limits.temporaryBytes) > setup.limits.temporaryBytes { end(.temporaryFiles) }
    }
    return !calls.isEmpty || subscriptions > 0 || !isOpen || closingSince != nil
  }
}

/// How much processor time a process has used since each of its calls began; pure.
struct ProcessorUse {
  private var starts: [UInt64: UInt64] = [:]

  /// The most seconds that have been used since one of the calls was first seen.
  ///
  /// - Parameter time: Nanoseconds the process has used altogether.
  mutating func longest(_ calls: Set<UInt64>, at time: UInt64) -> Double {
    starts = starts.filter { calls.contains($0.key) }
    for call in calls where starts[call] == nil { starts[call] = time }
    guard let first = starts.values.min() else { return 0 }
    return Double(time - min(first, time)) / 1e9
  }
}

/// How much processor time a process uses while it has no call; pure.
struct IdleUse {
  /// The share of the time that a process may use permanently, to keep connections or collect garbage.
  static let usualShare = 0.05
  /// The share of a process that watches for a trigger.
  static let shareOfTriggers = 0.25
  /// The share that counts now.
  var share = IdleUse.usualShare

  private var last: (used: UInt64, time: Double, isIdle: Bool)?
  private var used = 0.0
  private var nextMeasurement = 0.0

  /// Whether a second has passed since files were measured.
  mutating func isTimeToMeasure(at time: Double) -> Bool {
    guard time >= nextMeasurement else { return false }
    nextMeasurement = time + 1
    return true
  }

  /// Adds a measurement and returns the seconds used beyond ``share``; these shrink again while the process uses less.
  ///
  /// - Parameters:
  ///   - isIdle: Whether the worker has no call.
  ///   - used: Nanoseconds that the process has used altogether.
  ///   - time: Now, monotonic in seconds.
  mutating func seconds(isIdle: Bool, used total: UInt64, at time: Double) -> Double {
    defer { last = (total, time, isIdle) }
    guard let last else { return 0 }
    // Time that a call has used belongs to the call.
    if isIdle, last.isIdle { used += Double(total - min(last.used, total)) / 1e9 }
    used = max(0, used - max(0, time - last.time) * share)
    return used
  }
}
