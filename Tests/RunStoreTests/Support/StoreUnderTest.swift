import Engine
import Expressions
import RunStore
import TestSupport

/// A run log in memory or in a file, with its clock.
struct StoreUnderTest {
  /// Where it is.
  enum Kind: CaseIterable { case memory, sqlite }

  let time = ManualTime()
  let store: RunStore
  private let kind: Kind
  private let folder: TemporaryFolder

  init(_ kind: Kind) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    switch kind {
    case .memory: store = try RunStore(inMemory: time)
    case .sqlite: store = try RunStore(path: folder("sous.db"), time: time)
    }
  }

  /// The same log as another process has it.
  func another() throws -> RunStore {
    if kind == .memory { return try RunStore(sharing: store) }
    return try RunStore(path: folder("sous.db"), time: time)
  }

  func start(_ id: String, _ change: (inout RunStart) -> Void = { _ in }) -> JournalEntry {
    guard case .runStarted(var start) = SampleRun.started(id, at: time.now) else { return SampleRun.started(id) }
    change(&start)
    return .runStarted(start)
  }

  func queue(_ id: String, priority: Int = 0, group: String? = nil) async throws {
    let entry = start(id) { start in
      start.isQueued = true
      start.priority = priority
      start.group = group
    }
    try await store.record([entry], durability: .committed)
  }

  func claim(_ limit: Int = 10) async throws -> [String] {
    try await store.claim(limit: limit, at: time.now).map(\.rawValue)
  }

  func wait(
    _ id: String, _ kind: WaitKind, event: String? = nil, key: String = "", until: Timestamp? = nil
  ) -> JournalEntry {
    .waitStarted(
      WaitStart(
        run: RunID(rawValue: id), step: 0, item: nil, kind: kind, until: until, event: event, key: key,
        message: kind == .approval ? "send?" : nil, at: time.now))
  }

  func park(_ id: String, until: Timestamp? = nil) -> JournalEntry {
    .runParked(run: RunID(rawValue: id), until: until, at: time.now)
  }
}

extension FiringLog {
  /// One decision alone.
  func fire(_ firing: ScheduleFiring) async throws -> FiringResult {
    guard let result = try await fire([firing]).first else { throw CancellationError() }
    return result
  }
}
