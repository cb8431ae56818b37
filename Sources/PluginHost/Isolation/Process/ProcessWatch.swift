import CIsolation
import Engine
import Foundation
import OperatingSystem
import PluginBoundary
import Synchronization

/// Takes what a worker process prints, and ends the process if it uses too much; on a thread of its own.
final class ProcessWatch: Sendable {
  /// The state on which the limits of a process depend.
  struct Activity {
    /// The calls that wait for an answer, without those that subscribe to a trigger.
    var calls: Set<UInt64>
    /// How many calls subscribe to a trigger.
    var subscriptions: Int
    /// Whether the instance is open.
    var isOpen: Bool
    /// When the process was asked to end, in seconds of the monotonic clock.
    var closingSince: Double?

    /// Whether the process has a call, or is about to open or to close its instance.
    var isBusy: Bool { !calls.isEmpty || subscriptions > 0 || !isOpen || closingSince != nil }
  }

  /// Milliseconds between two measurements.
  private static let tick: Int32 = 250
  /// Ticks without a call after which the process is measured only every ``idleTick``, until the next call.
  private static let quietTicks = 20
  /// Milliseconds between two measurements of a process without calls: its threads may still run.
  private static let idleTick: Int32 = 2000

  private let isTicking = Atomic<Bool>(true)
  private let isOver = Atomic<Bool>(false)
  /// Ends the wait of the thread; -1 if it could not be made: then only the timeout ends the wait.
  private let bell: Int32
  private let ended = DispatchSemaphore(value: 0)
  private let lastWords = Mutex("")

  init() {
    var bell: Int32 = -1
    _ = isolation_make_bell(&bell)
    self.bell = bell
  }

  deinit {
    if bell >= 0 { Foundation.close(bell) }
  }

  /// A call has begun: measures every ``tick`` from now on.
  func wake() {
    if isTicking.load(ordering: .relaxed) { return }
    if !isTicking.exchange(true, ordering: .sequentiallyConsistent) { isolation_ring(bell) }
  }

  /// The socket is at its end: the watch does not wait for further output.
  func stopsWaiting() { isOver.store(true, ordering: .sequentiallyConsistent) }

  /// Waits until the thread has read the rest of the output.
  ///
  /// - Returns: The last line that the process printed, without secrets; `nil` if the thread still runs.
  func stop(within seconds: Int) -> String? {
    isolation_ring(bell)
    guard ended.wait(timeout: .now() + .seconds(seconds)) == .success else { return nil }
    return lastWords.withLock { $0 }
  }

  /// Watches until the process has ended. Blocks the calling thread.
  func run(_ process: ChildProcess, of owner: PluginProcess) {
    var lines = OutputLines(lineBytes: owner.setup.assignment.limits.logLineBytes + PluginLimits.lineSlack)
    var usage = ProcessorUse()
    var idle = IdleUse()
    var quiet = 0
    var isPrinting = true
    var hasEnded = false
    var nextTick = MonotonicClock.seconds
    while true {
      var places = [
        pollfd(fd: bell, events: Int16(POLLIN), revents: 0),
        pollfd(fd: isPrinting ? process.output : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: hasEnded ? -1 : process.ending, events: Int16(POLLIN), revents: 0),
      ]
      let mayWait = !hasEnded && !isOver.load(ordering: .sequentiallyConsistent)
      let isWatching = bell < 0 || isTicking.load(ordering: .sequentiallyConsistent)
      let pause = isWatching ? ProcessWatch.tick : ProcessWatch.idleTick
      _ = poll(&places, 3, mayWait ? pause : 0)
      if places[0].revents != 0 {
        isolation_silence(bell)
        nextTick = MonotonicClock.seconds
      }
      if places[1].revents != 0 {
        isPrinting = takeOutput(of: process, &lines, owner)
      } else if !mayWait {
        break
      }
      if places[2].revents != 0 {
        hasEnded = true
        // A descendant may hold the socket open; the reader still reads the bytes that have arrived.
        shutdown(process.socket, Int32(SHUT_RDWR))
      }
      guard mayWait, !hasEnded, MonotonicClock.seconds >= nextTick else { continue }
      nextTick = MonotonicClock.seconds + Double(pause) / 1000
      quiet = measure(process, &usage, &idle, owner) ? 0 : quiet + 1
      if isWatching, quiet >= ProcessWatch.quietTicks {
        quiet = 0
        isTicking.store(false, ordering: .sequentiallyConsistent)
        // A call may have begun since the measurement.
        if owner.needsWatch { isTicking.store(true, ordering: .sequentiallyConsistent) }
      }
    }
    log(lines.finish(), of: owner)
    lastWords.withLock { $0 = owner.services.mask(lines.lastWords).singleLine(limit: 300) }
    ended.signal()
  }

  /// Reads what the process has printed; `false` at the end.
  private func takeOutput(of process: ChildProcess, _ lines: inout OutputLines, _ owner: PluginProcess) -> Bool {
    guard let bytes = try? Descriptor.read(from: process.output, upTo: 64 << 10), !bytes.isEmpty else { return false }
    log(lines.append(bytes[...], at: MonotonicClock.seconds), of: owner)
    return true
  }

  private func log(_ lines: [OutputLines.Line], of owner: PluginProcess) {
    for line in lines {
      switch line {
      case .text(let text): owner.services.log(.info, text, call: 0)
      case .cutOff: owner.services.reportDefect("it prints too much; lines are left out", level: .warning)
      }
    }
  }

  /// Measures the process, and ends it if it uses too much; `false` if it has nothing to do.
  private func measure(
    _ process: ChildProcess, _ usage: inout ProcessorUse, _ idle: inout IdleUse, _ owner: PluginProcess
  ) -> Bool {
    let activity = owner.activity
    let setup = owner.setup
    let limits = setup.limits
    if let since = activity.closingSince, MonotonicClock.seconds - since > setup.closeSeconds {
      owner.services.reportDefect(
        "'destroy' did not return within \(setup.closeSeconds) s; its process was ended", level: .error)
      owner.end(.closed)
      return true
    }
    if !activity.isOpen, owner.age > setup.openSeconds { owner.end(.slow) }
    var memory: UInt64 = 0
    var threads: UInt32 = 0
    var time: UInt64 = 0
    guard isolation_measure(process.id, &memory, &threads, &time) == 0 else { return true }
    if memory > limits.residentMemory { owner.end(.memory) }
    if threads > limits.threads { owner.end(.threads) }
    if usage.longest(activity.calls, at: time) > limits.processorSeconds { owner.end(.processorTime) }
    let isIdle = activity.calls.isEmpty && activity.isOpen && activity.closingSince == nil
    // A trigger runs for days: it may use the time of a call at once, and a larger share after that.
    let hasTrigger = activity.subscriptions > 0
    idle.share = hasTrigger ? IdleUse.shareOfTriggers : IdleUse.usualShare
    let idleLimit = hasTrigger ? limits.processorSeconds : min(limits.idleSeconds, limits.processorSeconds)
    if idle.seconds(isIdle: isIdle, used: time, at: MonotonicClock.seconds) > idleLimit { owner.end(.idleTime) }
    if let folder = setup.folder, idle.isTimeToMeasure(at: MonotonicClock.seconds) {
      if folder.bytes(limit: limits.temporaryBytes) > limits.temporaryBytes { owner.end(.temporaryFiles) }
    }
    return activity.isBusy
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
