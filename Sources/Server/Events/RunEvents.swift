import Engine
import Expressions

/// The events between what a follower knows of a run and the run as it is recorded; pure.
///
/// Each step has its events in one order: its beginning, then each attempt with its beginning, its lines and its end, then the end
/// of the step. Times order the events of different steps only. So a follower gets the same sequence live and after a reconnect.
struct RunEvents {
  /// The events, each with the cursor behind it.
  private(set) var events: [ServerEvent] = []
  /// The cursor behind the last event.
  private(set) var cursor: RunCursor

  /// Finds the events.
  ///
  /// - Parameters:
  ///   - cursor: The position of the follower.
  ///   - record: The run.
  ///   - lines: The lines of its log behind the cursor, of the same snapshot. The engine may record the beginning of a step after its
  ///     lines: those of a step or an attempt that the record does not know yet are left to the next reading.
  init(after cursor: RunCursor, _ record: RunRecord, lines: [LogRecord]) {
    self.cursor = cursor
    let status = Self.number(record.summary.status)
    let isAtEnd = record.summary.status.isFinal
    // A follower that has seen a run wait for its turn, or nothing of it, sees that it runs before it sees that it has ended.
    let hasBegun = cursor.status > Self.number(.queued)
    if status != cursor.status, !isAtEnd || !hasBegun {
      addRun(isAtEnd ? Self.beginning(record.summary) : record.summary)
    }
    // A run begins before its steps and ends after them. Lines keep the order of their numbers: the cursor has only the last one.
    let own = lines.filter { $0.id > Int64(clamping: cursor.line) }.sorted { $0.id < $1.id }
    var order = Order(record, own, after: cursor)
    while let item = order.next() {
      switch item {
      case .line(let line): addLine(line)
      case .begins(let step): addBeginning(of: step)
      case .ends(let step): addEnd(of: step)
      case .attemptBegins(let step, let attempt): addAttempt(attempt, of: step, isEnd: false)
      case .attemptEnds(let step, let attempt): addAttempt(attempt, of: step, isEnd: true)
      case .progress(let step): addProgress(of: step)
      }
    }
    if isAtEnd, status != self.cursor.status { addRun(record.summary) }
  }

  /// The run as it was when it began: running, without anything that belongs to its end.
  private static func beginning(_ summary: RunSummary) -> RunSummary {
    var summary = summary
    summary.status = .running
    (summary.endedAt, summary.duration, summary.failure, summary.dueAt) = (nil, nil, nil, nil)
    (summary.stepsSucceeded, summary.stepsFailed, summary.stepsSkipped) = (0, 0, 0)
    (summary.attemptCount, summary.retryCount, summary.isCancelRequested) = (0, 0, false)
    return summary
  }

  // MARK: - Events

  private mutating func addRun(_ summary: RunSummary) {
    cursor.status = Self.number(summary.status)
    add("run", summary.json)
  }

  private mutating func addBeginning(of step: StepRecord) {
    cursor[step.position].stage = 1
    add(
      "step",
      .object([
        ("id", .string(step.id)), ("position", .number(step.position)), ("phase", .string(step.phase)),
        ("action", .string(step.action)), ("status", .string(StepStatus.running.rawValue)),
        ("started_at", .time(step.startedAt)), ("item_count", .number(step.itemCount)),
      ]))
  }

  private mutating func addEnd(of step: StepRecord) {
    cursor[step.position].stage = 2
    add("step", .object(step.fields))
  }

  private mutating func addProgress(of step: StepRecord) {
    cursor[step.position].begun = UInt64(clamping: step.attemptCount)
    add(
      "progress",
      .object([
        ("step", .string(step.id)), ("position", .number(step.position)), ("item_count", .number(step.itemCount)),
        ("attempt_count", .number(step.attemptCount)),
      ]))
  }

  private mutating func addAttempt(_ attempt: AttemptRecord, of step: StepRecord, isEnd: Bool) {
    var data: ValueMap = ["step": .string(step.id)]
    if isEnd {
      cursor[step.position].ended = UInt64(clamping: attempt.number)
      for (key, value) in (attempt.json.mapValue ?? [:]).entries { data[key] = value }
    } else {
      cursor[step.position].begun = UInt64(clamping: attempt.number)
      data["number"] = .number(attempt.number)
      data["provider"] = .string(attempt.kind.label)
      data["status"] = .string(AttemptRecord.Status.running.rawValue)
      data["started_at"] = .time(attempt.startedAt)
    }
    add("attempt", .map(data))
  }

  private mutating func addLine(_ line: LogRecord) {
    cursor.line = UInt64(clamping: line.id)
    add("log", line.json)
  }

  private mutating func add(_ name: String, _ data: Value) {
    events.append(ServerEvent(id: cursor.text, name: name, data: data))
  }

  // MARK: - Numbers

  fileprivate static func stage(_ status: StepStatus) -> UInt64 {
    switch status {
    case .pending: 0
    case .running: 1
    case .succeeded, .failed, .skipped, .cancelled: 2
    }
  }

  /// Numbers of statuses in cursors; a published number keeps its meaning.
  static func number(_ status: RunStatus) -> UInt64 {
    switch status {
    case .queued: 1
    case .running: 2
    case .waiting: 3
    case .interrupted: 4
    case .needsAttention: 5
    case .succeeded: 6
    case .failed: 7
    case .cancelled: 8
    case .skipped: 9
    }
  }
}

// MARK: - The order

extension RunEvents {
  /// A thing that an event reports.
  fileprivate enum Item {
    case line(LogRecord)
    case begins(StepRecord)
    case ends(StepRecord)
    case attemptBegins(StepRecord, AttemptRecord)
    case attemptEnds(StepRecord, AttemptRecord)
    case progress(StepRecord)
  }

  /// The items of one step in their order.
  private struct Chain {
    /// An item other than a line.
    struct Link {
      let item: Item
      /// The time of the item, or that of an earlier one of the step if that is later.
      let at: Timestamp
      /// The number of the log's lines that come before it, counted in the whole sequence: lines of its own step.
      var linesBefore = 0
      /// Whether the follower knows it.
      let isKnown: Bool
    }

    var links: [Link] = []
    /// The first link that has not been given out.
    var next = 0
    /// By attempt, the first link behind its beginning, and the one behind its end.
    private var places: [Int: (begun: Int, ended: Int?, at: Timestamp?)] = [:]
    /// The link before which the last line belongs.
    private var lastPlace = 0
    private let isLoop: Bool
    private let hasBegun: Bool

    init(_ step: StepRecord, known: RunCursor.Step) {
      isLoop = step.itemCount != nil
      let begun = step.startedAt ?? step.endedAt
      hasBegun = RunEvents.stage(step.status) >= 1 && begun != nil
      guard hasBegun, let begun else { return }
      add(.begins(step), begun, isKnown: known.stage >= 1)
      if !isLoop {
        // One attempt after the other: their numbers are their order.
        for attempt in step.attempts.sorted(by: { $0.number < $1.number }) {
          let number = UInt64(clamping: attempt.number)
          add(.attemptBegins(step, attempt), attempt.startedAt, isKnown: number <= known.begun)
          var place = (begun: links.count, ended: Int?.none, at: attempt.endedAt)
          if let at = attempt.endedAt {
            add(.attemptEnds(step, attempt), at, isKnown: number <= known.ended)
            place.ended = links.count
          }
          places[attempt.number] = place
        }
      } else if UInt64(clamping: step.attemptCount) > known.begun {
        add(.progress(step), step.attempts.compactMap(\.endedAt).max() ?? begun, isKnown: false)
      }
      if RunEvents.stage(step.status) == 2 { add(.ends(step), step.endedAt ?? begun, isKnown: known.stage == 2) }
    }

    private mutating func add(_ item: Item, _ at: Timestamp, isKnown: Bool) {
      links.append(Link(item: item, at: max(at, links.last?.at ?? at), isKnown: isKnown))
    }

    /// Puts a line into its place.
    ///
    /// - Parameters:
    ///   - number: The number of lines of the sequence up to this one.
    ///   - isWhole: Whether nothing more is recorded of the run.
    /// - Returns: The link before which it belongs; `nil` if the record lacks what comes before it.
    mutating func place(_ line: LogRecord, number: Int, isWhole: Bool) -> Int? {
      guard hasBegun else { return isWhole ? 0 : nil }
      // Behind the beginning of the step.
      var place = max(lastPlace, 1)
      if !isLoop, line.within.isEmpty, let attempt = line.attempt, attempt > 0 {
        if let known = places[attempt] {
          // A line after the end of an attempt, such as the reason why the next provider is not asked.
          let isBehind = known.at.map { line.at > $0 } ?? false
          place = max(place, isBehind ? known.ended ?? known.begun : known.begun)
        } else if !isWhole, !hasEnded {
          return nil
        }
      }
      lastPlace = place
      if links.indices.contains(place) { links[place].linesBefore = number }
      return place
    }

    private var hasEnded: Bool {
      if case .ends? = links.last?.item { true } else { false }
    }
  }

  /// The items of a run in their order.
  private struct Order {
    private var chains: [Chain]
    private let positions: [Int]
    private let lines: [(line: LogRecord, chain: Int?, place: Int)]
    /// The links of all steps by time, with their chains and their places in them.
    private let links: [(at: Timestamp, chain: Int, place: Int)]
    private var (nextLine, nextLink) = (0, 0)
    private var ready: [Item] = []
    private var nextReady = 0

    init(_ record: RunRecord, _ lines: [LogRecord], after cursor: RunCursor) {
      var chains = record.steps.map { Chain($0, known: cursor[$0.position]) }
      let indices = Dictionary(zip(record.steps.map(\.id), chains.indices)) { first, _ in first }
      let isWhole = record.summary.status.isFinal
      var placed: [(line: LogRecord, chain: Int?, place: Int)] = []
      for line in lines {
        guard let index = (line.within.first?.step ?? line.step).flatMap({ indices[$0] }) else {
          placed.append((line, nil, 0))
          continue
        }
        guard let place = chains[index].place(line, number: placed.count + 1, isWhole: isWhole) else {
          // Later ones wait too, as the cursor has only the last number. The ends behind them wait as well.
          for (number, later) in lines.enumerated().dropFirst(placed.count) {
            guard let other = (later.within.first?.step ?? later.step).flatMap({ indices[$0] }) else { continue }
            _ = chains[other].place(later, number: number + 1, isWhole: false)
          }
          break
        }
        placed.append((line, index, place))
      }
      self.lines = placed
      positions = record.steps.map(\.position)
      let found = chains.enumerated().flatMap { index, chain in
        chain.links.indices.map { (at: chain.links[$0].at, chain: index, place: $0) }
      }
      let positions = positions
      // Items of one time are ordered by step: a step ends before the next one begins.
      links = found.sorted { ($0.at, positions[$0.chain], $0.place) < ($1.at, positions[$1.chain], $1.place) }
      self.chains = chains
    }

    /// The next item; `nil` at the end.
    mutating func next() -> Item? {
      while nextReady >= ready.count {
        (ready, nextReady) = ([], 0)
        guard step() else { return nil }
      }
      defer { nextReady += 1 }
      return ready[nextReady]
    }

    /// Makes the next items ready; `false` at the end.
    private mutating func step() -> Bool {
      guard nextLink < links.count else {
        guard nextLine < lines.count else { return false }
        takeLine()
        return true
      }
      let link = links[nextLink]
      if nextLine < lines.count, isBefore(link) {
        takeLine()
        return true
      }
      nextLink += 1
      takeLinks(of: link.chain, through: link.place)
      return true
    }

    /// Whether the next line comes before a link by its time.
    private func isBefore(_ link: (at: Timestamp, chain: Int, place: Int)) -> Bool {
      let (line, chain, place) = lines[nextLine]
      guard let chain else { return line.at < link.at }
      if chain == link.chain { return place <= link.place }
      return (line.at, positions[chain]) < (link.at, positions[link.chain])
    }

    private mutating func takeLine() {
      let (line, chain, place) = lines[nextLine]
      if let chain { takeLinks(of: chain, through: place - 1) }
      ready.append(.line(line))
      nextLine += 1
    }

    /// Takes the links of a step up to one, each behind its lines.
    private mutating func takeLinks(of chain: Int, through place: Int) {
      while chains[chain].next <= place, chains[chain].next < chains[chain].links.count {
        let link = chains[chain].links[chains[chain].next]
        // Lines that are left to the next reading hold up what comes after them.
        guard link.linesBefore <= lines.count else { return }
        if nextLine < link.linesBefore {
          takeLine()
          continue
        }
        chains[chain].next += 1
        if !link.isKnown { ready.append(link.item) }
      }
    }
  }
}
