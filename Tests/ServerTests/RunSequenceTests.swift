import Engine
import Expressions
import Plans
import Testing

@testable import Server

/// The order of a run's events: the same live, for followers that join late, and after a reconnect.
@Suite struct RunSequenceTests {
  /// One thing that is recorded of the run.
  private enum Entry {
    case begins(Int)
    case attemptBegins(Int, Int)
    case attemptEnds(Int, Int)
    case ends(Int)
    /// A line of a step, or of the run.
    case line(step: Int?, attempt: Int?)
    case runEnds
  }

  /// Two steps side by side, of which the first tries twice, and a third one after them. Each entry has a time of its own, except
  /// for those of the third step, which takes no time.
  private static let entries: [Entry] = [
    .begins(0), .attemptBegins(0, 1), .line(step: 0, attempt: 1), .begins(1), .attemptBegins(1, 1),
    .line(step: 1, attempt: 1), .line(step: 0, attempt: 1), .attemptEnds(0, 1),
    .line(step: nil, attempt: nil), .attemptBegins(0, 2), .line(step: 1, attempt: 1), .attemptEnds(1, 1), .ends(1),
    .line(step: 0, attempt: 2), .attemptEnds(0, 2), .ends(0), .begins(2), .attemptBegins(2, 1),
    .line(step: 2, attempt: 1), .line(step: 2, attempt: 1), .attemptEnds(2, 1), .ends(2), .runEnds,
  ]

  private static let steps = ["left", "right", "last"]

  private static func time(_ index: Int) -> Timestamp {
    Timestamp(
      seconds: 1_800_000_000
        + Int64(min(index, entries.firstIndex { if case .begins(2) = $0 { true } else { false } } ?? 0)))
  }

  /// The run after so many entries.
  private static func record(_ count: Int) -> RunRecord {
    var summary = RunSummary(
      id: RunID(rawValue: "R"), recipe: "r", path: "/r.yaml", fingerprint: "f", trigger: "api", status: .running,
      isProcessGone: false, startedAt: time(0), stepCount: steps.count, stepsSucceeded: 0, stepsFailed: 0,
      stepsSkipped: 0, attemptCount: 0, retryCount: 0, priority: 0, isCancelRequested: false)
    var found = steps.enumerated().map { position, id in
      StepRecord(
        position: position, id: id, phase: "main", action: "log", effect: .pure, status: .pending, providers: [],
        attemptCount: 0, attemptsFailed: 0, attempts: [], items: [])
    }
    for (index, entry) in entries.prefix(count).enumerated() {
      switch entry {
      case .begins(let step): (found[step].status, found[step].startedAt) = (.running, time(index))
      case .attemptBegins(let step, let number):
        found[step].attempts.append(
          AttemptRecord(
            number: number, kind: .provider("p"), key: "k", status: .running, startedAt: time(index), inputBytes: 0,
            isUncertain: false))
      case .attemptEnds(let step, let number):
        (found[step].attempts[number - 1].status, found[step].attempts[number - 1].endedAt) = (.succeeded, time(index))
      case .ends(let step):
        (found[step].status, found[step].endedAt) = (.succeeded, time(index))
        summary.stepsSucceeded += 1
      case .line: break
      case .runEnds: (summary.status, summary.endedAt, summary.duration) = (.succeeded, time(index), 1)
      }
    }
    return RunRecord(
      summary: summary, inputs: .map([:]), outputs: .map([:]), steps: found, waits: [], children: [])
  }

  /// The lines among so many entries.
  private static func lines(_ count: Int) -> [LogRecord] {
    entries.prefix(count).enumerated().compactMap { index, entry in
      guard case .line(let step, let attempt) = entry else { return nil }
      return line(index, step, attempt)
    }
  }

  private static func line(_ index: Int, _ step: Int?, _ attempt: Int?) -> LogRecord {
    LogRecord(
      id: Int64(index + 1), run: RunID(rawValue: "R"), recipe: "r", step: step.map { steps[$0] }, attempt: attempt,
      level: .info, message: "\(index)", at: time(index))
  }

  /// How many entries the lines may be ahead: the beginnings of a step and of an attempt may be recorded after their first lines.
  private static func ahead(of count: Int) -> Int {
    var (end, own) = (count, Int?.none)
    entries: for entry in entries.dropFirst(count) {
      switch entry {
      case .begins(let step), .attemptBegins(let step, _):
        guard own == nil || own == step else { break entries }
        own = step
      case .line(let step?, _) where step == own: break
      default: break entries
      }
      end += 1
    }
    return end
  }

  /// The events as texts; of the run its state and times, as its counts are those of the moment.
  private static func names(_ events: [ServerEvent]) -> [String] {
    events.map { event in
      guard event.name == "run" else { return event.name + " " + event.data.jsonString }
      return ["status", "started_at", "ended_at"].reduce("run") { $0 + " " + (event.data[$1] ?? .null).jsonString }
    }
  }

  /// The whole sequence, as a follower gets it that joins after the end.
  private static let whole = RunEvents(after: RunCursor(), record(entries.count), lines: lines(entries.count)).events

  @Test func theWholeSequenceIsThatOfTheEntries() {
    let words = Self.whole.map { event -> String in
      let data = event.data
      switch event.name {
      case "log": return "line \(data["message"]?.stringValue ?? "")"
      case "step": return "step \(data["position"]?.intValue ?? -1) \(data["status"]?.stringValue ?? "")"
      case "attempt":
        return
          "attempt \(data["step"]?.stringValue ?? "") \(data["number"]?.intValue ?? -1) \(data["status"]?.stringValue ?? "")"
      default: return event.name + " " + (data["status"]?.stringValue ?? "")
      }
    }
    let expected = Self.entries.enumerated().map { index, entry in
      switch entry {
      case .begins(let step): "step \(step) running"
      case .ends(let step): "step \(step) succeeded"
      case .attemptBegins(let step, let number): "attempt \(Self.steps[step]) \(number) running"
      case .attemptEnds(let step, let number): "attempt \(Self.steps[step]) \(number) succeeded"
      case .line: "line \(index)"
      case .runEnds: "run succeeded"
      }
    }
    #expect(words == ["run running"] + expected)
  }

  /// A run that has ended did run before, and that event says nothing of its end.
  @Test func theFirstEventHasStateAndTimesOfOneMoment() throws {
    let first = try #require(Self.whole.first).data
    #expect(first["status"] == "running" && first["started_at"] == Self.whole.last?.data["started_at"])
    for name in ["ended_at", "duration_ms", "failure"] { #expect(first[name] == .null, "\(name)") }
    #expect(first["steps_succeeded"] == 0)
    let last = try #require(Self.whole.last).data
    #expect(last["status"] == "succeeded" && last["ended_at"] != .null && last["steps_succeeded"] == 3)
  }

  /// Followers join at any time, and each look finds any number of new entries.
  @Test(arguments: [1, 2, 3, 5, 7, entries.count], [false, true])
  func eachFollowerGetsTheSameSequence(stride: Int, linesAreAhead: Bool) {
    let all = Self.entries.count
    for joined in 0...all {
      var (cursor, events) = (RunCursor(), [ServerEvent]())
      for count in Array(Swift.stride(from: joined, to: all, by: stride)) + [all] {
        let found = RunEvents(
          after: cursor, Self.record(count), lines: Self.lines(linesAreAhead ? Self.ahead(of: count) : count))
        events += found.events
        cursor = found.cursor
      }
      let (names, whole) = (Self.names(events), Self.names(Self.whole))
      let place = zip(names, whole).enumerated().first { $1.0 != $1.1 }?.offset ?? min(names.count, whole.count)
      #expect(names == whole, "joined at \(joined), differs at \(place)")
    }
  }

  /// Why the next provider is not asked is reported between two attempts.
  @Test func aLineAfterAnAttemptStaysBehindIt() {
    let (begun, ended) = (3, 8)
    let lines = Self.lines(ended) + [Self.line(ended, 0, 1)]
    let whole = RunEvents(after: RunCursor(), Self.record(ended), lines: lines).events
    #expect(whole.last?.name == "log" && whole.last?.data["message"]?.stringValue == "\(ended)")
    let early = RunEvents(after: RunCursor(), Self.record(begun), lines: Self.lines(begun))
    let late = RunEvents(after: early.cursor, Self.record(ended), lines: lines)
    #expect(Self.names(early.events + late.events) == Self.names(whole))
  }

  /// A follower that has lost its connection after any event gets the rest.
  @Test func aReconnectGetsTheRest() throws {
    for (index, event) in Self.whole.enumerated() {
      let cursor = try #require(event.id.flatMap { RunCursor($0) })
      let rest = RunEvents(after: cursor, Self.record(Self.entries.count), lines: Self.lines(Self.entries.count))
      #expect(Self.names(rest.events) == Self.names(Array(Self.whole.dropFirst(index + 1))), "after event \(index)")
    }
  }

  /// A step may be recorded after its lines: they wait for it.
  @Test func aLineWaitsForItsStep() {
    let early = RunEvents(after: RunCursor(), Self.record(0), lines: Self.lines(3))
    #expect(early.events.map(\.name) == ["run"] && early.cursor.line == 0)
    let late = RunEvents(after: early.cursor, Self.record(3), lines: Self.lines(3))
    #expect(late.events.map(\.name) == ["step", "attempt", "log"])
  }
}
