package import Engine
package import Expressions
package import Localization
import Plans
import RunStore

/// What has come of asking several providers.
package struct ProviderAnswer: Sendable {
  /// The route of the provider that was asked last.
  package var route: String
  /// What it has answered, or why it has not.
  package var result: Result<Value, ActionFailure>
  /// Why the others have not answered.
  package var others: [(provider: String, message: LocalizedText)] = []
}

extension ProviderDirectory {
  /// Calls an action of a provider outside of any run, when its `concurrency` and `rate` allow.
  ///
  /// - Parameters:
  ///   - action: The action: `chat.complete`.
  ///   - input: What it is given.
  ///   - provider: The provider's name, or the text of a `ProviderRoute`.
  ///   - key: What makes a second call of an action with an effect the same one; `nil` for a new effect.
  ///   - timeout: Seconds it may take; `nil` where the action's own limit counts.
  ///   - reporter: Takes what it reports on the way.
  /// - Throws: `ActionFailure`, as the provider reports it or if it cannot be opened.
  package func call(
    _ action: String, _ input: Value, by provider: String, key: String? = nil, timeout: Double? = nil,
    reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    var random = SystemRandomNumberGenerator()
    let id = RunID(at: SystemTime().now, using: &random)
    let request = ActionRequest(
      run: id, step: action, attempt: 1, action: action, input: input, key: key ?? id.rawValue, timeout: timeout)
    let steps = try await self.provider(named: provider)
    let admission = try await admit(to: provider)
    defer { admission.end() }
    return try await steps.perform(request, reporter: reporter)
  }
}

extension ProviderChain {
  /// Asks one provider after the other, outside of any run, until one has answered.
  ///
  /// The order of attempts is that of the engine's steps (`AttemptSequence`): an open circuit breaker is passed over as long as
  /// another provider is left, a flawed answer is repaired once. Nothing waits for a breaker: if no other provider is left, it is
  /// tried.
  ///
  /// - Parameters:
  ///   - routes: The providers, first choice first.
  ///   - action: The action: `chat.complete`.
  ///   - input: What it is given.
  ///   - repeats: Whether the last provider is asked once more after a failure.
  ///   - passingOver: Takes a provider that is not asked, and until when its circuit breaker is open.
  ///   - beginning: Makes the reporter of an attempt from its route, and the attempt before it that has failed.
  package func ask(
    _ routes: [String], _ action: String, _ input: Value,
    repeating repeats: (ActionFailure) -> Bool = { _ in false },
    passingOver: (BreakerRecord, Timestamp) -> Void = { _, _ in },
    beginning: (_ route: String, _ failed: (route: String, failure: ActionFailure)?) -> any ActionReporter
  ) async -> ProviderAnswer {
    guard !routes.isEmpty else {
      return ProviderAnswer(route: "", result: .failure(.noProvider(of: action)), others: [])
    }
    let time = SystemTime()
    var sequence = AttemptSequence(
      policy: RetryPolicy(attempts: 2, backoff: 0, jitter: 0), providers: routes.count)
    var failures: [Int: ActionFailure] = [:]
    var last: Int?
    var repair: Value?
    var hasWaited = false
    func answer(_ result: Result<Value, ActionFailure>) -> ProviderAnswer {
      let others = routes.indices.compactMap { place in
        place == last ? nil : failures[place].map { (provider: routes[place], message: $0.message) }
      }
      return ProviderAnswer(route: last.map { routes[$0] } ?? "", result: result, others: others)
    }
    while true {
      let step = sequence.next(at: time.monotonic) { place in
        let provider = ProviderRoute(routes[place]).provider
        guard let seconds = breakers.ask(provider, at: time.now, hasWaited: hasWaited) else { return nil }
        if !hasWaited, let record = breakers.record(of: provider) {
          passingOver(record, time.now.adding(seconds: seconds))
        }
        return seconds
      }
      switch step {
      case .giveUp: return answer(.failure(last.flatMap { failures[$0] } ?? .noProvider(of: action)))
      case .wait(let seconds):
        // Another call tries the provider just now.
        if hasWaited, (try? await time.sleep(seconds: min(seconds, 1))) == nil {
          return answer(.failure(.cancelled))
        }
        hasWaited = true
        sequence.wake()
      case .start(_, let place):
        let failed = last.flatMap { last in failures[last].map { (route: routes[last], failure: $0) } }
        let reporter = beginning(routes[place], failed)
        last = place
        let asked = repair ?? input
        repair = nil
        let result = await attempt(routes[place], action, asked, reporter)
        guard case .failure(let failure) = result, failure.kind != .cancelled, !Task.isCancelled else {
          return answer(result)
        }
        if case .repairable(let input)? = failure.flaw, sequence.repair(at: time.monotonic) {
          repair = input
        } else {
          let isFinal = place != routes.count - 1 || !repeats(failure)
          guard sequence.fail(failure, at: time.monotonic, random: 0.5, isFinal: isFinal) != nil else {
            return answer(result)
          }
        }
        failures[place] = failure
      }
    }
  }

  /// Makes one attempt, and keeps what it means for the provider's circuit breaker.
  private func attempt(
    _ route: String, _ action: String, _ input: Value, _ reporter: any ActionReporter
  ) async -> Result<Value, ActionFailure> {
    let result: Result<Value, ActionFailure>
    do throws(ActionFailure) {
      result = .success(try await call(action, input, by: route, reporter: reporter))
    } catch {
      result = .failure(error)
    }
    var failure: ActionFailure?
    if case .failure(let error) = result { failure = error.wasSent ? error : .cancelled }
    if let record = breakers.end(ProviderRoute(route).provider, failure, at: SystemTime().now) {
      // A state that cannot be written is found out again.
      _ = await uncancelled { try? await self.store.record([.breaker(record)], durability: .accepted) }
    }
    return result
  }
}

extension ActionFailure {
  fileprivate static var cancelled: ActionFailure { ActionFailure(.cancelled, .init("cancelled", de: "abgebrochen")) }

  fileprivate static func noProvider(of action: String) -> ActionFailure {
    let contract = action.prefix { $0 != "." }
    return ActionFailure(
      .unsupported,
      .init("there is no provider of '\(contract)'", de: "es gibt keinen Provider von '\(contract)'"))
  }
}
