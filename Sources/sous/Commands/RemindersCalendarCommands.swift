import ArgumentParser
import Expressions
import Foundation
import Localization
import RecipeSyntax
import Schedules
import UseCases

/// `sous reminders import`
struct RemindersImportCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "import",
      abstract: say(
        "Keep the events and tasks of an .ics file as reminders; alarms become lead times.",
        de: "Termine und Aufgaben einer .ics-Datei als Erinnerungen anlegen; Alarme werden Vorlaufzeiten."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The file; - for standard input.", de: "Die Datei; - für die Standardeingabe."), valueName: "file"))
  var file: String

  @Flag(help: ArgumentHelp(say("Only show what would be kept.", de: "Nur zeigen, was angelegt würde.")))
  var dryRun = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  private static let limit = 16 << 20

  func run() async throws {
    let now = Date()
    let bytes = try MessageArgument.source(file, limit: Self.limit).bytes
    let (drafts, remarks) = try read(String(decoding: bytes, as: UTF8.self), now: now)
    var kept: [Value] = []
    var failed: [ReminderCalendar.Remark] = []
    if dryRun || drafts.isEmpty {
      kept = drafts.map { $0.json(now: now, nil) }
    } else {
      (kept, failed) = try await Workspace(global).withSession { session in
        var kept: [Value] = []
        var failed: [ReminderCalendar.Remark] = []
        for draft in drafts {
          do throws(UseCaseError) {
            let outcome = try await session.importReminder(draft, now: now)
            kept.append(draft.json(now: now, outcome))
          } catch {
            failed.append(.init(line: 0, title: draft.title, reason: error.message))
          }
        }
        return (kept, failed)
      }
    }
    let all = remarks + failed
    if format.json {
      writeJSON(["kept": .list(kept), "remarks": .list(all.map(\.json))])
    } else {
      for reminder in kept {
        let mark = ["known": "=", "changed": "~"][reminder["outcome"]?.stringValue ?? ""] ?? "✓"
        let next = reminder["next"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
        write("\(mark) \(next?.spokenLocalTime ?? "")  \((reminder["title"]?.stringValue ?? "").singleLine)\n")
      }
      for remark in all { writeError("- \(remark.words(in: file))\n") }
    }
    if !failed.isEmpty { throw CommandError(ExitStatus.runFailed) }
  }

  private func read(
    _ text: String, now: Date
  ) throws(CommandError) -> (drafts: [ReminderDraft], remarks: [ReminderCalendar.Remark]) {
    do throws(UseCaseError) {
      return try ReminderCalendar.read(text, zone: .current, now: now)
    } catch {
      let name = file == "-" ? say("standard input", de: "Standardeingabe") : file
      throw CommandError(
        ExitStatus.wrongInput, LocalizedText(verbatim: "\(name): ") + error.message, code: error.code.rawValue)
    }
  }
}

/// `sous reminders export`
struct RemindersExportCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "export",
      abstract: say(
        "Write reminders as an .ics file: tasks with alarms.",
        de: "Erinnerungen als .ics-Datei schreiben: Aufgaben mit Alarmen."))
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      say("Into this file instead of standard output.", de: "In diese Datei statt auf die Standardausgabe."),
      valueName: "file"))
  var output: String?

  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (text, remarks) = try await Workspace(global).withSession { try await $0.exportReminders() }
    if let output {
      let file = try OutputFile(output, in: try Workspace(global))
      try file.write(Array(text.utf8))
      try file.finish()
    } else {
      StandardOutput.write(text)
    }
    for remark in remarks { writeError("- \(remark.words(in: ""))\n") }
  }
}

extension ReminderCalendar.Remark {
  /// The remark for people.
  fileprivate func words(in file: String) -> String {
    let place = line > 0 ? "\(file == "-" ? "" : "\(file):")\(line): " : ""
    let what =
      isLeftOut
      ? say("left out", de: "ausgelassen") : say("kept without", de: "angelegt ohne")
    return "\(place)\(title.singleLine): \(what): \(reason.spoken)"
  }

  /// `{line, title, reason, left_out}`.
  fileprivate var json: Value {
    [
      "line": line > 0 ? .int(Int64(line)) : .null, "title": .string(title), "reason": .string(reason.spoken),
      "left_out": .bool(isLeftOut),
    ]
  }
}

extension ReminderDraft {
  /// `{title, next, repeated, leads, outcome}`; `outcome` is `kept`, `changed`, `known`, or null where nothing was done.
  fileprivate func json(now: Date, _ outcome: ImportedReminder?) -> Value {
    let first = first(after: now).map { Timestamp(seconds: Int64($0.timeIntervalSince1970)).rfc3339 }
    return [
      "title": .string(title), "next": first.map { .string($0) } ?? .null, "repeated": .bool(isRepeated),
      "leads": .list(leads.map { .double($0) }), "outcome": outcome.map { .string("\($0)") } ?? .null,
    ]
  }
}
