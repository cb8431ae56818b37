import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import RunStore
public import UseCases

/// Which messages of the outbox are meant.
public struct OutboxFilter: Sendable {
  /// Only messages that stand so; empty for all.
  public var states: Set<OutboxItem.State> = []
  /// At most so many, the newest ones.
  public var limit = 100

  /// Means the newest messages.
  public init() {}
}

extension Session {
  /// The messages of the outbox, the newest first.
  public func outbox(_ filter: OutboxFilter) async throws(UseCaseError) -> [OutboxItem] {
    try await mapErrors {
      var items: [OutboxItem] = []
      // Some of them may stand for others.
      var runs = RunFilter(limit: filter.states.isEmpty ? 2 * filter.limit : 100_000)
      runs.isMail = true
      runs.statuses = filter.states.reduce(into: []) { $0.formUnion($1.statuses) }
      // Most messages have one recipe: it is planned once.
      let plans = ProjectPlans(project: project)
      for summary in try await store.runs(runs) {
        guard items.count < filter.limit else { break }
        let item = try await item(summary.id.rawValue, plans)
        // The run that has tried it again stands for it.
        guard item.repetition == nil else { continue }
        if filter.states.isEmpty || filter.states.contains(item.state) { items.append(item) }
      }
      return items
    }
  }

  /// One message of the outbox.
  ///
  /// - Parameter reference: Its run, a unique beginning of its name, or `last` for the newest message.
  /// - Throws: ``UseCaseError`` where there is no such run, or it is none that sends a message.
  public func outboxItem(_ reference: String) async throws(UseCaseError) -> OutboxItem {
    try await mapErrors {
      let plans = ProjectPlans(project: project)
      guard reference == "last" else { return try await item(reference, plans) }
      var newest = RunFilter(limit: 1)
      newest.isMail = true
      guard let run = try await store.runs(newest).first else { throw UseCaseError.outboxIsEmpty }
      return try await item(run.id.rawValue, plans)
    }
  }

  private func item(_ reference: String, _ plans: ProjectPlans) async throws -> OutboxItem {
    try await mail(reference, plans).item
  }

  /// A message, and the start of its run that the message was read from.
  func mail(_ reference: String) async throws(UseCaseError) -> (item: OutboxItem, start: RunStart) {
    try await mapErrors { try await mail(reference, ProjectPlans(project: project)) }
  }

  private func mail(
    _ reference: String, _ plans: ProjectPlans
  ) async throws -> (item: OutboxItem, start: RunStart) {
    let run = try await run(of: reference)
    // Before the record: what a change between the two reads has brought is refused by what the start says.
    let start = try await store.snapshot(of: run).start
    let record = try await store.run(run.rawValue, limit: 20)
    guard record.steps.contains(where: { $0.action == ActionSignature.outboxTurn.name }) else {
      throw UseCaseError.isNoMail(record.summary.id)
    }
    var item = OutboxItem(record)
    // A recipe that cannot be planned any more still has its run.
    let plan = try? await plans.plan(of: start)
    item.message = start.recipeOrigin == .outbox ? start.inputs["message"] : plan?.message(of: start)
    item.account = item.account ?? plan?.transport
    item.time = item.time ?? plan?.time(of: start)
    if item.state == .failed { item.repetition = try await store.repetition(of: run) }
    return (item, start)
  }

  /// The run that a reference names. Where several runs share the beginning, a message is meant.
  private func run(of reference: String) async throws -> RunID {
    do throws(RunStoreError) {
      return try await store.resolve(reference)
    } catch {
      guard error.code == .ambiguousRun else { throw error }
      var messages = RunFilter(limit: 100_000)
      messages.isMail = true
      let found = try await store.runs(messages).filter { $0.id.isNamed(reference) }
      guard let only = found.first, found.count == 1 else { throw error }
      return only.id
    }
  }
}

extension Plan {
  /// The message that a run of a recipe of kind `send` sends; `nil` where it depends on what is not known yet.
  func message(of start: RunStart) -> Value? {
    guard let step = steps.last else { return nil }
    let request = RunRequest(
      id: start.run, inputs: start.inputs, keywords: start.keywords, trigger: start.trigger, event: start.event)
    return try? input(of: step, request, at: start.at).asMessage
  }
}

extension Plan {
  /// When the message of a run goes out that nobody has begun; `nil` where it names no time.
  fileprivate func time(of start: RunStart) -> Timestamp? {
    guard dispatch != nil, let due = steps.first else { return nil }
    let request = RunRequest(
      id: start.run, inputs: start.inputs, keywords: start.keywords, trigger: start.trigger, event: start.event)
    guard let text = try? input(of: due, request, at: start.at)["at"]?.stringValue, !text.isEmpty else { return nil }
    return try? SendMoment(text, now: start.at).time
  }
}

extension OutboxItem.State {
  /// The statuses that runs of such messages have.
  fileprivate var statuses: Set<RunStatus> {
    switch self {
    case .pending: [.queued, .running, .waiting, .interrupted]
    case .held: [.waiting]
    case .sending: [.running]
    case .sent: [.succeeded]
    case .failed: [.failed]
    case .cancelled: [.cancelled, .skipped]
    case .unknown: [.needsAttention]
    }
  }
}

extension UseCaseError {
  fileprivate static var outboxIsEmpty: UseCaseError {
    .runState(.init("the outbox is empty", de: "der Postausgang ist leer"))
  }

  fileprivate static func isNoMail(_ run: RunID) -> UseCaseError {
    .runState(
      .init(
        "run \(run) sends no message of the outbox: 'sous show \(run)'",
        de: "Lauf \(run) sendet keine Nachricht des Postausgangs: 'sous show \(run)'"))
  }
}
