import Dispatch
import Foundation
import Synchronization

/// Runs all tasks of the process on one thread, in an order that the seed decides, on a clock of its own: when nothing is
/// left to run, the clock jumps to the next moment for which somebody sleeps.
///
/// Every job that Swift would give to its pool of threads comes here instead. The store works on threads of its own;
/// while a call of it is under way nothing else runs, so that what happens depends on nothing but the seed.
final class Scheduler: SerialExecutor {
  static let shared = Scheduler()

  private struct Sleeper {
    var wakesAt: Double
    var number: Int
    var continuation: UnsafeContinuation<Bool, Never>
  }

  private struct State {
    var ready: [UnownedJob] = []
    /// Jobs of a call of the store, and of whatever it brings about.
    var urgent: [UnownedJob] = []
    /// Calls of the store under way: one at most, and what a process does when it wakes up.
    var calls = 0
    var clock = 0.0
    var number = 0
    var sleepers: [Int: Sleeper] = [:]
    var chance = Chance(0)
    var jobs = 0
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let thread = Mutex<pthread_t?>(nil)

  /// Seconds since the simulation began.
  var clock: Double { state.withLock { $0.clock } }
  /// How many jobs have run.
  var jobs: Int { state.withLock { $0.jobs } }

  // MARK: - Jobs

  /// Takes over from Swift's pool of threads; to be called once, before any task.
  func install() throws {
    thread.withLock { $0 = pthread_self() }
    guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else {
      throw SimulationError("this Swift runtime has no hook for the scheduling of tasks")
    }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in Scheduler.shared.take(job) }
  }

  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  func enqueue(_ job: UnownedJob) { take(job) }

  private func take(_ job: UnownedJob) {
    let isOurs = thread.withLock { $0.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    state.withLock { state in
      if !isOurs || state.calls > 0 { state.urgent.append(job) } else { state.ready.append(job) }
    }
    if !isOurs { arrivals.signal() }
  }

  /// Forgets whatever is left of an earlier simulation and starts the clock.
  func reset(seed: UInt64) {
    state.withLock { state in
      state.ready = []
      state.sleepers = [:]
      state.clock = 0
      state.jobs = 0
      state.chance = Chance(seed)
    }
  }

  /// Runs until `isDone`; says whether it came to that, rather than to a point where nothing can go on.
  func run(until isDone: () -> Bool) -> Bool {
    while !isDone() {
      if let job = next() {
        job.runSynchronously(on: asUnownedSerialExecutor())
      } else if state.withLock({ $0.calls > 0 }) {
        arrivals.wait()
      } else if !wakeNext() {
        return false
      }
    }
    return true
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      if !state.urgent.isEmpty { return state.urgent.removeFirst() }
      guard state.calls == 0, !state.ready.isEmpty else { return nil }
      state.jobs += 1
      let index = state.chance.below(min(8, state.ready.count))
      return state.ready.remove(at: index)
    }
  }

  /// Makes a call that other threads work on; nothing else runs meanwhile.
  ///
  /// It begins as a job of its own, and ends once everything that it has brought about has had its turn: so it makes no
  /// difference whether the other thread is faster or slower than this one.
  ///
  /// - Parameters:
  ///   - life: Of the process that makes it; it may end, or stand still, before the call begins.
  ///   - body: Makes it.
  func call<Result>(of life: Life? = nil, _ body: () async throws -> Result) async rethrows -> Result {
    await letGo()
    await life?.check()
    state.withLock { $0.calls += 1 }
    defer { state.withLock { $0.calls -= 1 } }
    do {
      let result = try await body()
      await settle()
      return result
    } catch {
      await settle()
      throw error
    }
  }

  /// Makes a call that nobody waits for, after what the calling task does next and before anything else happens.
  func callApart(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.calls += 1 }
    Task.detached {
      await self.letGo()
      await body()
      await self.settle()
      self.state.withLock { $0.calls -= 1 }
    }
  }

  /// Lets what is ready to run have its turn, in the order that the seed decides.
  private func letGo() async { await Task.detached {}.value }

  private func settle() async {
    while state.withLock({ !$0.urgent.isEmpty }) { await letGo() }
  }

  // MARK: - Time

  /// Sleeps; `false` where the task is cancelled before.
  func sleep(_ seconds: Double) async -> Bool {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          // After months the clock is coarser than the shortest sleep: it must move all the same.
          let wakesAt = seconds > 0 ? max(state.clock + seconds, state.clock.nextUp) : state.clock
          state.sleepers[number] = Sleeper(wakesAt: wakesAt, number: number, continuation: continuation)
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(returning: false)
    }
  }

  private func wakeNext() -> Bool {
    let sleeper: Sleeper? = state.withLock { state in
      guard let first = state.sleepers.values.min(by: { ($0.wakesAt, $0.number) < ($1.wakesAt, $1.number) }) else {
        return nil
      }
      state.sleepers[first.number] = nil
      state.clock = max(state.clock, first.wakesAt)
      return first
    }
    sleeper?.continuation.resume(returning: true)
    return sleeper != nil
  }
}

/// Why the simulation itself cannot go on.
struct SimulationError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
