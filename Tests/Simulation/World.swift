import Engine
import Expressions
import Localization
import Recipes
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
    var ended: [RunID: RunStatus] = [:]
  }

  let seed: UInt64
  let weather: Weather
  /// Whether everything that happens is printed.
  let tells: Bool
  private let state: Mutex<State>

  init(seed: UInt64, weather: Weather, deaths: Int, tells: Bool) {
    self.seed = seed
    self.weather = weather
    self.tells = tells
    var state = State()
    state.deaths = deaths
    self.state = Mutex(state)
  }

  // MARK: - History

  var violations: [String] { state.withLock { $0.violations } }
  var deeds: [Deed] { state.withLock { $0.deeds } }
  var calls: [Call] { state.withLock { $0.calls } }
  var names: [RunID: String] { state.withLock { $0.names } }
  func deathCount(of allowed: Int) -> Int { allowed - state.withLock { $0.deaths } }
  var ended: [RunID: RunStatus] { state.withLock { $0.ended } }

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
  func hasEnded(_ run: RunID, _ status: RunStatus) { state.withLock { $0.ended[run] = status } }

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

  func begin(_ call: Call, in process: String) {
    state.withLock { state in
      state.calls.append(call)
      state.active[call.root, default: (process, 0)].calls += 1
    }
    let other = state.withLock { state in
      defer { state.active[call.root]?.process = process }
      return state.active[call.root]?.process
    }
    if let other, other != process {
      violate("\(call.root) is worked on by \(process) while \(other) is at work on it")
    }
  }

  func end(_ call: Call) {
    state.withLock { state in
      state.active[call.root]?.calls -= 1
      if state.active[call.root]?.calls == 0 { state.active[call.root] = nil }
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

  func hasHappened(_ key: String) -> Bool { state.withLock { $0.deeds.contains { $0.key == key } } }
  func doubt(_ unit: String) { state.withLock { _ = $0.inDoubt.insert(unit) } }
  func isInDoubt(_ run: String) -> Bool {
    state.withLock { $0.inDoubt.contains { $0.hasPrefix("\(run):") || $0.hasPrefix("\(run)/") } }
  }
}
