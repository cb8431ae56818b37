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

  private struct State {
    var begun: Set<RunID> = []
    var tasks: [Int: Task<Void, Never>] = [:]
    var count = 0
  }

  private let surroundings: BuiltinSurroundings
  private let store: RunStore
  private let state = Mutex(State())

  init(_ surroundings: BuiltinSurroundings, _ store: RunStore) {
    (self.surroundings, self.store) = (surroundings, store)
  }

  /// Sends that a run begins, once.
  func begins(_ run: RunID, _ recipe: String, _ plan: @escaping @Sendable () async -> PingTargets?) {
    guard state.withLock({ $0.begun.insert(run).inserted }) else { return }
    send(.start, recipe, plan)
  }

  /// Sends how a run has ended; nothing if it waits, was cancelled or skipped.
  func ends(_ run: RunID, _ status: RunStatus, _ recipe: String, _ plan: @escaping @Sendable () async -> PingTargets?) {
    switch status {
    case .succeeded: send(.success, recipe, plan)
    case .failed, .needsAttention: send(.failure, recipe, plan)
    case .queued, .running, .waiting, .interrupted, .cancelled, .skipped: return
    }
    state.withLock { _ = $0.begun.remove(run) }
  }

  /// Sends one signal and waits for the answer.
  package func send(_ signal: PingTargets.Signal, _ targets: PingTargets, of recipe: String) async {
    guard let url = targets.urls[signal] else { return }
    do throws(ActionFailure) {
      try await surroundings.ping(url, suffix: targets.suffix(of: signal))
      record(nil, of: recipe)
    } catch {
      record(error.message, of: recipe)
    }
  }

  /// Waits for signals that are under way; each ends by itself within seconds.
  package func finish() async {
    while let task = state.withLock({ $0.tasks.first?.value }) { await task.value }
  }

  private func send(
    _ signal: PingTargets.Signal, _ recipe: String, _ plan: @escaping @Sendable () async -> PingTargets?
  ) {
    state.withLock { state in
      state.count += 1
      let number = state.count
      // The end of a run is sent after its beginning.
      let before = Array(state.tasks.values)
      state.tasks[number] = Task.detached { [self] in
        for task in before { await task.value }
        if let targets = await plan() { await send(signal, targets, of: recipe) }
        self.state.withLock { _ = $0.tasks.removeValue(forKey: number) }
      }
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
  /// The signals that did not arrive, by recipe; one that has arrived since is left out.
  func pingTroubles() throws -> [PingTrouble] {
    try stateKeys(of: PingSender.space, prefix: "").compactMap { key in
      guard let found = try state(of: PingSender.space, key: key), let value = try? Value(json: found.value),
        let at = value["at"]?.stringValue.flatMap(Timestamp.init(rfc3339:)), let english = value["en"]?.stringValue
      else { return nil }
      return PingTrouble(recipe: key, at: at, reason: LocalizedText(english, de: value["de"]?.stringValue ?? english))
    }
  }
}
