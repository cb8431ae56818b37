import Builtins
public import Engine
public import Expressions
import Localization
import Plans
import RunStore
import Schemas

/// Which attempt is meant whose outcome is unknown, where there are several.
public struct DoubtChoice: Sendable {
  /// The run, a unique beginning of its name, or `last`; `nil` for all.
  public var run: String?
  /// The step.
  public var step: String?
  /// The item of the step's loop, from 0.
  public var item: Int?

  /// Chooses among the attempts of a run, of a step, of one item of a loop, or all.
  public init(_ run: String? = nil, step: String? = nil, item: Int? = nil) {
    self.run = run
    self.step = step
    self.item = item
  }
}

/// What a person has found out about an attempt whose outcome was unknown.
public enum Finding: Sendable {
  /// It took effect; what it gave, `nil` where nobody says, which later steps see as null.
  case done(Value?)
  /// It did not; it is done again.
  case notDone
}

extension Session {
  /// The attempts whose outcome is unknown and that a person has to look after.
  ///
  /// - Throws: ``UseCaseError`` with code `step_not_found` where a step is named that the run does not have.
  public func doubts(_ choice: DoubtChoice) async throws(UseCaseError) -> [Doubt] {
    try await found(choice).open
  }

  /// Says whether something took effect that nobody but a person can find out.
  ///
  /// - Returns: What was settled, and the run that goes on then.
  /// - Throws: ``UseCaseError``: `run_state` where nothing is in doubt; `wrong_input` where several are, or where the output
  ///   does not fit what the action gives.
  public func settle(
    _ choice: DoubtChoice, _ finding: Finding, by person: String
  ) async throws(UseCaseError) -> (doubt: Doubt, run: RunID) {
    let (id, open) = try await found(choice)
    guard let doubt = open.first else { throw .nothingInDoubt(id) }
    guard open.count == 1 else { throw .ambiguous(open, isOneRun: id != nil) }
    var output: Value?
    if case .done(let value) = finding {
      output = value ?? .null
      if let value { try await requireFit(value, doubt) }
    }
    if let process = await runningProgram(of: doubt) { throw .stillRuns(process, doubt) }
    try await mapErrors { [output] in try await store.settle(doubt, output: output, by: person) }
    return (doubt, try await outermost(id ?? doubt.run))
  }

  /// The process number of the program of an attempt in doubt; `nil` if none still runs. While it runs, its effect is open.
  public func runningProgram(of doubt: Doubt) async -> Int32? {
    guard let snapshot = try? await store.snapshot(of: doubt.run), snapshot.steps.indices.contains(doubt.position),
      let attempt = snapshot.steps[doubt.position].units.first(where: { $0.item == doubt.item })?.lastAttempt
    else { return nil }
    return await project.programs.running(of: attempt)
  }

  /// The run of which a run is a part in the end: that one is resumed.
  private func outermost(_ run: RunID) async throws(UseCaseError) -> RunID {
    try await mapErrors {
      var run = run
      while let parent = try await store.snapshot(of: run).start.parent { run = parent }
      return run
    }
  }

  private func found(_ choice: DoubtChoice) async throws(UseCaseError) -> (run: RunID?, open: [Doubt]) {
    try await mapErrors {
      let id = if let run = choice.run { try await store.resolve(run) } else { RunID?.none }
      let all = try await store.doubts(of: id)
      if let id, let step = choice.step, !all.contains(where: { $0.step == step }) {
        try await store.requireStep(step, of: id)
      }
      return (
        id,
        all.filter {
          (choice.step == nil || $0.step == choice.step) && (choice.item == nil || $0.item == choice.item)
        }
      )
    }
  }

  /// Makes sure that an output is what later steps may count on.
  private func requireFit(_ output: Value, _ doubt: Doubt) async throws(UseCaseError) {
    let start = try await mapErrors { try await store.snapshot(of: doubt.run).start }
    let plan = try await plan(of: start)
    guard plan.steps.indices.contains(doubt.position),
      let violation = plan.steps[doubt.position].action.output.validate(output).first
    else { return }
    let place = violation.pathText.isEmpty ? "" : "\(violation.pathText): "
    throw .wrongInput(
      LocalizedText(
        "--output does not fit what '\(doubt.action)' gives: \(place)",
        de: "--output passt nicht zu dem, was '\(doubt.action)' ergibt: \(place)") + violation.message)
  }
}

extension UseCaseError {
  fileprivate static func stillRuns(_ process: Int32, _ doubt: Doubt) -> UseCaseError {
    .runState(
      .init(
        "process \(process) of step '\(doubt.place)' of run \(doubt.run) still runs and may still take effect: wait until it "
          + "ends or end it with 'kill \(process)', check whether it took effect, then repeat this command",
        de: "Prozess \(process) von Schritt '\(doubt.place)' des Laufs \(doubt.run) läuft noch und kann noch wirken: "
          + "sein Ende abwarten oder ihn mit 'kill \(process)' beenden, prüfen, ob er gewirkt hat, dann diesen Befehl "
          + "wiederholen"))
  }

  fileprivate static func nothingInDoubt(_ run: RunID?) -> UseCaseError {
    guard let run else { return .runState(.init("nothing is in doubt", de: "nichts ist fraglich")) }
    return .runState(
      .init(
        "nothing of run \(run) is in doubt; 'sous show \(run)' tells where it stands",
        de: "an Lauf \(run) ist nichts fraglich; 'sous show \(run)' sagt, wo er steht"))
  }

  fileprivate static func ambiguous(_ open: [Doubt], isOneRun: Bool) -> UseCaseError {
    guard !isOneRun else {
      let places = open.map(\.place).joined(separator: ", ")
      return .wrongInput(
        .init(
          "several steps are in doubt: \(places); choose one with --step and --item",
          de: "mehrere Schritte sind fraglich: \(places); einen mit --step und --item wählen"))
    }
    let places = open.map { "\n  \($0.run)  \($0.place)" }.joined()
    return .wrongInput(
      .init(
        "several are in doubt; name the run, and the step where that has several:\(places)",
        de: "mehreres ist fraglich; den Lauf nennen, und den Schritt, wo dieser mehrere hat:\(places)"))
  }
}

extension Doubt {
  /// The step, with the item where it is a loop: `send[3]`.
  public var place: String { item.map { "\(step)[\($0)]" } ?? step }
}
