import Access
import ArgumentParser
import Engine
import Expressions
import Localization
import UseCases

/// `sous audit`: who has changed what.
struct AuditCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "audit",
      abstract: say(
        "Show who has signed in and who has changed what.", de: "Zeigen, wer sich angemeldet und wer was geändert hat."),
      subcommands: [AuditListCommand.self], defaultSubcommand: AuditListCommand.self)
  }
}

/// `sous audit list`
struct AuditListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say(
        "List entries of the audit log, the newest first.",
        de: "Einträge des Audit-Protokolls auflisten, die neuesten zuerst."))
  }

  @OptionGroup var times: TimeRangeOptions

  @Option(
    help: ArgumentHelp(
      say("Entries by this user or about this user.", de: "Einträge von diesem Benutzer oder über ihn."),
      valueName: "user"),
    completion: Completions.users)
  var user: String?

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 50

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if limit < 1 { throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein")) }
  }

  func run() async throws {
    let range = times.range(at: SystemTime().now)
    let filter = AuditFilter(user: user, since: range.since, before: range.until)
    let limit = limit
    let entries = try Workspace(global).readingAccess({ try $0.audit(filter, limit: limit) }, ifMissing: { [] })
    if format.json { return writeJSON(.list(entries.map(\.json))) }
    guard !entries.isEmpty else { return write(say("No entries.\n", de: "Keine Einträge.\n")) }
    write(Self.table(entries).text())
  }

  /// The entries as a list: one line each, and below it the rest where the terminal is narrow.
  static func table(_ entries: [AuditEntry]) -> TextTable {
    var table = TextTable([
      .time(say("time", de: "Zeit")), .init(say("by", de: "von"), .cut(to: 10)),
      .init(say("action", de: "Aktion"), .cut(to: 12)), .init(say("object", de: "Gegenstand"), .cut(to: 12)),
      .init(say("remarks", de: "Bemerkungen"), .below),
    ])
    for entry in entries {
      let outcome = entry.spokenOutcome.spoken
      let remarks = [
        outcome.isEmpty ? "" : Terminal().styled(outcome, .yellow), Self.change(entry),
        entry.source.spokenOrigin.spoken,
        entry.source.address ?? "",
      ]
      table.append([
        entry.at.minute, entry.source.actor.isEmpty ? "–" : entry.source.actor, entry.action, entry.object,
        remarks.filter { !$0.isEmpty }.joined(separator: " · "),
      ])
    }
    return table
  }

  /// The first changes of an entry in a line; `--json` has all.
  private static func change(_ entry: AuditEntry) -> String {
    let (changes, shown) = (entry.changes.filter(\.isVisible), 4)
    let more = changes.count - shown
    let rest = more > 0 ? [say("\(more) more", de: "\(more) weitere")] : []
    return (changes.prefix(shown).map(\.text) + rest).joined(separator: "; ")
  }
}
