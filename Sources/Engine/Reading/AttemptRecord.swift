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
  /// Who was asked.
  public var kind: AttemptKind
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
  public var failure: ActionFailure?
  /// Seconds until the next attempt; `nil` where there was none.
  public var retryDelay: Double?
  /// Whether nobody knows if it took effect.
  public var isUncertain: Bool
  /// The last lines that it has logged, where it has failed: for a program, what it has written. `nil` where they were
  /// not asked for.
  public var lines: [String]?
  /// The step that has logged ``lines``, if this attempt is a run of a block or a recipe; `nil` for lines of its own.
  public var logging: LoggingStep?

  /// A step of another run.
  public struct LoggingStep: Sendable, Hashable {
    /// The run that the step belongs to.
    public var run: RunID
    /// The step's id.
    public var step: String

    package init(run: RunID, step: String) { (self.run, self.step) = (run, step) }
  }

  package init(
    number: Int, item: Int? = nil, kind: AttemptKind, key: String, status: Status, startedAt: Timestamp,
    endedAt: Timestamp? = nil, duration: Double? = nil, inputBytes: Int, outputBytes: Int? = nil,
    failure: ActionFailure? = nil, retryDelay: Double? = nil, isUncertain: Bool, lines: [String]? = nil
  ) {
    self.number = number
    self.item = item
    self.kind = kind
    self.key = key
    self.status = status
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.duration = duration
    self.inputBytes = inputBytes
    self.outputBytes = outputBytes
    self.failure = failure
    self.retryDelay = retryDelay
    self.isUncertain = isUncertain
    self.lines = lines
  }

  /// The attempt for `sous show --json`.
  ///
  /// `{number, item, kind, provider, key, status, started_at, ended_at, duration_ms, input_bytes, output_bytes, failure,
  /// retry_delay_ms, uncertain, log, logged_by}`: `log` is a list of lines, `logged_by` is `{run, step}` if a step of
  /// another run has logged them, `kind` is
  /// ``AttemptKind/name``, `provider` is the configured name, or `builtin`,
  /// `recipe`, `cache`, `replay` or `earlier` where none was asked, `status` is `running`, `succeeded` or `failed`,
  /// `failure` as ``ActionFailure/json``.
  public var json: Value {
    var fields: [(String, Value)] = [
      ("number", .number(number)),
      ("item", .number(item)),
      ("kind", .string(kind.name)),
      ("provider", .string(kind.label)),
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
    ]
    if let lines { fields.append(("log", .list(lines.map(Value.string)))) }
    if let logging {
      fields.append(("logged_by", .object([("run", .string(logging.run.rawValue)), ("step", .string(logging.step))])))
    }
    return .object(fields)
  }
}
