import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RecordJSON
import UseCases

/// `sous reminders`: the reminders that are due or to come.
struct RemindersCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "reminders",
      abstract: say(
        "List reminders, put them off, acknowledge and delete them, import and export .ics files.",
        de: "Erinnerungen auflisten, verschieben, quittieren, löschen, .ics-Dateien importieren und exportieren."),
      subcommands: [
        RemindersListCommand.self, RemindersShowCommand.self, RemindersSnoozeCommand.self, RemindersDoneCommand.self,
        RemindersDeleteCommand.self, RemindersImportCommand.self, RemindersExportCommand.self,
      ],
      defaultSubcommand: RemindersListCommand.self)
  }
}

/// `sous reminders list`
struct RemindersListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say("List reminders by when they come.", de: "Erinnerungen zeigen, nach ihrer Zeit."))
  }

  @Flag(
    help: ArgumentHelp(
      say("Also those that were delivered or are done.", de: "Auch zugestellte und erledigte.")))
  var all = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let reminders = try await Project(Workspace(global)).reminders(includesPast: all)
    if format.json { return writeJSON(.list(reminders.map(\.json))) }
    guard !reminders.isEmpty else {
      return write(
        say(
          "no reminders; sous remind \"dentist tomorrow at 9\" makes one\n",
          de: "keine Erinnerungen; sous remind \"Zahnarzt morgen um 9\" legt eine an\n"))
    }
    var table = TextTable([
      .time(say("next", de: "nächste")), .init(say("state", de: "Zustand")),
      .init(say("reminder", de: "Erinnerung"), .cut(to: 16)), .init(say("remarks", de: "Bemerkungen"), .below),
    ])
    for reminder in reminders { table.append([reminder.time, reminder.state.spoken, reminder.title, reminder.rest]) }
    write(table.text())
  }
}

/// `sous reminders show`
struct RemindersShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show",
      abstract: say("Show all about reminders.", de: "Alles über Erinnerungen zeigen."))
  }

  @OptionGroup var named: NamedReminder
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let wanted = named.name.lowercased()
    let found = try await Project(Workspace(global)).reminders(includesPast: true).filter { reminder in
      reminder.id.lowercased().hasPrefix(wanted) || reminder.title.lowercased().contains(wanted)
        || reminder.run?.isNamed(wanted) == true
    }
    guard !found.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput,
        .init(
          "no reminder '\(named.name)'; 'sous reminders --all' lists them",
          de: "keine Erinnerung '\(named.name)'; 'sous reminders --all' zählt sie auf"))
    }
    if format.json { return writeJSON(.list(found.map(\.json))) }
    for reminder in found {
      write("\(reminder.title.singleLine)  \(reminder.state.spoken)\n")
      var table = TextTable()
      if let at = reminder.at { table.append([say("  due", de: "  fällig"), at.spokenLocalTime]) }
      if let next = reminder.next { table.append([say("  next", de: "  nächste Zustellung"), next.spokenLocalTime]) }
      if !reminder.rhythm.isEmpty {
        table.append([say("  repeats", de: "  wiederholt"), reminder.rhythmWords?.spoken ?? reminder.rhythm])
      }
      if let path = reminder.path { table.append([say("  recipe", de: "  Rezept"), path]) }
      if let run = reminder.run { table.append([say("  run", de: "  Lauf"), run.rawValue]) }
      table.append(["  id", reminder.id])
      write(table.text())
    }
  }
}

/// `sous reminders snooze`
struct RemindersSnoozeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "snooze",
      abstract: say("Put a reminder off.", de: "Eine Erinnerung verschieben."))
  }

  @OptionGroup var named: NamedReminder

  @Argument(
    help: ArgumentHelp(
      say(
        "Until when: 'in 2 hours', tomorrow, 'next week', 2026-11-24T09:00.",
        de: "Bis wann: 'in 2 Stunden', morgen, 'nächste Woche', 2026-11-24T09:00."), valueName: "time"))
  var time: [String]

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let moments = try ReminderWish.moments(time.joined(separator: " "), now: Date())
    let moment = moments[try ReminderQuestion(asks: false).choose(moments.map(\.understood))]
    let until = Timestamp(seconds: Int64(moment.date.timeIntervalSince1970.rounded()))
    let name = named.name
    let change = try await Workspace(global).withSession { try await $0.snooze(name, until: until) }
    if format.json { return writeJSON(change.json) }
    let words = moment.understood.spoken
    write(
      say(
        "\(change.title.singleLine): put off until \(words)\n",
        de: "\(change.title.singleLine): verschoben auf \(words)\n"))
  }
}

/// `sous reminders done`
struct RemindersDoneCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "done",
      abstract: say(
        "Acknowledge a reminder: it is delivered no more.", de: "Eine Erinnerung quittieren: sie kommt nicht mehr."))
  }

  @OptionGroup var named: NamedReminder
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = named.name
    let change = try await Workspace(global).withSession {
      try await $0.acknowledge(name, by: DecisionOptions.user)
    }
    if format.json { return writeJSON(change.json) }
    write(say("\(change.title.singleLine): done\n", de: "\(change.title.singleLine): erledigt\n"))
  }
}

/// `sous reminders delete`
struct RemindersDeleteCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete",
      abstract: say(
        "Delete a reminder; of one that repeats, its recipe.",
        de: "Eine Erinnerung löschen; bei einer, die sich wiederholt, ihr Rezept."))
  }

  @OptionGroup var named: NamedReminder
  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = named.name
    let change = try await Workspace(global).withSession {
      try await $0.deleteReminder(name, by: DecisionOptions.user)
    }
    if format.json { return writeJSON(change.json) }
    if let path = change.path {
      write(say("removed \(path)\n", de: "entfernt: \(path)\n"))
    } else {
      write(say("\(change.title.singleLine): deleted\n", de: "\(change.title.singleLine): gelöscht\n"))
    }
  }
}

/// The reminder that a command is about.
struct NamedReminder: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      say(
        "The beginning of its id, or its text or a part of it.",
        de: "Der Anfang ihrer ID, oder ihr Text oder ein Teil davon."),
      valueName: "reminder"))
  var name: String
}

extension ReminderEntry {
  /// When it comes next, or came.
  fileprivate var time: String { (next ?? at)?.spokenLocalTime ?? "" }

  /// Further remarks.
  fileprivate var rest: String {
    let count = state == .due && round > 1 ? say("delivered \(round - 1)×  ", de: "\(round - 1)× zugestellt  ") : ""
    return count + (path ?? id)
  }
}

extension ReminderEntry.State {
  /// The state for people.
  fileprivate var spoken: String {
    switch self {
    case .due: say("due", de: "fällig")
    case .coming: say("coming", de: "kommt")
    case .delivered: say("delivered", de: "zugestellt")
    case .done: say("done", de: "erledigt")
    case .failed: say("failed", de: "gescheitert")
    case .off: say("off", de: "aus")
    }
  }
}
