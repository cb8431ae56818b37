import Builtins
import Dispatch
import Engine
import Glibc
import Synchronization

/// Ctrl-C and termination while something runs.
enum Interruption {
  /// Carries signals out of the handler, which may do no more than write; the kernel keeps them until they are read.
  private static let pipe: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    _ = Glibc.pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends[0], ends[1])
  }()

  private static let cancelled = Atomic(false)

  /// Whether a signal has cancelled what this process was asked for.
  static var hasCancelled: Bool { cancelled.load(ordering: .acquiring) }

  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Works until done; the first SIGINT, SIGTERM or SIGHUP cancels the work, which may then come to an orderly end, and the
  /// second ends the process at once, with the programs that it has started.
  ///
  /// - Parameters:
  ///   - drain: The signal that the first SIGTERM sets instead of cancelling.
  ///   - reload: The action of SIGHUP instead of cancelling.
  ///   - interrupt: The action of SIGINT instead of cancelling.
  ///   - body: The work.
  static func untilInterrupted<Result: Sendable>(
    draining drain: DrainSignal? = nil, reloading reload: (@Sendable () -> Void)? = nil,
    interrupting interrupt: (@Sendable () -> Void)? = nil, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    // Made before a handler can ask for it: making it inside one could wait for itself.
    _ = pipe
    // First of all, so that nothing has begun yet that a signal could cut off.
    for number in numbers {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        let code = errno
        var signal = UInt8(truncatingIfNeeded: number)
        _ = Glibc.write(Interruption.pipe.writing, &signal, 1)
        errno = code
      }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
    let work = Task { try await body() }
    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reading, queue: .global())
    source.setEventHandler {
      // Several that come at once, as at the end of a session, are one wish.
      var signals = [UInt8](repeating: 0, count: 16)
      let count = read(pipe.reading, &signals, signals.count)
      guard count > 0 else { return }
      if let reload, signals.prefix(count).allSatisfy({ Int32($0) == SIGHUP }) { return reload() }
      if let interrupt, signals.prefix(count).allSatisfy({ Int32($0) == SIGINT }) { return interrupt() }
      if let drain, !drain.isSet, signals.prefix(count).allSatisfy({ Int32($0) == SIGTERM }) { return drain.set() }
      if work.isCancelled {
        // No later code could end them.
        RunningPrograms.kill()
        _exit(ExitStatus.interrupted)
      }
      cancelled.store(true, ordering: .releasing)
      work.cancel()
    }
    source.resume()
    defer {
      source.cancel()
      // The rest may be cut off, such as writing to a stopped terminal.
      for number in numbers { signal(number, SIG_DFL) }
    }
    return try await work.value
  }
}
