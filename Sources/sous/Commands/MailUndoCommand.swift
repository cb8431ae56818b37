import ArgumentParser
import Engine
import Expressions
import Localization
import UseCases

/// `sous mail undo`: undoes what a run has done to messages.
struct MailUndoCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "undo",
      abstract: say(
        "Take back moves, flags and labels of a run.",
        de: "Verschieben, Markierungen und Labels eines Laufs zurücknehmen."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The run, a unique beginning of its name, its recipe for the newest run, or 'last'.",
        de: "Der Lauf, ein eindeutiger Anfang seines Namens, sein Rezept für den neuesten Lauf, oder 'last'."),
      valueName: "run"), completion: Completions.runs)
  var run: String

  @Flag(help: ArgumentHelp(say("Only show what would be done.", de: "Nur zeigen, was getan würde.")))
  var dryRun = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: format.json)
    let (name, isDry, isJSON): (String, Bool, Bool) = (run, dryRun, format.json)
    let status = try await workspace.withSession { session -> Int32? in
      let (id, undo) = try await session.mailUndo(of: name)
      if isDry || undo.isEmpty {
        if isJSON { writeJSON(undo.json(in: Speech.language)) } else { write(Self.words(undo, of: id)) }
        return nil
      }
      if !isJSON { write(Self.words(undo, of: id)) }
      let outcome = try await foreground.watch { try await session.carryOut(undo, of: id) }
      await session.endProviders()
      if !isJSON { write(Self.words(missing: MailUndo.missing(in: try await outcome.record()))) }
      try await Foreground.tell(outcome, json: isJSON)
      return ExitStatus.of(outcome.result.status)
    }
    if let status { throw CommandError(status) }
  }

  /// The first ten messages that are not where the run had left them.
  private static func words(missing: [String]) -> String {
    guard !missing.isEmpty else { return "" }
    let count = LocalizedText.count(missing.count, "message", "messages", de: "Nachricht", "Nachrichten").spoken
    let names = missing.prefix(10).joined(separator: ", ") + (missing.count > 10 ? ", …" : "")
    let line = say(
      "\(count) not found where the run had left them, and so not put back: \(names)",
      de: "\(count) nicht mehr dort, wo der Lauf sie gelassen hat, und deshalb nicht zurückgelegt: \(names)")
    return line.singleLine + "\n"
  }

  /// The undone and the remaining effects, a line each.
  private static func words(_ undo: MailUndo, of run: RunID) -> String {
    var lines: [String] = []
    for marks in undo.marks {
      let messages = LocalizedText.count(
        marks.uids.count, "message", "messages", de: "Nachricht", "Nachrichten"
      ).spoken
      let changes = marks.add.map { "+\($0)" } + marks.remove.map { "−\($0)" }
      lines.append("\(marks.folder): \(messages) \(changes.joined(separator: " "))")
    }
    for move in undo.moves {
      let messages = LocalizedText.count(
        move.uids.count, "message", "messages", de: "Nachricht", "Nachrichten"
      ).spoken
      lines.append("\(move.from) → \(move.to): \(messages)")
    }
    for (step, reason) in undo.remains {
      lines.append(say("stays: \(step): \(reason.spoken)", de: "bleibt: \(step): \(reason.spoken)"))
    }
    if undo.isEmpty {
      if let last = undo.earlier.last {
        lines.append(say("undone before, by run \(last)", de: "schon zurückgenommen, von Lauf \(last)"))
      }
      lines.append(
        say("run \(run) has nothing to undo", de: "bei Lauf \(run) ist nichts rückgängig zu machen"))
    }
    return lines.map { $0.singleLine + "\n" }.joined()
  }
}
