#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Date
#else
  public import struct Foundation.Date
#endif

/// The host's time.
public struct HostClock: Sendable {
  let services: any HostServices

  /// The time of day, to the millisecond.
  public var now: Date {
    Date(timeIntervalSince1970: Double(services.now()) / 1000)
  }

  /// The time since an arbitrary start, never going backwards.
  public var monotonic: Duration {
    .nanoseconds(Int64(clamping: services.monotonic()))
  }

  /// Waits. With a host in memory the time passes at once.
  ///
  /// - Throws: `cancelled` if the task is.
  public func sleep(for duration: Duration) async throws(ActionError) {
    do { try await services.sleep(for: duration) } catch { throw ActionError.cancelled }
  }

  /// Does something that has to be done within a time, and is cancelled when that is over.
  ///
  /// ```swift
  /// let line = try await context.clock.withTimeout(.seconds(30)) { try await stream.readLine() }
  /// ```
  ///
  /// - Parameters:
  ///   - duration: The time allowed.
  ///   - body: The work; it has to end soon when it is cancelled.
  /// - Throws: `timeout`, or what the body throws.
  public func withTimeout<Result: Sendable>(
    _ duration: Duration, _ body: @escaping @Sendable () async throws -> Result
  ) async throws(ActionError) -> Result {
    do {
      return try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await body() }
        group.addTask {
          try await services.timer(for: duration)
          return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let result = first else {
          throw ActionError(
            .timeout, "Not done within \(duration).", german: "Nicht fertig innerhalb von \(duration).")
        }
        return result
      }
    } catch {
      throw ActionError(any: error)
    }
  }
}
