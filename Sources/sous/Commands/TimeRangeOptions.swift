import ArgumentParser
import Engine
import Expressions
import Localization
import UseCases

/// From when to when a command looks.
struct TimeRangeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say(
        "Only from this time on: 2h, 7d, today, yesterday, 2026-11-21, '2026-11-21 07:30'.",
        de: "Nur ab diesem Zeitpunkt: 2h, 7d, heute, gestern, 2026-11-21, '2026-11-21 07:30'."), valueName: "time"))
  var since: String?

  @Option(
    help: ArgumentHelp(
      say("Only before this time, written likewise.", de: "Nur vor diesem Zeitpunkt, ebenso geschrieben."),
      valueName: "time"))
  var until: String?

  mutating func validate() throws {
    for (option, value) in [("--since", since), ("--until", until)] {
      guard let value, PointInTime.read(value, now: SystemTime().now) == nil else { continue }
      throw ValidationError(
        say(
          "\(option) takes \(PointInTime.forms), not '\(value)'",
          de: "\(option) nimmt \(PointInTime.forms), nicht '\(value)'"))
    }
  }

  /// Whether no time is asked for.
  var isEmpty: Bool { since == nil && until == nil }

  /// The two times, if they are asked for.
  func range(at now: Timestamp) -> (since: Timestamp?, until: Timestamp?) {
    (since.flatMap { PointInTime.read($0, now: now) }, until.flatMap { PointInTime.read($0, now: now) })
  }
}
