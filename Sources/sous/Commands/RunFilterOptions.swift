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
      valueName: "status"), completion: Completions.statuses)
  var status: [String] = []

  @Option(
    help: ArgumentHelp(say("Only runs of this recipe.", de: "Nur Läufe dieses Rezepts."), valueName: "name"),
    completion: Completions.recipes)
  var recipe: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Only runs that this user of the server has started.",
        de: "Nur Läufe, die dieser Benutzer des Servers gestartet hat."),
      valueName: "user"), completion: Completions.users)
  var startedBy: String?

  @OptionGroup var times: TimeRangeOptions

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
    if let text, SearchWords(text) == nil {
      throw ValidationError(say("--text needs a word", de: "--text braucht ein Wort"))
    }
  }

  /// Whether anything but a time is asked for.
  var isEmpty: Bool { status.isEmpty && recipe == nil && startedBy == nil && times.isEmpty && text == nil }

  /// The words to look for.
  var words: SearchWords? { text.flatMap { SearchWords($0) } }

  /// The filter, for a number of runs at most.
  func filter(limit: Int = .max) -> RunFilter {
    let (since, until) = times.range(at: SystemTime().now)
    var filter = RunFilter(
      statuses: Set(status.compactMap(RunStatus.init)), recipe: recipe, since: since, until: until,
      words: words, limit: limit)
    filter.startedBy = startedBy.map { [$0] }
    return filter
  }
}
