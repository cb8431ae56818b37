import Expressions
import Plans
import RecipeModel
import Synchronization

/// What the tasks of one run share.
final class RunContext: Sendable {
  let plan: Plan
  let engine: RunEngine
  let start: RunStart
  let observer: any RunObserver
  let lines: LogLines
  let control: CancelToken
  /// The run whose recorded results replace the calls with effects, for a replay; `nil` for a normal run.
  let replayed: RunSnapshot?
  /// The permissions of the recipe without those that were denied to the run; `nil` for all.
  let permissions: Set<Permission>?
  let stopSignal = StopSignal()
  private let notes = EntryNotes()
  private let shared = Atomic(false)

  init(
    plan: Plan, engine: RunEngine, start: RunStart, observer: any RunObserver, control: CancelToken, lines: LogLines,
    replayed: RunSnapshot? = nil
  ) {
    permissions = plan.runPermissions(keywords: start.keywords)
    self.plan = plan
    self.engine = engine
    self.start = start
    self.observer = observer
    self.control = control
    self.lines = lines
    self.replayed = replayed
  }

  var run: RunID { start.run }
  var time: any TimeSource { engine.time }
  /// Whether the run may be parked while it waits.
  var canPark: Bool { engine.options.parksWaits }
  /// Whether nothing more is to begin, as the process is about to end.
  var isDraining: Bool { engine.options.drain?.isSet == true }
  var providers: any ProviderDirectory { engine.providers }

  /// Whether units have tasks of their own. Nothing is only noted then: entries of several tasks could change their order
  /// between being gathered and being handed over.
  var isShared: Bool {
    get { shared.load(ordering: .acquiring) }
    set { shared.store(newValue, ordering: .releasing) }
  }

  /// Begins the time in which units have tasks of their own.
  ///
  /// - Parameter flushing: Whether to write what is noted; a task that is alone takes it along with its own first entry.
  func share(flushing: Bool) async throws {
    if flushing {
      let noted = notes.take()
      if !noted.isEmpty { try await engine.queue.record(noted, durability: .accepted) }
    }
    isShared = true
  }

  /// Writes entries to the journal, after the log lines so far and after entries that were only noted, then shows them to the
  /// watcher.
  func record(_ entries: [JournalEntry], _ durability: Durability) async throws {
    await lines.settle()
    try await engine.queue.record(notes.take() + entries, durability: durability)
    for entry in entries { observer.observe(.journal(entry)) }
  }

  /// Entries that somebody else writes, after those that were only noted; shows them to the watcher.
  func together(_ entries: [JournalEntry]) -> [JournalEntry] {
    for entry in entries { observer.observe(.journal(entry)) }
    return notes.take() + entries
  }

  /// Keeps entries until the next ``record(_:_:)``: for work that is over before anybody could look, and that can be
  /// done again.
  func note(_ entries: [JournalEntry]) async throws {
    if isShared { return try await record(entries, .accepted) }
    let full = notes.add(entries)
    for entry in entries { observer.observe(.journal(entry)) }
    if full != nil { await lines.settle() }
    if let full { try await engine.queue.record(full, durability: .accepted) }
  }

  /// Keeps one entry.
  func note(_ entry: JournalEntry) async throws {
    if isShared { return try await record([entry], .accepted) }
    let full = notes.add(CollectionOfOne(entry))
    observer.observe(.journal(entry))
    if let full { try await engine.queue.record(full, durability: .accepted) }
  }
}

/// Entries of the journal that wait for the next one.
private final class EntryNotes: Sendable {
  /// So many are written at the latest.
  private static let limit = 64
  private let entries = Mutex<[JournalEntry]>([])

  /// Adds entries that belong together; gives all back where there are many.
  func add(_ more: some Collection<JournalEntry>) -> [JournalEntry]? {
    entries.withLock { entries in
      entries += more
      guard entries.count >= Self.limit else { return nil }
      defer {
        entries = []
        entries.reserveCapacity(Self.limit)
      }
      return entries
    }
  }

  func take() -> [JournalEntry] {
    entries.withLock { entries in
      guard !entries.isEmpty else { return [] }
      defer { entries = [] }
      return entries
    }
  }
}
