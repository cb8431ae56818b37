/// How much the host lets plugins do.
public struct PluginLimits: Sendable {
  /// The largest answer in bytes.
  public var answerBytes = 64 << 20
  /// The largest manifest in bytes.
  public var manifestBytes = 1 << 20
  /// The largest delta in bytes.
  public var deltaBytes = 1 << 20
  /// The largest body of a request, or piece of one, that a plugin hands over at once, in bytes.
  public var requestBytes = 256 << 20
  /// Bytes of a line that are passed on beyond ``logLineBytes``, so that a secret at the cut is seen whole and can be masked.
  package static let lineSlack = 64 << 10
  /// The longest log line in bytes; the rest is cut off.
  public var logLineBytes = 16 << 10
  /// The most log lines of one call; the rest is dropped.
  public var logLines = 10_000
  /// The shortest time between two reports of progress of one call, in seconds; others are dropped.
  public var progressInterval = 0.05
  /// Seconds a cancelled call may take to end before the host stops waiting for it.
  public var cancelGrace = 2.0
  /// Seconds `start` may take to return.
  public var startSeconds = 30.0
  /// Seconds trying a plugin out may take; the probe itself has a limit of its own.
  public var probeSeconds = 30.0
  /// Seconds getting the secrets of a provider may take; the user may have to type a passphrase.
  public var secretSeconds = 300.0
  /// Seconds loading a library, and then `create`, may take.
  public var createSeconds = 10.0
  /// The most threads that call functions of one plugin at once.
  public var threads = 64

  /// Creates the default limits.
  public init() {}
}
