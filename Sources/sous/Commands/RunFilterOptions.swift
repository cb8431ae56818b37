import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore

/// Which runs a command is about.
struct RunFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      say("Only runs with this status; may be repeated.", de: "Nur Läufe mit diesem Status; mehrfach möglich."),
      valueName: "status"))
  var status: [String] = []

  @Option(help: ArgumentHelp(say("Only runs of this recipe.", de: "Nur Läufe dieses Rezepts."), valueName: "name"))
  var recipe: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Only from this time on: 2h, 7d, today, 2026-11-21, '2026-11-21 07:30'.",
        de: "Nur ab diesem Zeitpunkt: 2h, 7d, today, 2026-11-21, '2026-11-21 07:30'."), valueName: "time"))
  var since: String?

  @Option(
    help: ArgumentHelp(
      say("Only before this time, written likewise.", de: "Nur vor diesem Zeitpunkt, ebenso geschrieben."),
      valueName: "time"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Only where these words occur: beginnings of words; \"phrases\" between quotes.",
        de: "Nur, wo diese Wörter vorkommen: Anfänge von Wörtern; \"Wortfolgen\" in Anführungszeichen."),
      valueName: "words"))
  var text: String?

  mutating func validate() throws {
    for name in status where RunStatus(rawValue: name) == nil {
      let known = RunStatus.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        say("unknown status '\(name)': one of \(known)", de: "unbekannter Status '\(name)': einer von \(known)"))
    }
    for (option, value) in [("--since", since), ("--until", until)] {
      guard let value, PointInTime.read(value, now: SystemTime().now) == nil else { continue }
      throw ValidationError(
        say(
          "\(option) takes 90s, 2h, 7d, today, yesterday, 2026-11-21 or '2026-11-21 07:30', not '\(value)'",
          de: "\(option) nimmt 90s, 2h, 7d, today, yesterday, 2026-11-21 oder '2026-11-21 07:30', nicht '\(value)'"))
    }
    if let text, SearchWords(text) == nil {
      throw ValidationError(say("--text needs a word", de: "--text braucht ein Wort"))
    }
  }

  /// Whether anything but a time is asked for.
  var isEmpty: Bool { status.isEmpty && recipe == nil && since == nil && until == nil && text == nil }

  /// The words to look for.
  var words: SearchWords? { text.flatMap { SearchWords($0) } }

  /// The filter, for a number of runs at most.
  func filter(limit: Int = .max) -> RunFilter {
    let now = SystemTime().now
    return RunFilter(
      statuses: Set(status.compactMap(RunStatus.init)), recipe: recipe,
      since: since.flatMap { PointInTime.read($0, now: now) }, until: until.flatMap { PointInTime.read($0, now: now) },
      words: words, limit: limit)
  }
}
