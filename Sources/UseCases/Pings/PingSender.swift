import Builtins
import Engine
public import Expressions
public import Localization
package import Plans
import RunStore
import Synchronization

/// Sends the signals of `ping` to monitoring services. A signal that does not arrive costs a run nothing: it is recorded for `sous
/// status` until the next one arrives.
package final class PingSender: Sendable {
  /// The name under which troubles are stored, in the state of providers.
  static let space = "ping"
  /// The key of the daemon among the troubles.
  package static let daemon = "sous serve"

  /// The most signals under way at once; further ones are not sent while a service does not answer.
  private static let mostSignals = 100
  /// Seconds that the end of the process waits for signals under way.
  private static let patience = 15.0

  private struct State {
    /// The signals of the beginnings of runs, until the runs end.
    var beginnings: [RunID: Task<Void, Never>] = [:]
    var tasks: [Int: Task<Void, Never>] = [:]
    var count = 0
  }

  private let surroundings: BuiltinSurroundings
  private let store: RunStore
  private let state = Mutex(State())

  init(_ surroundings: BuiltinSurroundings, _ store: RunStore) {
    (self.surroundings, self.store) = (surroundings, store)
  }

  /// Sends that a run begins, once in this process.
  func begins(_ run: RunID, _ recipe: String, _ plan: @escaping @Sendable () async -> PingTargets?) {
    guard state.withLock({ $0.beginnings[run] == nil }) else { return }
    let task = send(.start, recipe, after: nil, plan)
    state.withLock { $0.beginnings[run] = task }
  }

  /// Sends how a run has ended, after its beginning; nothing if it waits, was cancelled or skipped.
  func ends(_ run: RunID, _ status: RunStatus, _ recipe: String, _ plan: @escaping @Sendable () async -> PingTargets?) {
    let signal: PingTargets.Signal
    switch status {
    case .succeeded: signal = .success
    case .failed, .needsAttention: signal = .failure
    case .cancelled, .skipped:
      state.withLock { _ = $0.beginnings.removeValue(forKey: run) }
      return
    case .queued, .running, .waiting, .interrupted: return
    }
    _ = send(signal, recipe, after: state.withLock { $0.beginnings.removeValue(forKey: run) }, plan)
  }

  /// Sends one signal and waits for the answer.
  package func send(_ signal: PingTargets.Signal, _ targets: PingTargets, of recipe: String) async {
    guard let url = targets.urls[signal] else { return }
    do throws(ActionFailure) {
      try await surroundings.ping(url, suffix: targets.suffix(of: signal))
      record(nil, of: recipe)
    } catch {
      // A signal that was given up at the end of the process says nothing about the service.
      if !Task.isCancelled { record(error.message, of: recipe) }
    }
  }

  /// Waits for signals that are under way, for some seconds in all; then they are given up.
  package func finish() async {
    let open = state.withLock { Array($0.tasks.values) }
    guard !open.isEmpty else { return }
    let alarm = Task {
      guard (try? await Task.sleep(for: .seconds(Self.patience))) != nil else { return }
      for task in open { task.cancel() }
    }
    for task in open { await task.value }
    alarm.cancel()
  }

  private func send(
    _ signal: PingTargets.Signal, _ recipe: String, after earlier: Task<Void, Never>?,
    _ plan: @escaping @Sendable () async -> PingTargets?
  ) -> Task<Void, Never>? {
    state.withLock { state in
      guard state.tasks.count < Self.mostSignals else { return nil }
      state.count += 1
      let number = state.count
      let task = Task.detached { [self] in
        await earlier?.value
        if !Task.isCancelled, let targets = await plan() { await send(signal, targets, of: recipe) }
        self.state.withLock { _ = $0.tasks.removeValue(forKey: number) }
      }
      state.tasks[number] = task
      return task
    }
  }

  private func record(_ trouble: LocalizedText?, of recipe: String) {
    let value: Value? = trouble.map {
      ["at": .string(SystemTime().now.rfc3339), "en": .string($0.english), "de": .string($0.german)]
    }
    do throws(StorageFailure) {
      if value == nil, try store.state(of: Self.space, key: recipe) == nil { return }
      try store.commitState(of: Self.space, [ProviderStateChange(key: recipe, value: value?.json())])
    } catch {
      // The run log reports its troubles itself.
    }
  }
}

/// A signal of `ping` that did not arrive.
public struct PingTrouble: Sendable {
  /// The recipe, or `sous serve` for the daemon.
  public var recipe: String
  /// When it was sent.
  public var at: Timestamp
  /// Why it did not arrive.
  public var reason: LocalizedText
}

extension RunStore {
  /// The signals of the last 31 days that did not arrive, by recipe, without those after which one arrived.
  func pingTroubles(at now: Timestamp) throws -> [PingTrouble] {
    try stateKeys(of: PingSender.space, prefix: "").compactMap { key in
      guard let found = try state(of: PingSender.space, key: key), let value = try? Value(json: found.value),
        let at = value["at"]?.stringValue.flatMap(Timestamp.init(rfc3339:)), let english = value["en"]?.stringValue
      else { return nil }
      // A recipe that has no 'ping' any more sends nothing that would end the trouble.
      guard now.seconds(since: at) < 31 * 86_400 else { return nil }
      return PingTrouble(recipe: key, at: at, reason: LocalizedText(english, de: value["de"]?.stringValue ?? english))
    }
  }
}
