import Engine
import Expressions
import Glibc
import Localization
import Schemas

/// How a program is stopped: a signal first, and SIGKILL after a time.
struct StopWay {
  /// The signals that a recipe can name.
  static let signals: [(name: String, number: Int32)] = [
    ("SIGTERM", SIGTERM), ("SIGINT", SIGINT), ("SIGQUIT", SIGQUIT), ("SIGHUP", SIGHUP), ("SIGUSR1", SIGUSR1),
    ("SIGUSR2", SIGUSR2),
  ]
  /// The longest time between the signal and SIGKILL, in seconds.
  private static let longest = 600.0

  /// The signal that the process group gets first.
  var signal: Int32 = SIGTERM
  /// Seconds between the signal and SIGKILL, and between the program's own end and that of what it has left behind.
  var grace: Double = 5

  /// SIGTERM, and SIGKILL after so many seconds.
  init(grace: Double) { self.grace = grace }

  /// Reads `stop` and `grace` of a call.
  ///
  /// - Throws: ``Engine/ActionFailure`` of kind `invalid_input` if both name a time, or `after` is not a duration up to 10 minutes.
  init(_ call: BuiltinCall) throws(ActionFailure) {
    let stop = call.input["stop"]
    if let name = stop?["signal"]?.stringValue, let known = Self.signals.first(where: { $0.name == name }) {
      signal = known.number
    }
    let given = call.input["grace"]?.doubleValue
    if let given { grace = min(max(given, 0), Self.longest) }
    guard let after = stop?["after"] else { return }
    guard given == nil else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "'after' of 'stop' and 'grace' both say when SIGKILL follows; leave out 'grace'",
          de: "'after' von 'stop' und 'grace' sagen beide, wann SIGKILL folgt; 'grace' weglassen"))
    }
    let seconds = after.stringValue.flatMap(DurationText.seconds) ?? after.doubleValue
    guard let seconds, seconds >= 0, seconds <= Self.longest else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "'after' of 'stop' is a duration from 0s to 10m, such as 10s",
          de: "'after' von 'stop' ist eine Dauer von 0s bis 10m, etwa 10s"))
    }
    grace = seconds
  }
}
