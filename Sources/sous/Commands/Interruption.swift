import Dispatch
import Glibc

/// Ctrl-C and termination while something runs.
enum Interruption {
  /// Works until done; the first SIGINT or SIGTERM cancels the work, which may then come to an orderly end, and the
  /// second ends the process at once.
  static func untilInterrupted<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let work = Task { try await body() }
    let signals = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if work.isCancelled { _exit(ExitStatus.interrupted) }
        work.cancel()
      }
      source.resume()
      return source
    }
    defer { signals.forEach { $0.cancel() } }
    return try await work.value
  }
}
