import Engine
import Localization
import RunStore
import UseCases

/// The output of a command that works on one run in the foreground, until it is done or interrupted.
struct Foreground: Sendable {
  private let report: RunReport?

  /// Watches what happens in a workspace from now on.
  ///
  /// - Parameters:
  ///   - workspace: Where the run is going to be worked on.
  ///   - isQuiet: Whether nothing of the run is shown on the way.
  init(_ workspace: inout Workspace, isQuiet: Bool) {
    let report = isQuiet ? nil : RunReport(database: workspace.database, terminal: Terminal())
    self.report = report
    workspace.surroundings.events = { event in
      Notices.tell(event)
      report?.take(event)
    }
  }

  /// Works on a run, with live lines on a terminal.
  func watch(_ body: @escaping @Sendable () async throws -> RunOutcome) async throws -> RunOutcome {
    try await watch(record: { try await $0.record() }, body)
  }

  /// Works on a run, with live lines on a terminal.
  ///
  /// - Parameters:
  ///   - record: The record of the run, if it was worked on here.
  ///   - body: The work.
  func watch<Answer: Sendable>(
    record: @escaping @Sendable (Answer) async throws -> RunRecord?,
    _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    guard let report else { return try await Interruption.untilInterrupted(body) }
    return try await report.whileAnimated {
      let answer = try await Interruption.untilInterrupted(body)
      // Another process may have resumed the run.
      if report.lacksEnd, let record = try await record(answer) { report.complete(record) }
      return answer
    }
  }

  /// Works on a run that is recorded, or repeats it, and prints its end.
  static func goOn(
    _ global: GlobalOptions, _ format: FormatOptions, _ body: @escaping @Sendable (Session) async throws -> RunOutcome
  ) async throws {
    var workspace = try Workspace(global)
    let foreground = Foreground(&workspace, isQuiet: format.json)
    let status = try await workspace.withSession(probesAtOnce: true) { session in
      let outcome = try await foreground.watch { try await body(session) }
      await session.endProviders()
      try await tell(outcome, json: format.json)
      return ExitStatus.of(outcome.result.status)
    }
    if let status { throw CommandError(status) }
  }

  /// Prints the end of a run that was recorded before this command.
  static func tell(_ outcome: RunOutcome, json: Bool) async throws {
    if json { return writeJSON(try await outcome.record().json) }
    write(Ending(terminal: Terminal()).text(outcome.summary))
    if outcome.summary.trigger == "retry",
      try await outcome.record().steps.allSatisfy({ $0.carriedFrom != nil || $0.status == .skipped })
    {
      write(
        say(
          "nothing was done again, as every step had succeeded; --from STEP begins again with one\n",
          de: "nichts wurde wiederholt, da jeder Schritt gelungen war; --from SCHRITT beginnt wieder mit einem\n"))
    }
    RunOutputs.write(outcome.result.outputs, spacing: true)
  }
}

/// The last line of a run.
struct Ending {
  let terminal: Terminal

  func text(_ run: RunSummary) -> String {
    if run.status == .waiting {
      return say(
        "the run waits; 'sous serve --once' or 'sous resume \(run.id.short)' resumes it\n",
        de: "der Lauf wartet; 'sous serve --once' oder 'sous resume \(run.id.short)' macht mit ihm weiter\n")
    }
    if run.status == .queued {
      return say(
        "the run is queued; 'sous serve --once' or 'sous resume \(run.id.short)' resumes it\n",
        de: "der Lauf ist eingereiht; 'sous serve --once' oder 'sous resume \(run.id.short)' macht mit ihm weiter\n")
    }
    let took = (run.duration ?? 0).spokenDuration
    let end = run.status == .succeeded ? terminal.styled(run.status.spoken, .green) : run.status.spoken
    let isBrief = run.status == .skipped || run.status == .cancelled
    let reason = isBrief ? run.failure.map { " · \($0.message.spoken)".singleLine } ?? "" : ""
    return say(
      "\(end) in \(took)\(reason) · sous show \(run.id.short)\n",
      de: "\(end) nach \(took)\(reason) · sous show \(run.id.short)\n")
  }
}

extension RunReport {
  /// Keeps the live lines moving while something works.
  func whileAnimated<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
    // The report's last line comes after the last live line, also after an error.
    let result: Result<Answer, any Error>
    do {
      result = .success(try await withBackground([{ await self.animate() }], body))
    } catch {
      result = .failure(error)
    }
    await finish()
    return try result.get()
  }
}
