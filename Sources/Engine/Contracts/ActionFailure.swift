public import Expressions
public import Localization
import Schemas

/// Why an attempt failed, decided where the failure is understood.
public struct ActionFailure: CodedError {
  /// What sort of failure it was; decides whether a repetition can help.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as the run log and plugins spell it.
    public let rawValue: String
    /// Creates a kind from its name; a name that is not known counts as permanent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A host name did not resolve.
    public static let dns = Kind(rawValue: "dns")
    /// No answer within the time allowed.
    public static let timeout = Kind(rawValue: "timeout")
    /// The connection was refused.
    public static let refused = Kind(rawValue: "refused")
    /// The host or network cannot be reached.
    public static let unreachable = Kind(rawValue: "unreachable")
    /// Reading or writing failed midway.
    public static let io = Kind(rawValue: "io")
    /// The service asks to slow down.
    public static let rateLimited = Kind(rawValue: "rate_limited")
    /// The service failed on its side.
    public static let server = Kind(rawValue: "server")
    /// An answer came, but it is not what was asked for; the next one may be. It says nothing about whether the service is
    /// well.
    public static let unsuitable = Kind(rawValue: "unsuitable")
    /// The plugin crashed.
    public static let crashed = Kind(rawValue: "crashed")
    /// Credentials are missing, wrong or not sufficient.
    public static let auth = Kind(rawValue: "auth")
    /// An allowance is used up; waiting a little does not help.
    public static let quota = Kind(rawValue: "quota")
    /// The other side, a plugin included, did not keep to the protocol.
    public static let `protocol` = Kind(rawValue: "protocol")
    /// An answer or a file could not be read.
    public static let parse = Kind(rawValue: "parse")
    /// The input cannot be worked with.
    public static let invalidInput = Kind(rawValue: "invalid_input")
    /// What was named does not exist.
    public static let notFound = Kind(rawValue: "not_found")
    /// The provider cannot do this.
    public static let unsupported = Kind(rawValue: "unsupported")
    /// The action was carried out and came to a bad end, for all to see: a program ended with a status that is none of
    /// success, a condition did not hold. Nothing about it is uncertain. It is repeated only where
    /// ``Plans/RetryPolicy/repeatsFailed`` says so.
    public static let failed = Kind(rawValue: "failed")
    /// A program has done its work, but its output is not what the recipe expects. Permanent: a second run would do the work
    /// twice.
    public static let badOutput = Kind(rawValue: "bad_output")
    /// All steps have done their work, but an expression of the run's `outputs` cannot be evaluated. Neither this run nor a run
    /// that has it as a step undoes work for that.
    public static let outputs = Kind(rawValue: "outputs")
    /// The action of a step with `repeat` succeeded, but `until` is not true yet: the step is repeated.
    public static let notYet = Kind(rawValue: "not_yet")
    /// The condition `until` of a step was not true within the `limit` of its `repeat`.
    public static let repeatLimit = Kind(rawValue: "repeat_limit")
    /// A person has refused it.
    public static let rejected = Kind(rawValue: "rejected")
    /// The attempt was cancelled.
    public static let cancelled = Kind(rawValue: "cancelled")

    /// Whether the failure may pass by itself, so that a repetition makes sense.
    public var isTransient: Bool { Kind.transient.contains(self) }

    /// Whether nobody could be reached, or nobody answered.
    public var reachesNobody: Bool { Kind.unreached.contains(self) }

    /// Whether an action that failed like this may have taken effect all the same: its answer was lost, not its work.
    ///
    /// For an action with the effect ``Plans/Effect/once`` such a failure is settled by `verify` before anything is
    /// repeated. All other kinds say that the other side refused, or was never reached.
    public var leavesEffectOpen: Bool { Kind.open.contains(self) }

    private static let unreached: Set<Kind> = [.dns, .refused, .unreachable, .timeout, .io]
    private static let open: Set<Kind> = [.timeout, .io, .crashed, .unsuitable, .protocol, .parse, .cancelled]
    private static let transient: Set<Kind> = [
      .dns, .timeout, .refused, .unreachable, .io, .rateLimited, .server, .unsuitable, .crashed,
    ]
  }

  /// The defect of an answer that came and is not accepted.
  public enum Flaw: Sendable {
    /// The same provider would give the same answer: it is not asked again.
    case final
    /// The same provider may be asked once more at once, with this input.
    indirect case repairable(Value)
  }

  /// The sort of failure.
  public var kind: Kind
  /// The sort of failure, as the code of the error.
  public var code: Kind { kind }
  /// What happened, with the other side's own words where it gave some.
  public var message: LocalizedText
  /// What the user should do; `nil` where nothing but waiting helps.
  public var advice: LocalizedText?
  /// Seconds the other side asked to wait before the next attempt.
  public var retryAfter: Double?
  /// The output of the failed action in the form of a successful one, as far as it exists, without secrets: status and last part
  /// of the output of a program, status and body of a response. Expressions read it as `error.output` and `failure.output`.
  public var output: Value?
  /// What an answer has used that was paid for and could not be taken; `nil` where nothing is known of that.
  public var usage: TokenCount?
  /// The defect of an answer that came; `nil` if none came, or if the retry policy decides by ``kind`` alone.
  public var flaw: Flaw?
  /// Whether the other side was asked at all: what Sous itself refuses beforehand says nothing about a provider.
  public var wasSent = true
  /// Whether a run that ends with this failure counts as skipped instead of failed, because nothing was left to do. Only
  /// built-in actions set it.
  public var skipsRun = false

  /// Creates a failure.
  public init(_ kind: Kind, _ message: LocalizedText, advice: LocalizedText? = nil, retryAfter: Double? = nil) {
    self.kind = kind
    self.message = message
    self.advice = advice
    self.retryAfter = retryAfter
  }

  /// The failure with the reasons of other providers that were asked, of each up to 300 characters.
  public func beside(_ others: [(provider: String, message: LocalizedText)]) -> ActionFailure {
    guard !others.isEmpty else { return self }
    let list = others.map { other in
      LocalizedText(
        "'\(other.provider)': \(other.message.english.prefix(300))",
        de: "'\(other.provider)': \(other.message.german.prefix(300))")
    }
    var failure = self
    failure.message =
      message + LocalizedText(" (other providers: ", de: " (andere Provider: ") + .joined(list, areAll: true)
      + LocalizedText(verbatim: ")")
    return failure
  }
}
