import CProcess
import CSystemCalls
import Glibc
import OperatingSystem

/// Waits for the end of a program that has been started: reads what it writes and ends what has to end. Blocks its thread.
struct ProgramWatch {
  private enum Phase {
    /// It runs.
    case running
    /// It has ended by itself; its child processes may still be writing.
    case draining
    /// Its group was asked to end.
    case terminating
    /// Its group was ended; the rest in the pipes is read.
    case killed
  }

  private let process: pid_t
  private let bell: Bell
  private let output: Pipe
  private let errors: Pipe
  private let limit: Int
  private let stop: StopWay

  private var phase = Phase.running
  private var deadline: Double?
  private var hasEnded = false
  private var isCancelled = false
  private var wasStopped = false
  private var captured = (output: Program.Captured(), errors: Program.Captured())
  private var log: ProgramLog

  init(process: pid_t, bell: Bell, output: Pipe, errors: Pipe, limit: Int, stop: StopWay, log: ProgramLog) {
    self.process = process
    self.bell = bell
    self.output = output
    self.errors = errors
    self.limit = limit
    self.stop = stop
    self.log = log
  }

  /// Returns when the program has ended, its group with it, and all of its output has been read.
  mutating func waitForEnd() -> Program.Result {
    RunningPrograms.begin(process)
    let number = process_open(process)
    let exit = number >= 0 ? Descriptor(number) : nil
    while !hasEnded || output.isOpen || errors.isOpen {
      step(exit)
      if phase == .killed, hasEnded, isLate { break }
    }
    // It is still a zombie, so that the group's number is its own: nothing of it is left behind.
    kill(-process, SIGKILL)
    RunningPrograms.end(process)
    var status: Int32 = 0
    _ = try? uninterrupted { waitpid(process, &status, 0) }
    let signal = Int(status & 0x7f)
    return Program.Result(
      ending: signal != 0 ? .signalled(signal) : .exited(Int(status >> 8 & 0xff)), output: captured.output,
      errors: captured.errors, wasStopped: wasStopped, log: log)
  }

  /// Waits for the next thing to happen and deals with it.
  private mutating func step(_ exit: Descriptor?) {
    // A negative descriptor is skipped.
    var descriptors = [
      pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: hasEnded ? -1 : exit?.number ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isCancelled ? -1 : bell.descriptor.number, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&descriptors, nfds_t(descriptors.count), timeout(isWatched: exit != nil))
    if descriptors[0].revents != 0 { read(output, .output) }
    if descriptors[1].revents != 0 { read(errors, .errors) }
    let isStopped = descriptors[3].revents != 0
    // First its end: a program that had ended by itself was not stopped.
    if !hasEnded, descriptors[2].revents != 0 || exit == nil || isStopped, process_has_ended(process) != 0 {
      hasEnded = true
      if phase == .running { enter(.draining, for: stop.grace) }
    }
    if isStopped {
      isCancelled = true
      wasStopped = !hasEnded
      if phase == .running || phase == .draining { terminate() }
    }
    if isLate { goOn() }
  }

  /// The time of a phase is over.
  private mutating func goOn() {
    switch phase {
    case .running: break
    case .draining: terminate()
    case .terminating:
      kill(-process, SIGKILL)
      enter(.killed, for: 1)
    case .killed: break
    }
  }

  private mutating func terminate() {
    kill(-process, stop.signal)
    // A stopped process hears nothing.
    kill(-process, SIGCONT)
    enter(.terminating, for: stop.grace)
  }

  private mutating func enter(_ next: Phase, for seconds: Double) {
    phase = next
    deadline = Self.now + seconds
  }

  private var isLate: Bool { deadline.map { Self.now >= $0 } ?? false }

  /// Milliseconds to the deadline; the end of a process is looked for every now and then if no event reports it.
  private func timeout(isWatched: Bool) -> Int32 {
    let rest = deadline.map { Int32(clamping: Int((max(0, min($0 - Self.now, 86_400)) * 1000).rounded(.up))) } ?? -1
    // A process that even SIGKILL does not end at once is waited for all the same.
    if phase == .killed, rest == 0 { return 20 }
    if isWatched || hasEnded { return rest }
    return rest < 0 ? 20 : min(rest, 20)
  }

  private mutating func read(_ pipe: Pipe, _ stream: ProgramLog.Stream) {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      let count = Glibc.read(pipe.reading, buffer.baseAddress, buffer.count)
      if count > 0 {
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        switch stream {
        case .output: captured.output.add(bytes, limit: limit)
        case .errors: captured.errors.add(bytes, limit: limit)
        }
        log.add(bytes, from: stream, at: Self.now)
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        pipe.closeReading()
      }
    }
  }

  /// Seconds of the monotonic clock.
  static var now: Double { MonotonicClock.seconds }
}
