import Engine
import Expressions
import Foundation
import Localization
import Plans
import RecipeModel
import RecipeSyntax
import RunStore
import Schemas
import Synchronization
import UseCases

/// Shows a run while it goes: a line for each step that has ended, and on a terminal a live line for those under way.
final class RunReport: Sendable {
  private struct Step {
    let id: String
    let action: String
    var provider = ""
    var started: Timestamp?
    var itemCount: Int?
    var itemsDone = 0
    var retried = 0
    var summary = ""
    var note = ""
    var isRunning = false
    /// Whether its end has been printed.
    var isTold = false
    /// Whether a key of another step implies it; then nothing is printed if it is skipped.
    var isImplied = false
    /// The running answers of language models.
    var answers = LiveAnswers()
  }

  /// So many lines of an answer that comes are shown, and of all of them together.
  private static let answerLines = (one: 6, all: 12)

  /// The widths of the columns of a step's line.
  private typealias Columns = (id: Int, action: Int, provider: Int)

  private struct State {
    /// Whether anything has begun.
    var hasBegun = false
    var recipe = ""
    var steps: [Step] = []
    var columns: Columns = (0, 0, 0)
    var liveLines = 0
    var frame = 0
    var hasHeader = false
    /// Whether the end of the run has been printed.
    var hasEnd = false
    /// The last printed line beside the steps.
    var lastNews = ""
    /// Whether it has been said what the run waits for.
    var hasToldWait = false
    /// Why the last attempt failed that is followed by another.
    var lastRetry: ActionFailure?
  }

  private let terminal: Terminal
  private let database: String
  private let state = Mutex(State())
  private let output = OutputQueue()

  /// The columns that most durations fit into: `59 min 59 s`.
  private static let longestDuration = 11

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - database: Where the run log is kept, as shown in the first line.
  ///   - terminal: The capabilities of standard output.
  init(database: String, terminal: Terminal) {
    self.terminal = terminal
    self.database = database
  }

  /// Takes what happens in the workspace.
  func take(_ event: WorkspaceEvent) {
    switch event {
    case .begins(let plan): state.withLock { begin(plan, &$0) }
    case .run(_, let event): take(event)
    case .warnings, .provider, .repeats, .work, .serve: break
    }
  }

  private func begin(_ plan: Plan, _ state: inout State) {
    state.hasBegun = true
    state.recipe = plan.name.singleLine
    state.steps = plan.steps.map { Step(id: $0.id, action: $0.action.name, isImplied: $0.isImplied) }
    let providers = plan.steps.flatMap { $0.providers.isEmpty ? ["builtin"] : $0.providers }
    state.columns = (
      state.steps.map(\.id.columns).max() ?? 0, state.steps.map(\.action.columns).max() ?? 0,
      providers.map(\.columns).max() ?? 0
    )
  }

  private func take(_ event: RunEvent) {
    state.withLock { state in
      switch event {
      case .journal(let entry): take(entry, &state)
      case .progress(let step, _, let done, let total, let label):
        let count = total > 0 ? "\(done)/\(total)" : "\(done)"
        state.steps[step].note = label.isEmpty ? count : "\(label.singleLine) \(count)"
      case .delta(let step, let item, let delta): state.steps[step].answers.take(delta, item: item)
      case .resumed(let snapshot): resume(snapshot, &state)
      case .waitsForTurn(let other):
        tellOnce("turn", say("waiting for run \(other)", de: "wartet auf Lauf \(other)"), &state)
      case .leftAlone(let step, let record, let until):
        let words = record.whyLeftAlone(until: until)
        tellOnce("wait \(until.spokenLocalTime)", "\(state.steps[step].id): \(words)".singleLine, &state)
      case .waits(let until):
        guard !state.hasToldWait else { return }
        let time = until.map { $0.spokenLocalTime }
        let reason = state.lastRetry.map { " (\($0.kind.words.spoken): \($0.message.spoken))".singleLine } ?? ""
        tellOnce(
          "wait \(time ?? "")",
          time.map { say("waiting until \($0)\(reason)", de: "wartet bis \($0)\(reason)") }
            ?? say("waiting for a decision or an event", de: "wartet auf eine Entscheidung oder ein Ereignis"), &state)
      }
    }
  }

  /// Shows that a run goes on, and which of its steps are done.
  private func resume(_ snapshot: RunSnapshot, _ state: inout State) {
    for (index, step) in snapshot.steps.enumerated() where state.steps.indices.contains(index) {
      state.steps[index].itemCount = step.itemCount
      state.steps[index].isRunning = step.status == .running
      if !state.hasHeader { state.steps[index].isTold = step.status != .pending && step.status != .running }
    }
    guard !state.hasHeader else { return }
    state.hasHeader = true
    let done = snapshot.steps.count { $0.status != .pending && $0.status != .running }
    let id = terminal.styled(snapshot.start.run.rawValue, .dim)
    let note =
      done == 0
      ? ""
      : say(
        "  \(done) of \(snapshot.steps.count) steps done", de: "  \(done) von \(snapshot.steps.count) Schritten fertig")
    output.write("▸ \(terminal.styled(state.recipe, .bold))  \(say("run", de: "Lauf")) \(id)\(note)\n")
  }

  /// Prints the wait of a step, and how it continues.
  private func tell(_ wait: WaitStart, _ state: inout State) {
    guard let words = wait.spoken, wait.kind != .time || wait.until.map({ $0 > wait.at }) ?? true else { return }
    state.hasToldWait = true
    erase(&state)
    let mark = terminal.styled(wait.kind == .approval ? "?" : "…", .blue)
    output.write("  \(mark) \(state.steps[wait.step].id): \(words)\n")
    if let answer = wait.answer { output.write("      → \(answer)\n") }
  }

  /// Writes a line that is not written again while it stays true.
  private func tellOnce(_ key: String, _ text: String, _ state: inout State) {
    guard state.lastNews != key else { return }
    state.lastNews = key
    erase(&state)
    output.write("  \(terminal.styled("…", .blue)) \(text)\n")
  }

  /// Draws the live lines anew until the task is cancelled; for a terminal only.
  func animate() async {
    guard terminal.isInteractive else { return }
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(100))
      state.withLock { state in
        state.frame += 1
        redraw(&state)
      }
    }
    state.withLock { state in
      erase(&state)
    }
  }

  /// Waits until all that was reported has been written.
  func finish() async {
    await output.drain()
  }

  private func take(_ entry: JournalEntry, _ state: inout State) {
    switch entry {
    case .runStarted(let start):
      guard !state.hasHeader else { return }
      state.hasHeader = true
      let id = terminal.styled(start.run.rawValue, .dim)
      output.write(
        "▸ \(terminal.styled(state.recipe, .bold))  \(say("run", de: "Lauf")) \(id)  (SQLite: \(database.singleLine))\n"
      )
    case .stepStarted(_, let step, let count, let at):
      state.steps[step].started = at
      state.steps[step].itemCount = count
      state.steps[step].isRunning = true
    case .attemptStarted(let start):
      state.steps[start.step].provider = start.kind.spoken
    case .attemptFinished(let end):
      let hadWords = state.steps[end.step].answers.end(item: end.item)
      if hadWords, let failure = end.failure, failure.kind != .notYet, end.retryDelay != nil {
        tellRestart(end.step, failure, &state)
      }
      if let delay = end.retryDelay, end.failure?.kind == .notYet {
        state.steps[end.step].note =
          say("not yet, again in \(delay.spokenDuration)", de: "noch nicht, wieder in \(delay.spokenDuration)")
      } else if let delay = end.retryDelay, let failure = end.failure {
        state.steps[end.step].retried += 1
        state.lastRetry = failure
        state.steps[end.step].note =
          "\(failure.kind.words.spoken), "
          + say("next attempt in \(delay.spokenDuration)", de: "nächster Versuch in \(delay.spokenDuration)")
      } else {
        state.steps[end.step].itemsDone += 1
        state.steps[end.step].note = ""
      }
    case .output(_, let step, let item, let value):
      if item == nil { state.steps[step].summary = OutputSummary.words(value).singleLine }
    case .stepFinished(let end):
      state.steps[end.step].isRunning = false
      state.steps[end.step].isTold = true
      erase(&state)
      if end.status == .skipped, state.steps[end.step].isImplied { return }
      output.write(line(for: end, state.steps[end.step], state.columns) + "\n")
    case .runFinished(let end):
      state.hasEnd = true
      erase(&state)
      if end.status != .succeeded { tell(end.failure) }
    case .waitStarted(let wait): tell(wait, &state)
    case .runTurned, .runParked, .waitEnded, .breaker: break
    case .log(let line):
      guard line.level >= .warning else { return }
      let mark = line.level == .error ? terminal.styled("!", .red) : terminal.styled("!", .yellow)
      let name = line.step.map { state.steps[$0].id + ": " } ?? ""
      erase(&state)
      output.writeIfRoom("  \(mark) \(name)\(line.message.singleLine)\n")
    }
  }

  /// Says that an answer of which something was shown already begins anew.
  private func tellRestart(_ step: Int, _ failure: ActionFailure, _ state: inout State) {
    let reason = "\(failure.kind.words.spoken): \(failure.message.spoken)"
    erase(&state)
    output.writeIfRoom(
      "  \(terminal.styled("↻", .yellow)) \(state.steps[step].id): "
        + say("the answer starts again", de: "die Antwort beginnt von vorn") + " (\(reason))".singleLine + "\n")
  }

  private func tell(_ failure: ActionFailure?) {
    guard let failure else { return }
    output.write("\(terminal.styled("✗", .red)) \(failure.kind.words.spoken): \(failure.message.spoken.singleLine)\n")
  }

  // MARK: - Work of other processes

  /// Whether a run has begun and its end has not been printed.
  var lacksEnd: Bool { state.withLock { $0.hasBegun && !$0.hasEnd } }

  /// Prints the journal entries that have not been printed: another process has resumed the run.
  func complete(_ record: RunRecord) {
    let run = record.summary
    state.withLock { state in
      erase(&state)
      if !state.hasHeader {
        state.hasHeader = true
        output.write(
          "▸ \(terminal.styled(state.recipe, .bold))  \(say("run", de: "Lauf")) \(terminal.styled(run.id.rawValue, .dim))\n"
        )
      }
      for step in record.steps where state.steps.indices.contains(step.position) {
        guard !state.steps[step.position].isTold, step.hasEnded, let endedAt = step.endedAt ?? run.endedAt else {
          continue
        }
        var told = state.steps[step.position]
        told.started = step.startedAt
        told.provider = step.spokenProviders.last ?? ""
        told.itemCount = step.itemCount
        told.retried = max(0, step.attemptCount - max(1, step.itemCount ?? 1))
        told.summary = step.output.map(OutputSummary.words) ?? ""
        (told.isRunning, told.isTold) = (false, true)
        state.steps[step.position] = told
        let end = StepEnd(
          run: run.id, step: step.position, status: step.status, itemsSucceeded: step.itemsSucceeded,
          itemsFailed: step.itemsFailed, failure: step.failure, at: endedAt)
        output.write(line(for: end, told, state.columns) + "\n")
      }
      guard run.endedAt != nil || run.status == .needsAttention, run.status != .succeeded else { return }
      state.hasEnd = true
      tell(run.failure)
    }
  }

  private func line(for end: StepEnd, _ step: Step, _ columns: Columns) -> String {
    let mark: String =
      switch end.status {
      case .succeeded: terminal.styled("✓", .green)
      case .failed: terminal.styled("✗", .red)
      case .skipped: terminal.styled("-", .dim)
      default: terminal.styled("!", .yellow)
      }
    var words: [String] = []
    if let succeeded = end.itemsSucceeded, let failed = end.itemsFailed {
      words.append("\(succeeded)/\(step.itemCount ?? succeeded + failed)")
    } else if !step.summary.isEmpty {
      words.append(step.summary)
    }
    if step.retried > 0 { words.append(say("\(step.retried) retried", de: "\(step.retried) wiederholt")) }
    switch end.status {
    case .skipped: words = [say("skipped", de: "übersprungen")]
    case .cancelled: words.append(say("cancelled", de: "abgebrochen"))
    case .failed:
      if let failure = end.failure {
        words.append("\(failure.kind.words.spoken): \(failure.message.spoken.singleLine)")
      }
    default: break
    }
    var duration = ""
    if let started = step.started { duration = max(0, end.at.seconds(since: started)).spokenDuration }
    var text = prefix(mark, step, columns) + words.joined(separator: "  ")
    // A line that is wrapped has its duration apart, so that number and unit stay together.
    let isFull = terminal.columns.map { text.columns + 2 + Self.longestDuration > $0 } ?? false
    let apart = "\n    " + terminal.styled(duration, .dim)
    if end.status == .failed {
      text += isFull ? apart : "  " + terminal.styled(duration, .dim)
      if let advice = end.failure?.advice { text += "\n      → \(advice.spoken.singleLine)" }
      return text
    }
    if duration.isEmpty { return text }
    if isFull { return text + apart }
    let position = max(text.columns + 2, min(terminal.width, 84) - duration.columns)
    return text + String(repeating: " ", count: position - text.columns) + terminal.styled(duration, .dim)
  }

  private func prefix(_ mark: String, _ step: Step, _ columns: Columns) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.columns) + 2)
    }
    return "  \(mark) " + padded(step.id, columns.id) + terminal.styled(padded(step.action, columns.action), .dim)
      + terminal.styled(padded(step.provider, columns.provider), .dim)
  }

  private func redraw(_ state: inout State) {
    // A terminal that does not keep up (Ctrl-S) gets no further pictures until it does.
    guard output.isIdle else { return }
    erase(&state)
    var text = ""
    let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    var room = Self.answerLines.all
    for step in state.steps where step.isRunning {
      var words = step.note
      if let count = step.itemCount, count > 0 {
        let filled = min(10, step.itemsDone * 10 / count)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 10 - filled)
        words = "\(step.itemsDone)/\(count) ▕\(bar)▏ \(words)"
      }
      if words.isEmpty, step.answers.isThinking { words = say("thinking …", de: "denkt nach …") }
      let line = prefix(frames[state.frame % frames.count], step, state.columns) + words
      // A line that wraps could not be erased again.
      text += (line.columns < terminal.width ? line : line.cut(to: terminal.width - 1)) + "\n"
      state.liveLines += 1
      for line in step.answers.lines(min(Self.answerLines.one, room), columns: terminal.width - 9) {
        text += "      \(terminal.styled("│ " + line, .dim))\n"
        state.liveLines += 1
        room -= 1
      }
    }
    output.write(text)
  }

  private func erase(_ state: inout State) {
    guard state.liveLines > 0 else { return }
    output.eraseLines(state.liveLines)
    state.liveLines = 0
  }
}

extension StepRecord {
  /// Whether it has come to an end that is worth a line.
  fileprivate var hasEnded: Bool {
    switch status {
    case .pending, .running: false
    case .skipped: phase == "main" || phase == "finally"
    case .succeeded, .failed, .cancelled: true
    }
  }
}
