import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RunStore
import UseCases

/// `sous runs`: lists the runs of the log, newest first.
struct RunsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "runs",
      abstract: say("List runs, newest first.", de: "Läufe auflisten, neueste zuerst."))
  }

  @OptionGroup var runs: RunFilterOptions

  @Option(
    name: .shortAndLong, help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 20

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if limit < 1 { throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein")) }
  }

  func run() async throws {
    let filter = runs.filter(limit: limit)
    let workspace = try Workspace(global)
    if format.json { return try await writeLines(filter, workspace) }
    let (runs, questions): ([RunSummary], [RunID: [OpenWait]]) = try await workspace.searchingRunLog(for: filter.words)
    { log in
      let runs = try await log.runs(filter)
      return (runs, try await log.questions(of: runs))
    } ifMissing: {
      ([], [:])
    }
    if runs.isEmpty {
      write(
        self.runs.isEmpty
          ? say(
            "No runs yet in \(workspace.database). Try: sous run RECIPE\n",
            de: "Noch keine Läufe in \(workspace.database). Probieren: sous run REZEPT\n")
          : say("no run fits\n", de: "kein Lauf passt\n"))
      return
    }
    let terminal = Terminal()
    var table = TextTable([
      .init(say("run", de: "Lauf")), .init(say("recipe", de: "Rezept"), .cut(to: 12)),
      .init(say("state", de: "Zustand")), .time(say("began", de: "begonnen")), .number(say("took", de: "Dauer")),
      .number(say("steps", de: "Schritte")), .init(say("remarks", de: "Bemerkungen"), .below),
    ])
    for run in runs {
      var remarks: [String] = run.failure.map { [$0.message.spoken] } ?? []
      if run.retryCount > 0 { remarks.append(say("\(run.retryCount) retried", de: "\(run.retryCount) wiederholt")) }
      if let question = questions[run.id]?.spokenQuestion {
        remarks.append(question)
      } else if run.status == .waiting, let due = run.dueAt {
        remarks.append(say("until \(due.spokenLocalTime)", de: "bis \(due.spokenLocalTime)"))
      }
      if run.isCancelRequested, !run.status.isFinal { remarks.append(say("to be cancelled", de: "wird abgebrochen")) }
      if let other = run.behind {
        remarks.append(say("waits for run \(other.short)", de: "wartet auf Lauf \(other.short)"))
      }
      if run.priority != 0 { remarks.append(say("priority \(run.priority)", de: "Priorität \(run.priority)")) }
      if let user = run.startedBy { remarks.append(say("by \(user)", de: "von \(user)")) }
      if let parent = run.parent { remarks.append(say("part of \(parent.short)", de: "Teil von \(parent.short)")) }
      table.append([
        terminal.mark(run.status) + " " + run.id.short, run.recipe, run.status.spoken,
        run.startedAt.spokenLocalTime, run.duration?.spokenDuration ?? "–",
        "\(run.stepsSucceeded)/\(run.stepCount)",
        remarks.joined(separator: " · "),
      ])
    }
    write(table.text())
  }

  /// Writes the list as JSON, some runs at a time: all of a large run log do not fit into memory.
  private func writeLines(_ filter: RunFilter, _ workspace: Workspace) async throws {
    var text = "["
    try await workspace.searchingRunLog(for: filter.words) { log in
      do {
        try await log.forEachPage(of: filter) { page in
          for run in page {
            text += run.json.jsonString
            StandardOutput.write(text.escapingControls)
            text = ","
          }
          if StandardOutput.isClosed { throw CancellationError() }
        }
      } catch is CancellationError {
        // The reader has closed the pipe: reported at the end of the program.
      }
    } ifMissing: {
    }
    StandardOutput.write((text == "[" ? "[" : "") + "]\n")
  }
}

extension Terminal {
  /// A coloured sign for the state of a run.
  func mark(_ status: RunStatus) -> String {
    switch status {
    case .succeeded: styled("✓", .green)
    case .failed: styled("✗", .red)
    case .running: styled("▸", .blue)
    case .queued, .waiting: styled("…", .blue)
    case .skipped: styled("-", .dim)
    case .cancelled, .interrupted, .needsAttention: styled("!", .yellow)
    }
  }

  /// A coloured sign for the state of a step.
  func mark(_ status: StepStatus) -> String {
    switch status {
    case .succeeded: styled("✓", .green)
    case .failed: styled("✗", .red)
    case .running: styled("▸", .blue)
    case .skipped, .pending: styled("-", .dim)
    case .cancelled: styled("!", .yellow)
    }
  }
}

extension RunStatus {
  /// The status for people, in the language of the process.
  var spoken: String { words.spoken }
}

extension StepStatus {
  /// The status for people.
  var spoken: String {
    switch self {
    case .pending: say("not begun", de: "nicht begonnen")
    case .running: say("running", de: "läuft")
    case .succeeded: say("succeeded", de: "erfolgreich")
    case .failed: say("failed", de: "fehlgeschlagen")
    case .skipped: say("skipped", de: "übersprungen")
    case .cancelled: say("cancelled", de: "abgebrochen")
    }
  }
}
