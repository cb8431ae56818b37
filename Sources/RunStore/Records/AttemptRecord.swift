public import Expressions

/// One attempt of a step, or of one item of it.
public struct AttemptRecord: Sendable {
  /// Where an attempt stands.
  public enum Status: String, Sendable, CaseIterable {
    /// Its intent is recorded, its end is not: it is at work, or its process was lost.
    case running
    /// It gave a result.
    case succeeded
    /// It failed.
    case failed
  }

  /// 1 for the first attempt.
  public var number: Int
  /// The item's position in a `for_each`, from 0.
  public var item: Int?
  /// The configured name of the provider; `builtin` for Sous itself.
  public var provider: String
  /// The idempotency key.
  public var key: String
  /// Where it stands.
  public var status: Status
  /// When it began.
  public var startedAt: Timestamp
  /// When it ended.
  public var endedAt: Timestamp?
  /// How long it took, in seconds of the monotonic clock.
  public var duration: Double?
  /// The size of the input as JSON, in bytes.
  public var inputBytes: Int
  /// The size of the output as JSON, in bytes; `nil` until it has ended.
  public var outputBytes: Int?
  /// Why it failed.
  public var failure: RecordedFailure?
  /// Seconds until the next attempt; `nil` where there was none.
  public var retryDelay: Double?
  /// Whether nobody knows if it took effect.
  public var isUncertain: Bool

  /// The attempt for `sous show --json`.
  ///
  /// `{number, item, provider, key, status, started_at, ended_at, duration_ms, input_bytes, output_bytes, failure,
  /// retry_delay_ms, uncertain}`: `status` is `running`, `succeeded` or `failed`, `failure` as ``RecordedFailure/json``.
  public var json: Value {
    .object([
      ("number", .number(number)),
      ("item", .number(item)),
      ("provider", .string(provider)),
      ("key", .string(key)),
      ("status", .string(status.rawValue)),
      ("started_at", .time(startedAt)),
      ("ended_at", .time(endedAt)),
      ("duration_ms", .milliseconds(duration)),
      ("input_bytes", .number(inputBytes)),
      ("output_bytes", .number(outputBytes)),
      ("failure", failure?.json ?? .null),
      ("retry_delay_ms", .milliseconds(retryDelay)),
      ("uncertain", .bool(isUncertain)),
    ])
  }
}
