import Expressions
import Foundation
import Plans
import RecipeSyntax
import Testing

@testable import Engine

/// Drives the machine with random plans and random events, crashes included, and compares the transitions that it goes
/// through with the table in docs/modules/Engine.md.
@Suite(.timeLimit(.minutes(2))) struct RunMachineTransitionTests {
  @Test func everyTransitionOfTheTableIsReachedAndNoOther() throws {
    var seen: Set<Transition> = []
    for seed in 0..<8000 as Range<UInt64> { seen.formUnion(RandomRun.transitions(seed: seed)) }
    let table = try Transition.table()
    #expect(table.subtracting(seen).map(\.text).sorted() == [], "in the table, and reached by no run")
    #expect(seen.subtracting(table).map(\.text).sorted() == [], "reached by a run, and not in the table")
  }
}

/// A state, an event, and the state after it.
private struct Transition: Hashable {
  let state: String
  let event: String
  let next: String

  var text: String { "| `\(state)` | `\(event)` | `\(next)` |" }

  /// Reads the table: a row `| states | events | next states |` stands for all that can be made of it.
  static func table() throws -> Set<Transition> {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/modules/Engine.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    var found: Set<Transition> = []
    for line in lines.drop(while: { !$0.hasPrefix("| state | event |") }).dropFirst(2).prefix(while: { $0.first == "|" }
    ) {
      let cells = line.split(separator: "|").map { cell in
        cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      }
      try #require(cells.count > 2)
      for state in cells[0] {
        for event in cells[1] {
          for next in cells[2] { found.insert(Transition(state: state, event: event, next: next)) }
        }
      }
    }
    return found
  }
}

/// A run of a random plan in which random things happen, with a journal of its own.
private struct RandomRun {
  private struct Unit: Hashable {
    var step: Int
    var item: Int?
  }

  private var random: SeededNumbers
  private let plan: [PlanStep]
  private let hasOutputs: Bool
  private var machine: RunMachine
  private var preparing: [Int] = []
  private var running: [Unit] = []
  private var waiting: [Unit] = []
  private var isConcluding = false
  private var isParked = false
  private var end: RunStatus?
  /// What is on record.
  private var recorded: [StepSnapshot]
  private var turn: RunTurn.Reason?
  private var seen: Set<Transition> = []

  static func transitions(seed: UInt64) -> Set<Transition> {
    var run = RandomRun(seed)
    run.execute()
    return run.seen
  }

  private init(_ seed: UInt64) {
    random = SeededNumbers(seed)
    plan = Self.plan(&random)
    hasOutputs = random.happens(0.5)
    recorded = plan.map { _ in StepSnapshot() }
    machine = RunMachine(steps: plan, hasOutputs: hasOutputs)
  }

  private static func plan(_ random: inout SeededNumbers) -> [PlanStep] {
    var steps: [PlanStep] = []
    let count = random.below(4)
    for index in 0..<count {
      var step = PlanStep.step("s\(index)", effect: random.happens(0.5) ? .once : .pure)
      if random.happens(0.3) { step = .child("s\(index)", .plan([.step("x")])) }
      step.needs = (0..<index).filter { _ in random.happens(0.4) }
      if random.happens(0.4) { step.loop = PlanStep.loop("l", over: 1, parallel: 1 + random.below(2)).loop }
      if random.happens(0.3) { step.onError = .continue }
      steps.append(step)
    }
    let ends: [PlanStep.Phase] =
      (0..<count).filter { _ in random.happens(0.3) }.map { .undo(of: $0) } + (random.happens(0.3) ? [.onFailure] : [])
      + (0..<random.below(3)).map { _ in .finally }
    for phase in ends {
      var step = PlanStep.step("s\(steps.count)", needs: Array(steps.indices))
      step.phase = phase
      steps.append(step)
    }
    return steps
  }

  private mutating func execute() {
    begin()
    for _ in 0..<200 {
      if end?.isFinal == true { return checkEnd() }
      // A run that is parked while its process ends is resumed by another one.
      if end != nil || isParked && machine.state == .leaving || random.happens(0.05) {
        resume()
      } else if isParked, waiting.isEmpty {
        Issue.record("parked for nothing")
        return
      } else {
        step()
      }
    }
  }

  private mutating func begin() {
    if random.happens(0.1) { handle(.stop(.cancelled), "cancelled") }
    if random.happens(0.1) { handle(.stop(.failed(.test(.timeout))), "timed out") }
    handle(.start, "start")
  }

  /// The process ends, and another one resumes the run.
  private mutating func resume() {
    for step in recorded.indices {
      for unit in recorded[step].units.indices where end == .needsAttention {
        // A person has said that nothing happened.
        guard case .outcomeUnknown = recorded[step].units[unit].progress else { continue }
        recorded[step].units[unit].lastAttempt?.endedAt = .init(seconds: 1)
        recorded[step].units[unit].lastAttempt?.failure = .test(.crashed)
        recorded[step].units[unit].lastAttempt?.retryDelay = 0
      }
    }
    machine = RunMachine(steps: plan, resuming: recorded, turn: turn, hasOutputs: hasOutputs)
    (preparing, running, waiting, isConcluding, isParked, end) = ([], [], [], false, false, nil)
    begin()
  }

  /// Something happens.
  private mutating func step() {
    if isConcluding {
      if random.happens(0.2) { return handle(.stop(.interrupted), "interrupted") }
      if random.happens(0.1) { return handle(.stop(.cancelled), "cancelled") }
      if random.happens(0.1) { return handle(.stop(.failed(.test(.timeout))), "timed out") }
      isConcluding = false
      return random.happens(0.3)
        ? handle(.concluded(.test(.outputs)), "outputs failed") : handle(.concluded(nil), "outputs evaluated")
    }
    let chance = isParked ? 0.3 : 0.04
    isParked = false
    if random.happens(chance) { return handle(.stop(.interrupted), "interrupted") }
    if random.happens(chance) { return handle(.stop(.cancelled), "cancelled") }
    if random.happens(chance) { return handle(.stop(.failed(.test(.timeout))), "timed out") }
    if let step = preparing.popLast() { return prepare(step) }
    if !waiting.isEmpty, running.isEmpty || random.happens(0.3) {
      let unit = waiting[random.below(waiting.count)]
      return handle(.wake(step: unit.step, item: unit.item), "wake")
    }
    if !running.isEmpty { report(running.remove(at: random.below(running.count))) }
  }

  private mutating func prepare(_ step: Int) {
    let preparation: RunMachine.Preparation
    switch (plan[step].loop, random.below(8)) {
    case (_, 0): preparation = .skip
    case (_, 1): preparation = .failed(.test(.invalidInput))
    case (nil, _): preparation = .single
    default:
      let count = random.below(4)
      recorded[step].itemCount = count
      preparation = .loop(count: count)
    }
    handle(.prepared(step: step, preparation), "prepared")
  }

  private mutating func report(_ unit: Unit) {
    // What is on record already is told again.
    switch recorded[unit.step].units.first(where: { $0.item == unit.item })?.progress {
    case .succeeded: return finish(unit, failure: nil)
    case .failed(let failure): return finish(unit, failure: failure)
    default: break
    }
    let isEnding = plan[unit.step].phase != .main
    let mayStop = machine.state == .leaving || machine.state == .stopping && !isEnding
    switch random.below(10) {
    case 0, 1: finish(unit, failure: .test(.auth))
    case 2, 3:
      waiting.append(unit)
      handle(.unitWaits(step: unit.step, item: unit.item), "waits")
    case 4 where plan[unit.step].action.effect == .once && plan[unit.step].child == nil:
      // Nobody knows whether it took effect; both are told at once.
      change(unit) { $0.lastAttempt?.failure = .test(.timeout) }
      handle(.stop(.needsAttention(.test(.timeout))), "needs attention")
      handle(.unitSuspended(step: unit.step, item: unit.item), "suspended")
    case 4 where mayStop, 5 where mayStop:
      change(unit) { $0.lastAttempt?.endedAt = .init(seconds: 1) }
      change(unit) { $0.lastAttempt?.failure = .test(.cancelled) }
      handle(.unitSuspended(step: unit.step, item: unit.item), "suspended")
    case 6 where machine.state == .leaving: handle(.unitLeft(step: unit.step, item: unit.item), "left")
    default: finish(unit, failure: nil)
    }
  }

  private mutating func finish(_ unit: Unit, failure: ActionFailure?) {
    change(unit) { recorded in
      recorded.lastAttempt?.endedAt = .init(seconds: 1)
      recorded.lastAttempt?.failure = failure
      if failure == nil { recorded.output = .null }
    }
    handle(
      .unitFinished(step: unit.step, item: unit.item, failure: failure), failure == nil ? "succeeded" : "failed")
  }

  private mutating func change(_ unit: Unit, _ body: (inout UnitSnapshot) -> Void) {
    if let index = recorded[unit.step].units.firstIndex(where: { $0.item == unit.item }) {
      body(&recorded[unit.step].units[index])
    } else {
      var new = UnitSnapshot(item: unit.item)
      body(&new)
      recorded[unit.step].units.append(new)
    }
  }

  private mutating func handle(_ event: RunMachine.Event, _ name: String) {
    guard end == nil else { return }
    let state = machine.state
    let actions = machine.handle(event)
    seen.insert(Transition(state: state.rawValue, event: name, next: machine.state.rawValue))
    for action in actions { carryOut(action) }
  }

  private mutating func carryOut(_ action: RunMachine.Action) {
    switch action {
    case .prepare(let step):
      recorded[step].status = .running
      preparing.append(step)
      checkTurn(for: step)
    case .startUnit(let step, let item):
      let unit = Unit(step: step, item: item)
      waiting.removeAll { $0 == unit }
      if running.contains(unit) { Issue.record("\(unit) is executed twice") }
      running.append(unit)
      change(unit) { unit in
        guard !unit.progress.isFinal else { return }
        unit.attempts += 1
        unit.lastAttempt = AttemptSnapshot(
          number: unit.attempts, kind: .builtin, key: "k", firstStart: .init(seconds: 0))
      }
      checkTurn(for: step)
    case .finishStep(let step, let status, _, _, let failure):
      waiting.removeAll { $0.step == step }
      recorded[step].status = status
      recorded[step].failure = failure
    case .conclude: isConcluding = true
    case .turn(let reason):
      if turn != nil { Issue.record("it turns twice") }
      turn = reason
    case .park: isParked = true
    case .finishRun(let status, _): end = status
    }
  }

  /// A step of a later phase begins only where its turn has come.
  private func checkTurn(for step: Int) {
    switch (plan[step].phase, turn) {
    case (.main, nil), (.finally, _?), (.onFailure, .failed), (.undo, .failed), (.undo, .cancelled): break
    default: Issue.record("a step of phase \(plan[step].phase) begins after \(String(describing: turn))")
    }
  }

  private func checkEnd() {
    #expect(recorded.allSatisfy { $0.status != .pending && $0.status != .running })
    let hasFailedAtEnd = plan.indices.contains { plan[$0].phase != .main && recorded[$0].status == .failed }
    switch turn {
    case .succeeded: #expect(end == (hasFailedAtEnd ? .failed : .succeeded))
    case .failed: #expect(end == .failed)
    case .cancelled: #expect(end == .cancelled)
    case nil: Issue.record("it ended as \(String(describing: end)) without a turn")
    }
  }
}

/// Numbers that a seed decides (SplitMix64).
private struct SeededNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var number = state
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return number ^ (number >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
  mutating func happens(_ chance: Double) -> Bool { Double(next() >> 11) / Double(1 << 53) < chance }
}
