import Dispatch
import Foundation
import OperatingSystem
import PluginBoundary
import Synchronization

/// Threads for tasks that call functions of plugins in place, without a change of threads.
///
/// As many threads work as the machine has processors. One that does not come back from what it does within about 20 ms,
/// from a plugin's `start` for instance, no longer counts, and another takes over what waits for it; so one that never
/// comes back costs its own memory and nothing else. A thread runs the work next that it has enqueued itself.
final class PluginExecutor: TaskExecutor {
  /// The executor of this process. Makes no thread before there is work.
  static let shared = PluginExecutor(width: max(2, Processors.count))

  /// A piece of work.
  enum Work {
    /// A part of a task.
    case job(UnownedJob)
    /// Something that calls a plugin, and what to do when it turns out to block.
    case call(@Sendable () -> Void, blocks: @Sendable () -> Void)
  }

  private struct State {
    var queue: WorkQueue<Work> = WorkQueue()
    var workers: [Worker] = []
    /// Workers that count: neither stuck nor gone.
    var active = 0
    /// Workers that wait, without those that have been woken for a piece of work.
    var idle = 0
    var hasWatchdog = false
  }

  /// Bytes of stack that a thread needs which runs parts of tasks.
  static let stackSize = 8 << 20

  private let width: Int
  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let watchdog = Watchdog()

  init(width: Int) {
    self.width = width
  }

  // MARK: - Handing work in

  func enqueue(_ job: consuming ExecutorJob) {
    let work = Work.job(UnownedJob(job))
    // A thread of this executor runs the job that it made ready itself next; a job that was to be next goes to other threads.
    guard let worker = current else { return push(work) }
    if let displaced = worker.setNext(work) { push(displaced) }
  }

  /// Does something that calls a plugin as soon as the present task waits, on this thread; `false` if this is not a
  /// thread of the executor.
  ///
  /// - Parameters:
  ///   - body: The call.
  ///   - blocks: Called from another thread when that takes long.
  func callNext(_ body: @escaping @Sendable () -> Void, blocks: @escaping @Sendable () -> Void) -> Bool {
    guard let worker = current else { return false }
    if let displaced = worker.setNext(.call(body, blocks: blocks)) { push(displaced) }
    return true
  }

  private func push(_ work: Work) {
    let needsThread = state.withLock { state in
      state.queue.append(work)
      if state.idle > 0 {
        state.idle -= 1
        wake.signal()
        return false
      }
      guard state.active < width else { return false }
      state.active += 1
      return true
    }
    if needsThread { startWorker() }
  }

  // MARK: - Threads

  private var current: Worker? { Worker.current(of: self) }
  /// Whether the present thread is one of the executor's.
  var isCurrent: Bool { current != nil }

  private func startWorker() {
    let worker = Worker(self)
    watchOver(worker)
    NamedThread.start("plugin-call", stackSize: Self.stackSize) { self.run(worker) }
  }

  private func watchOver(_ worker: Worker) {
    let startsWatchdog = state.withLock { state in
      state.workers.append(worker)
      defer { state.hasWatchdog = true }
      return !state.hasWatchdog
    }
    guard startsWatchdog else { return }
    NamedThread.start("plugin-watch") { self.watch() }
  }

  private func run(_ worker: Worker) {
    worker.becomeCurrent()
    while let work = take(worker) {
      perform(work, on: worker)
      guard worker.end() else { continue }
      // It was given up in the meantime and another thread has taken its place.
      let isWanted = state.withLock { state in
        guard state.active < width else {
          state.workers.removeAll { $0 === worker }
          return false
        }
        state.active += 1
        return true
      }
      guard isWanted else {
        if let left = worker.takeNext() { push(left) }
        return
      }
    }
  }

  private func perform(_ work: Work, on worker: Worker) {
    worker.begin(work)
    if watchdog.sleeps { watchdog.wake() }
    switch work {
    case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
    case .call(let body, _): body()
    }
  }

  /// The next piece of work; waits for one.
  private func take(_ worker: Worker) -> Work? {
    while true {
      if let work = worker.takeNext() { return work }
      let work: Work? = state.withLock { state in
        if let work = state.queue.popFirst() { return work }
        state.idle += 1
        return nil
      }
      if let work { return work }
      wake.wait()
    }
  }

  // MARK: - Guests

  /// Gives a thread that is none of the executor's a place, for as long as it serves with it.
  ///
  /// - Parameter replace: Called from another thread when the guest's work takes long: another thread has to do
  ///   the task of the guest.
  func makeGuest(_ replace: @escaping @Sendable () -> Void) -> Worker {
    let guest = Worker(self, replace: replace)
    watchOver(guest)
    return guest
  }

  /// Takes a guest's place away.
  func dismiss(_ guest: Worker) {
    state.withLock { $0.workers.removeAll { $0 === guest } }
    if let left = guest.takeNext() { push(left) }
  }

  /// Does something on the guest's thread, and after it what that has made ready: which costs no change of threads.
  ///
  /// - Returns: `false` if the guest has been replaced meanwhile.
  func serve(_ guest: Worker, _ body: () -> Void) -> Bool {
    guest.becomeCurrent()
    defer { Worker.resign() }
    body()
    while let work = guest.takeNext() {
      perform(work, on: guest)
      if guest.end() { return false }
    }
    return true
  }

  // MARK: - The watchdog

  private func watch() {
    var quiet = 0
    while true {
      Thread.sleep(forTimeInterval: 0.01)
      let workers = state.withLock { $0.workers }
      var isBusy = false
      for worker in workers {
        guard let stuck = worker.check() else { continue }
        isBusy = true
        guard let blocked = stuck.givenUp else { continue }
        if case .call(_, let blocks) = blocked { blocks() }
        if let replace = worker.replace {
          replace()
          if let left = worker.takeNext() { push(left) }
          continue
        }
        // It no longer counts; work that waits behind it goes to other threads.
        let needsThread = state.withLock { state in
          state.active -= 1
          guard state.queue.isEmpty == false, state.idle == 0, state.active < width else { return false }
          state.active += 1
          return true
        }
        if needsThread { startWorker() }
        if let left = worker.takeNext() { push(left) }
      }
      quiet = isBusy ? 0 : quiet + 1
      if quiet > 2 {
        watchdog.sleep()
        quiet = 0
      }
    }
  }

  /// The sleep of the watchdog while nothing happens.
  private final class Watchdog: Sendable {
    private let isAsleep = Atomic(false)
    private let signal = DispatchSemaphore(value: 0)

    var sleeps: Bool { isAsleep.load(ordering: .relaxed) }

    func sleep() {
      isAsleep.store(true, ordering: .sequentiallyConsistent)
      signal.wait()
    }

    func wake() {
      if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { signal.signal() }
    }
  }
}

extension PluginExecutor {
  /// One thread, as others see it.
  final class Worker: Sendable {
    private struct State {
      var next: Work?
      var present: Work?
      var isGivenUp = false
      /// The beat that the watchdog saw last.
      var seen: UInt64 = .max
      var sightings = 0
    }

    /// The state of a busy thread, as the watchdog sees it.
    struct Finding {
      /// The work at which the thread has just been given up.
      var givenUp: Work?
    }

    private unowned let executor: PluginExecutor
    private let state = Mutex(State())
    /// Grows with every piece of work.
    private let beats = Atomic<UInt64>(0)

    /// Of a guest: starts a thread that takes over the guest's own task.
    let replace: (@Sendable () -> Void)?

    init(_ executor: PluginExecutor, replace: (@Sendable () -> Void)? = nil) {
      self.executor = executor
      self.replace = replace
    }

    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      return key
    }()

    static func current(of executor: PluginExecutor) -> Worker? {
      guard let raw = pthread_getspecific(key) else { return nil }
      let worker = Unmanaged<Worker>.fromOpaque(raw).takeUnretainedValue()
      return worker.executor === executor ? worker : nil
    }

    func becomeCurrent() { pthread_setspecific(Worker.key, Unmanaged.passUnretained(self).toOpaque()) }

    /// The present thread has no place any more.
    static func resign() { pthread_setspecific(Worker.key, nil) }

    /// Puts work in for next; the work that stood there, or this one where the thread has been given up.
    func setNext(_ work: Work) -> Work? {
      state.withLock { state in
        if state.isGivenUp { return work }
        defer { state.next = work }
        return state.next
      }
    }

    func takeNext() -> Work? {
      state.withLock { state in
        defer { state.next = nil }
        return state.next
      }
    }

    func begin(_ work: Work) {
      state.withLock { $0.present = work }
      beats.wrappingAdd(1, ordering: .relaxed)
    }

    /// Notes the end of a piece of work.
    ///
    /// - Returns: Whether the thread was given up meanwhile.
    func end() -> Bool {
      state.withLock { state in
        state.present = nil
        defer { state.isGivenUp = false }
        return state.isGivenUp
      }
    }

    /// The state of the thread, for the watchdog; `nil` if it waits for work.
    func check() -> Finding? {
      state.withLock { state in
        guard let present = state.present, !state.isGivenUp else {
          state.sightings = 0
          return nil
        }
        let beat = beats.load(ordering: .relaxed)
        state.sightings = beat == state.seen ? state.sightings + 1 : 0
        state.seen = beat
        guard state.sightings >= 2 else { return Finding(givenUp: nil) }
        state.sightings = 0
        state.isGivenUp = true
        return Finding(givenUp: present)
      }
    }
  }
}

/// A first-in, first-out queue.
struct WorkQueue<Element> {
  private var incoming: [Element] = []
  private var outgoing: [Element] = []

  var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

  mutating func append(_ element: Element) { incoming.append(element) }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}
