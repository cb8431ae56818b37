public import Engine
public import Expressions
import Localization

/// The decisions that runs wait for, and how people make them.
public struct Decisions: Sendable {
  private let store: any RunLogReader & WaitDelivery

  /// The decisions of the runs in a run log.
  public init(_ store: any RunLogReader & WaitDelivery) { self.store = store }

  /// Which decision is meant, where a run waits for several.
  public struct Choice: Sendable {
    /// The run, a unique beginning of its name, `last`, or a recipe for its newest run that waits for a decision.
    public var run: String
    /// The step that asks.
    public var step: String?
    /// The item of the step's `for_each`, from 0.
    public var item: Int?

    /// Chooses the decision of a run, of a step of it, or of one item of that.
    public init(_ run: String, step: String? = nil, item: Int? = nil) {
      self.run = run
      self.step = step
      self.item = item
    }
  }

  /// The decisions that are open in a run log.
  public static func open(in log: any RunLogReader) async throws(UseCaseError) -> [OpenWait] {
    try await mapErrors { try await log.openWaits() }.filter { $0.wait.kind == .approval && !$0.isAnswered }
  }

  /// Agrees to what a run asks.
  ///
  /// - Parameters:
  ///   - choice: Which decision.
  ///   - fields: The fields of the form as somebody has typed them, read in the types that the form gives them.
  ///   - person: Who decides.
  ///   - option: The option of the command line that gives a field, for errors; `nil` for other callers.
  /// - Returns: The run that was meant and what was decided.
  /// - Throws: ``UseCaseError``: `wrong_input` where the form is not filled in; `run_state` where no such decision is open,
  ///   or several are.
  public func approve(
    _ choice: Choice, fields: [Assignment] = [], by person: String, option: String? = nil
  ) async throws(UseCaseError) -> (run: RunID, wait: OpenWait) {
    try await approve(choice, by: person) { form throws(UseCaseError) in
      try FilledForm(form, typed: fields, option: option).value
    }
  }

  /// Agrees to what a run asks, with values that have the types of the form already: a text is not read as a number.
  ///
  /// - Parameters:
  ///   - choice: The decision that is meant.
  ///   - values: The fields of the form.
  ///   - person: Who decides.
  /// - Returns: The run that was meant and what was decided.
  /// - Throws: ``UseCaseError`` as ``approve(_:fields:by:)``; its faults are below `/fields`.
  public func approve(
    _ choice: Choice, values: ValueMap, by person: String
  ) async throws(UseCaseError) -> (run: RunID, wait: OpenWait) {
    try await approve(choice, by: person) { form throws(UseCaseError) in try FilledForm(form, values).value }
  }

  private func approve(
    _ choice: Choice, by person: String, reading: (Value?) throws(UseCaseError) -> Value
  ) async throws(UseCaseError) -> (run: RunID, wait: OpenWait) {
    let (run, wait) = try await wait(choice)
    let form = try reading(wait.wait.form)
    try await mapErrors {
      try await store.decide(
        run: wait.wait.run, step: wait.step, item: wait.wait.item, approved: true, fields: form, reason: "",
        by: person)
    }
    return (run, wait)
  }

  /// Refuses what a run asks.
  ///
  /// - Returns: The run that was meant and what was decided.
  /// - Throws: ``UseCaseError`` with code `run_state` where no such decision is open, or several are.
  public func reject(
    _ choice: Choice, reason: String = "", by person: String
  ) async throws(UseCaseError) -> (run: RunID, wait: OpenWait) {
    let (run, wait) = try await wait(choice)
    try await mapErrors {
      try await store.decide(
        run: wait.wait.run, step: wait.step, item: wait.wait.item, approved: false, fields: .map([:]), reason: reason,
        by: person)
    }
    return (run, wait)
  }

  /// The one open decision that is meant.
  private func wait(_ choice: Choice) async throws(UseCaseError) -> (RunID, OpenWait) {
    try await mapErrors {
      var run = try await store.resolve(choice.run)
      var open = try await store.openWaits(of: run, includesParts: true).filter(choice.means)
      if open.isEmpty, let (older, waits) = try await newestRun(of: choice) { (run, open) = (older, waits) }
      guard let wait = open.first, open.count == 1 else {
        let now = SystemTime().now
        let late =
          open.isEmpty
          ? try await store.run(run.rawValue).waits.first { choice.means($0) && $0.isOver(at: now) } : nil
        throw Self.refusal(run, isAmbiguous: !open.isEmpty, late: late)
      }
      return (run, wait)
    }
  }

  /// The newest run of a recipe that waits for the decision that is meant; `nil` if none does, or if no recipe is named.
  private func newestRun(of choice: Choice) async throws -> (RunID, [OpenWait])? {
    let filter = RunFilter(statuses: [.waiting, .running, .interrupted], recipe: choice.run, limit: Self.runsLookedAt)
    for run in try await store.runs(filter) where run.parent == nil {
      let open = try await store.openWaits(of: run.id, includesParts: true).filter(choice.means)
      if !open.isEmpty { return (run.id, open) }
    }
    return nil
  }

  /// Of a recipe, so many runs are looked at that have not ended.
  private static let runsLookedAt = 1000

  /// Why no decision can be made.
  ///
  /// - Parameter late: A decision that is meant and whose time is up.
  private static func refusal(_ run: RunID, isAmbiguous: Bool, late: OpenWait?) -> UseCaseError {
    if isAmbiguous {
      return .runState(
        .init(
          "run \(run) waits for several decisions: name one with --step and --item",
          de: "Lauf \(run) wartet auf mehrere Entscheidungen: eine mit --step und --item nennen"))
    }
    if let late, let until = late.wait.until {
      return .runState(
        .init(
          "the time for this decision of run \(run) was up at \(until.spokenLocalTime)",
          de: "die Zeit für diese Entscheidung von Lauf \(run) lief ab um \(until.spokenLocalTime)"))
    }
    return .runState(
      .init("run \(run) waits for no such decision", de: "Lauf \(run) wartet auf keine solche Entscheidung"))
  }
}

extension Decisions.Choice {
  /// Whether a wait is the decision that is meant, or one of them.
  fileprivate func means(_ wait: OpenWait) -> Bool {
    wait.wait.kind == .approval && !wait.isAnswered && (step == nil || wait.step == step)
      && (item == nil || wait.wait.item == item)
  }
}

extension OpenWait {
  /// Whether nothing came before its time was up, which whoever resumes the run finds.
  public func isOver(at now: Timestamp) -> Bool { !isAnswered && wait.until.map { $0 <= now } ?? false }
}
