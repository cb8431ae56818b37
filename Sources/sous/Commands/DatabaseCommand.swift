import ArgumentParser
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// `sous db`: looks after the run log's file.
struct DatabaseCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "db",
      abstract: say("Look after the run log's file.", de: "Nach der Datei des Laufprotokolls sehen."),
      subcommands: [
        DatabaseCheckCommand.self, DatabaseBackupCommand.self, DatabasePruneCommand.self, DatabaseVacuumCommand.self,
        DatabaseMigrateCommand.self, DatabaseAdoptCommand.self,
      ])
  }
}

/// `sous db check`: looks for damage.
struct DatabaseCheckCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check",
      abstract: say(
        "Look for damage, and for impossible journal entries; exit 3 if any is found.",
        de: "Nach Schäden suchen, und nach dem, was in einem Journal nicht sein kann; Status 3, wo etwas ist."))
  }

  @Flag(
    help: ArgumentHelp(
      say("Leave out what takes long on a large file.", de: "Auslassen, was bei großen Dateien dauert.")))
  var quick = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let findings = try await Workspace(global).checkRunLog(isQuick: quick)
    if format.json {
      writeJSON(.map(["ok": .bool(findings.isEmpty), "findings": .list(findings.map(\.json))]))
    } else if findings.isEmpty {
      write(Terminal().styled("✓", .green) + say(" the run log is sound\n", de: " das Laufprotokoll ist in Ordnung\n"))
    } else {
      let terminal = Terminal()
      for finding in findings {
        write(
          "\(terminal.styled("✗", .red)) \(finding.message.spoken.singleLine)\n  → \(finding.remedy.spoken.singleLine)\n"
        )
      }
    }
    if !findings.isEmpty { throw CommandError(ExitStatus.environment) }
  }
}

/// `sous db backup`: copies the run log while runs go on.
struct DatabaseBackupCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "backup",
      abstract: say(
        "Copy the run log as of one moment, also while runs go on.",
        de: "Das Laufprotokoll kopieren, wie es in einem Augenblick ist, auch während Läufe laufen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The copy; it appears when it is complete.", de: "Die Kopie; sie erscheint, wenn sie vollständig ist."),
      valueName: "file"))
  var file: String

  @Flag(help: ArgumentHelp(say("Replace a file that is there.", de: "Eine Datei ersetzen, die schon da ist.")))
  var force = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let bytes = try await Workspace(global).backUpRunLog(to: file, replaces: force)
    if format.json {
      writeJSON(.map(["file": .string(file), "bytes": .int(Int64(bytes))]))
    } else {
      write(say("\(file), \(bytes.spokenSize)\n", de: "\(file), \(bytes.spokenSize)\n"))
    }
  }
}

/// `sous db prune`: removes what retention no longer keeps.
struct DatabasePruneCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "prune",
      abstract: say(
        "Remove ended runs that 'retention' in sous.yaml no longer keeps, and unused data.",
        de: "Beendete Läufe entfernen, die 'retention' in sous.yaml nicht mehr behält, und was niemand mehr braucht."))
  }

  @Flag(
    name: .customLong("dry-run"),
    help: ArgumentHelp(say("Only tell what would be removed.", de: "Nur sagen, was entfernt würde.")))
  var dryRun = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let report = try await Workspace(global).pruneRunLog(isDryRun: dryRun)
    if format.json {
      writeJSON(report.json)
      return
    }
    let runs = LocalizedText.count(report.runs, "run", "runs", de: "Lauf", "Läufe").spoken
    if dryRun {
      write(say("to be removed: \(runs)\n", de: "zu entfernen: \(runs)\n"))
      return
    }
    write(
      say("\(runs) removed", de: "\(runs) entfernt")
        + " · \(report.bytesBefore.spokenSize) → \(report.bytesAfter.spokenSize)\n")
  }
}

/// `sous db vacuum`: gives free pages back.
struct DatabaseVacuumCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "vacuum",
      abstract: say(
        "Give what the file no longer needs back to the file system, also while runs go on.",
        de: "Was die Datei nicht mehr braucht, dem Dateisystem zurückgeben, auch während Läufe laufen."))
  }

  @Flag(help: ArgumentHelp(say("Make the index of searches anew.", de: "Den Suchindex neu anlegen.")))
  var reindex = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let freed = try await Workspace(global).vacuumRunLog(reindexes: reindex)
    if format.json {
      writeJSON(.map(["freed_bytes": .int(Int64(freed))]))
    } else {
      write(say("\(freed.spokenSize) given back\n", de: "\(freed.spokenSize) zurückgegeben\n"))
    }
  }
}

/// `sous db adopt`: makes a copy the run log.
struct DatabaseAdoptCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "adopt",
      abstract: say(
        "Go on here with the runs of a copy that takes the original's place.",
        de: "Mit den Läufen einer Kopie hier weitermachen, die an die Stelle des Originals tritt."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let report = try await Workspace(global).changingRunLog { try await $0.adopt() }
    if format.json {
      writeJSON(.map(["adopted": .bool(report.wasCopy), "unfinished": .int(Int64(report.unfinished))]))
      return
    }
    guard report.wasCopy else {
      return write(say("this run log is not a copy: nothing to do\n", de: "dieses Laufprotokoll ist keine Kopie\n"))
    }
    let runs = LocalizedText.count(
      report.unfinished, "unfinished run", "unfinished runs", de: "unfertiger Lauf", "unfertige Läufe"
    ).spoken
    write(
      say(
        "adopted, with \(runs): 'sous serve --once' resumes them. Never resume them in the original too.\n",
        de:
          "übernommen, mit \(runs): 'sous serve --once' macht damit weiter. Im Original dürfen sie nicht auch weitergehen.\n"
      )
    )
  }
}
