import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import Synchronization

/// What a seed lets happen.
struct Weather: Sendable {
  /// How often providers fail, hang or lose their answers, as a share of attempts.
  var trouble = 0.0
  /// How often the process dies at a point of the journal or in a call, as a share of those points.
  var death = 0.0
  /// How often the disk is slow, and how often a write fails.
  var slowDisk = 0.0
  var brokenDisk = 0.0
  /// How often nobody can say whether an effect took place.
  var doubt = 0.0
  /// How often a process stands still for a while, as a share of processes.
  var standstill = 0.0
  /// How often the power fails where a process dies.
  var powerFailure = 0.0
  /// How often a plan cannot be made just now.
  var noPlan = 0.0
  /// What is wrong on purpose; `nil` for nothing.
  var plant: Plant?
}

/// The world outside of the simulated processes, which survives them: what providers have done, and what it tells of it.
final class World: Sendable {
  /// Something that an action has done outside.
  struct Deed: Sendable {
    var unit: String
    var key: String
    var input: String
    var isOnce: Bool
    var output: Value
  }

  /// A call of a provider.
  struct Call: Sendable {
    var root: String
    var plan: String
    var step: String
    var item: Int?
    var unit: String
    var key: String
    var action: String
    var number: Int
    var began: Double
  }

  private struct State {
    var names: [RunID: String] = [:]
    var violations: [String] = []
    var deeds: [Deed] = []
    var calls: [Call] = []
    /// Which process works on a run, and in how many calls.
    var active: [String: (process: String, calls: Int)] = [:]
    var occurrences: [String: Int] = [:]
    var deaths = 0
    var inDoubt: Set<String> = []
    /// How the work on runs has ended, and after which commit that is on record; 0 where it is on the disk.
    var ends: [RunID: (status: RunStatus, commit: Int)] = [:]
    var plans: [String: Plan] = [:]
    /// The steps with which people have asked to begin again, by run.
    var asked: [String: Int] = [:]
    /// The process that each run belongs to.
    var owners: [RunID: Life] = [:]
    /// Units about which a person has said what became of them.
    var settled: Set<String> = []
    var calledOff: Set<String> = []
    var cutOff: Set<String> = []
    var hasLostPower = false
    var kept: [String: (value: Value, expiry: Timestamp, commit: Int)] = [:]
    /// Kept results of which it is not known whether a power failure has left them.
    var unsure: Set<String> = []
    /// When the work on a run began and ended.
    var spans: [String: [Span]] = [:]
  }

  /// A time in which a run was worked on, and the commits that say so.
  struct Span: Sendable {
    var began: Double
    var commit: Int
    var ended: Double?
    var endCommit: Int?
  }

  let seed: UInt64
  let weather: Weather
  /// Whether everything that happens is printed.
  let tells: Bool
  private let state: Mutex<State>
  let attempts = Attempts()
  /// What processes that have ended knew to be written.
  var archive: Ledger { records.withLock { $0 } ?? Ledger(self) }
  private let records = Mutex<Ledger?>(nil)

  init(seed: UInt64, weather: Weather, deaths: Int, tells: Bool) {
    self.seed = seed
    self.weather = weather
    self.tells = tells
    var state = State()
    state.deaths = deaths
    self.state = Mutex(state)
    let archive = Ledger(self)
    records.withLock { $0 = archive }
  }

  // MARK: - History

  var violations: [String] { state.withLock { $0.violations } }
  var deeds: [Deed] { state.withLock { $0.deeds } }
  var calls: [Call] { state.withLock { $0.calls } }
  var names: [RunID: String] { state.withLock { $0.names } }
  func deathCount(of allowed: Int) -> Int { allowed - state.withLock { $0.deaths } }
  var ended: [RunID: RunStatus] { state.withLock { $0.ends.mapValues(\.status) } }
  /// Whether the power has failed.
  var hasLostPower: Bool { state.withLock { $0.hasLostPower } }

  func note(_ text: @autoclosure () -> String) {
    guard tells else { return }
    print("\(Self.clockText)  \(text())")
  }

  func violate(_ text: String) {
    note("\(text)   <-- VIOLATION")
    state.withLock { $0.violations.append(text) }
  }

  private static var clockText: String {
    let milliseconds = Int(Scheduler.shared.clock * 1000)
    let fraction = String(milliseconds % 1000)
    let text = "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    return String(repeating: " ", count: max(0, 13 - text.count)) + text
  }

  // MARK: - Names

  func name(_ run: RunID, _ name: String) { state.withLock { $0.names[run] = name } }
  /// What a run is called here, the same in every simulation of a seed: `r3`, or `r3/s2` for the run of its step.
  func name(of run: RunID) -> String { state.withLock { $0.names[run] ?? run.rawValue } }
  func hasEnded(_ run: RunID, _ status: RunStatus, after commit: Int) {
    let now = Scheduler.shared.clock
    let name = name(of: run)
    state.withLock { state in
      state.ends[run] = (status, commit)
      guard status.isFinal || status == .needsAttention, let last = state.spans[name]?.indices.last else { return }
      state.spans[name]?[last].ended = now
      state.spans[name]?[last].endCommit = commit
    }
  }

  /// A name for a run that repeats another one.
  func newName(of run: String, _ mark: String) -> String {
    let taken = Set(state.withLock { $0.names.values })
    return (1...).lazy.map { "\(run)\(mark)\($0)" }.first { !taken.contains($0) } ?? run
  }

  /// The unit, or run, of the first run to which a unit corresponds: `r3:s0` for `r3+1:s0`.
  static func original(_ unit: String) -> String {
    let root = unit.prefix { $0 != ":" && $0 != "/" }
    return String(root.prefix { $0 != "+" && $0 != "~" } + unit.dropFirst(root.count))
  }

  /// A person asks to begin again with a step.
  func ask(_ step: Int?, of run: String) { state.withLock { $0.asked[run] = step } }
  func askedStep(of run: String) -> Int? { state.withLock { $0.asked[run] } }

  /// Whether what made a run fail by itself was mended before it was run again.
  func isMended(_ run: String) -> Bool {
    guard run.contains("+"), !run.contains("~") else { return false }
    var chance = Chance(seed, "mended \(run)")
    return chance.happens(0.6)
  }

  /// A run loses an attempt because its process stands still.
  func cutOff(_ run: String) { state.withLock { _ = $0.cutOff.insert(run) } }
  /// Whether a run has lost attempts that way, and may have none left.
  func wasCutOff(_ run: String) -> Bool { state.withLock { $0.cutOff.contains(run) } }

  /// Whether anybody has worked on a run.
  func hasBegun(_ run: String) -> Bool { state.withLock { $0.spans[run] != nil } }

  func callOff(_ run: String) { state.withLock { _ = $0.calledOff.insert(run) } }

  /// A run goes on after a person has said what became of an effect.
  func reopen(_ run: RunID) { state.withLock { $0.ends[run] = nil } }

  // MARK: - Plans

  func plan(_ plan: Plan, of name: String) { state.withLock { $0.plans[name] = plan } }

  /// The plan of a run: `r3`, or `r3/s2#1/s0` for one that a step runs.
  func plan(of name: String) -> Plan? {
    var parts = name.split(separator: "/")
    guard !parts.isEmpty else { return nil }
    let root = String(parts.removeFirst())
    var plan = state.withLock { $0.plans[root] }
    for part in parts {
      let step = part.prefix { $0 != "#" }
      plan = plan?.steps.first { $0.id == step }?.child
    }
    return plan
  }

  /// A unit by its step's position.
  func unit(_ run: RunID, _ step: Int, _ item: Int?) -> String? {
    let name = name(of: run)
    guard let plan = plan(of: name), plan.steps.indices.contains(step) else { return nil }
    return Self.unit(name, plan.steps[step].id, item)
  }

  func settle(_ unit: String) { state.withLock { _ = $0.settled.insert(unit) } }
  func isSettled(_ unit: String) -> Bool { state.withLock { $0.settled.contains(unit) } }
  func isSettled(_ run: RunID, _ step: Int, _ item: Int?) -> Bool {
    unit(run, step, item).map { unit in state.withLock { $0.settled.contains(unit) } } ?? false
  }

  // MARK: - Groups

  /// Of one concurrency group, as many runs are at work at most as it has places; one that was cancelled may come to its end
  /// meanwhile.
  ///
  /// A run that goes on after a person has looked after it may find another one half-way, at which nobody works just now.
  private func checkGroup(of run: String) {
    let other: String? = state.withLock { state in
      guard let group = state.plans[run]?.concurrency, !state.calledOff.contains(run), !run.contains("~") else {
        return nil
      }
      let atWork = Set(state.owners.filter { !$0.value.isDead }.compactMap { state.names[$0.key] })
      let goesOn = (state.spans[run]?.count ?? 0) > 1
      let others = state.spans.keys.sorted().filter { other in
        other != run && (!goesOn || atWork.contains(other)) && state.plans[other]?.concurrency != nil
          && !state.calledOff.contains(other)
          && !other.contains("~")
          && state.spans[other]?.last.map { $0.ended == nil } == true
      }
      return others.count >= group.max ? others.first : nil
    }
    if let other { violate("\(run) is worked on while \(other), of the same group, has not ended") }
  }

  // MARK: - Kept results

  func keep(_ value: Value, _ key: String, until expiry: Timestamp) {
    let commit = Disk.position
    state.withLock { state in
      state.kept[key] = (value, expiry, commit)
      state.unsure.remove(key)
    }
  }

  /// A kept result is given, or none.
  func checkKept(_ value: Value?, _ key: String, at now: Timestamp) {
    if state.withLock({ $0.unsure.contains(key) }) { return }
    let kept = state.withLock { $0.kept[key] }.flatMap { $0.expiry.seconds(since: now) > 0.001 ? $0.value : nil }
    if let value, value != kept {
      violate("the cache gives \(value.jsonString) instead of \(kept?.jsonString ?? "nothing")")
    }
    if value == nil, let kept { violate("the cache has lost \(kept.jsonString)") }
  }

  // MARK: - Owners

  /// Seconds for which a process stands still, at least, before others may take its runs: a minute of silence, less the
  /// time since its last sign of life.
  static let patience = 35.0

  /// A process takes a run, or is about to begin it.
  func own(_ run: RunID, by life: Life, isWritten: Bool = true) {
    let now = Scheduler.shared.clock
    let name = name(of: run)
    let commit = Disk.position + (isWritten ? 0 : 1)
    let other = state.withLock { state in
      if state.spans[name]?.last.map({ $0.ended == nil }) != true {
        state.spans[name, default: []].append(Span(began: now, commit: commit))
      }
      defer { state.owners[run] = life }
      return state.owners[run]
    }
    guard let other, other !== life, !other.isDead else { return }
    if other.silence < Self.patience {
      violate("\(life.name) takes \(name) over from \(other.name), which is alive")
    }
    bury(other.name)
  }

  /// A run belongs to nobody.
  func disown(_ run: RunID) { state.withLock { $0.owners[run] = nil } }

  /// Only the process that a run belongs to writes about it.
  func checkOwner(of entry: JournalEntry, _ process: String) {
    guard let run = entry.run, let owner = state.withLock({ $0.owners[run] }), owner.name != process else { return }
    violate("\(process) writes about \(name(of: run)), which belongs to \(owner.name)")
  }

  /// Whether a run belongs to a process, as far as others know.
  func owns(_ run: RunID, _ life: Life) -> Bool { state.withLock { $0.owners[run] === life } }

  /// The runs that processes work on.
  var owned: [RunID] {
    state.withLock { $0.owners.filter { !$0.value.isDead }.keys.sorted { $0.rawValue < $1.rawValue } }
  }

  static func unit(_ run: String, _ step: String, _ item: Int?) -> String {
    item.map { "\(run):\(step)#\($0)" } ?? "\(run):\(step)"
  }

  // MARK: - Fate

  /// Numbers for one thing that happens; the second time, others.
  func chance(_ purpose: String) -> Chance {
    let times = state.withLock { state in
      state.occurrences[purpose, default: 0] += 1
      return state.occurrences[purpose] ?? 0
    }
    return Chance(seed, "\(purpose) \(times)")
  }

  /// Numbers that are always the same for a purpose.
  func fate(_ purpose: String) -> Chance { Chance(seed, purpose) }

  /// Whether a process dies here; there is an end to it, so that every simulation has one.
  func mayDie(_ chance: inout Chance, _ share: Double) -> Bool {
    guard chance.happens(share) else { return false }
    return state.withLock { state in
      guard state.deaths > 0 else { return false }
      state.deaths -= 1
      return true
    }
  }

  // MARK: - Deeds

  /// Work on a run ends without waiting for the disk, which it may only where it has succeeded and does nothing outside.
  func checkDurability(_ run: RunID, isLight: Bool) {
    if !isLight || plan(of: name(of: run))?.hasEffects != false {
      violate("\(name(of: run)) ends, or is parked, without waiting for the disk")
    }
  }

  func begin(_ call: Call, in process: String, hasStopped: Bool, hasClockJumped: Bool) {
    let run = String(call.unit.prefix { $0 != ":" })
    let step = plan(of: run)?.steps.first { $0.id == call.step }
    let isSettled = state.withLock { $0.settled.contains(call.unit) }
    checkGroup(of: call.root)
    if let step, step.phase == .main, run == call.root, !hasClockJumped, !hasStopped,
      let limit = plan(of: run)?.timeout,
      let began = state.withLock({ $0.spans[run]?.first?.began }), call.began > began + limit + 0.01
    {
      violate("\(call.unit) is called \(call.began - began) s after its run began, which had \(limit) s")
    }
    attempts.begin(
      call.unit, .init(process: process, number: call.number, began: call.began), step,
      hasStopped: hasStopped, hasClockJumped: hasClockJumped || hasStopped, hasBeenSettled: isSettled, in: self)
    state.withLock { $0.calls.append(call) }
    // What only looks may be begun by a process that has stood still and does not know yet that its runs have gone.
    guard takesEffect(call) else { return }
    let other = state.withLock { state in
      state.active[call.root, default: (process, 0)].calls += 1
      defer { state.active[call.root]?.process = process }
      return state.active[call.root]?.process
    }
    if let other, other != process {
      violate("\(call.root) is worked on by \(process) while \(other) is at work on it")
    }
  }

  func end(_ call: Call, in process: String) {
    guard takesEffect(call) else { return }
    state.withLock { state in
      guard state.active[call.root]?.process == process else { return }
      state.active[call.root]?.calls -= 1
      if state.active[call.root]?.calls == 0 { state.active[call.root] = nil }
    }
  }

  private func takesEffect(_ call: Call) -> Bool {
    let run = String(call.unit.prefix { $0 != ":" })
    guard let step = plan(of: run)?.steps.first(where: { $0.id == call.step }) else { return true }
    return step.action.effect >= .idempotent
  }

  /// All that came after a commit is gone, and no process is at work any more.
  func losePower(after commit: Int) {
    state.withLock { state in
      state.hasLostPower = true
      state.active = [:]
      state.owners = [:]
      for (key, kept) in state.kept where kept.commit > commit { state.unsure.insert(key) }
      for (run, end) in state.ends where end.commit > commit { state.ends[run] = nil }
      for name in state.spans.keys {
        // What has not begun after all, or not ended.
        state.spans[name]?.removeAll { $0.commit > commit }
        guard let last = state.spans[name]?.indices.last, state.spans[name]?[last].endCommit ?? 0 > commit else {
          continue
        }
        state.spans[name]?[last].ended = nil
        state.spans[name]?[last].endCommit = nil
      }
    }
  }

  /// A process has died: nothing of it is at work any more.
  func bury(_ process: String) {
    state.withLock { state in state.active = state.active.filter { $0.value.process != process } }
  }

  func happen(_ deed: Deed) {
    note("effect    \(deed.unit)  \(deed.key)")
    state.withLock { $0.deeds.append(deed) }
  }

  func hasHappened(_ key: String) -> Bool { deed(key) != nil }
  /// The key that a unit was called with.
  func key(of unit: String) -> String? { state.withLock { $0.calls.last { $0.unit == unit }?.key } }
  func deed(_ key: String) -> Deed? { state.withLock { $0.deeds.first { $0.key == key } } }
  func doubt(_ unit: String) { state.withLock { _ = $0.inDoubt.insert(unit) } }
  func isInDoubt(_ run: String) -> Bool {
    state.withLock { $0.inDoubt.contains { $0.hasPrefix("\(run):") || $0.hasPrefix("\(run)/") } }
  }
}

extension JournalEntry {
  /// The run that must belong to whoever writes the entry.
  fileprivate var run: RunID? {
    switch self {
    case .stepStarted(let run, _, _, _), .output(let run, _, _, _), .runParked(let run, _, _, _, _),
      .waitEnded(let run, _, _, _):
      run
    case .attemptStarted(let start): start.run
    case .attemptFinished(let end): end.run
    case .stepFinished(let end): end.run
    case .runFinished(let end): end.run
    case .waitStarted(let wait): wait.run
    case .runTurned(let turn): turn.run
    case .runStarted, .breaker, .log: nil
    }
  }
}
