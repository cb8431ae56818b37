import Synchronization

@testable import Networking

/// A name service that answers as a test says.
final class ScriptedResolver: HostResolver {
  enum Answer: Sendable {
    case addresses([String])
    case failure(NameFailure)
    case never
  }

  private struct State: Sendable {
    var answers: [String: [Answer]]
    var asked: [String] = []
    var unanswered: [@Sendable (Result<[IPAddress], NameFailure>) -> Void] = []
  }

  private let state: Mutex<State>

  /// Creates a service; of several answers for a name each is given once, the last for ever.
  init(_ answers: [String: [Answer]]) { state = Mutex(State(answers: answers)) }

  /// Creates a service of names with one answer.
  convenience init(_ names: [String: [String]]) { self.init(names.mapValues { [.addresses($0)] }) }

  /// The names that were asked for.
  var asked: [String] { state.withLock { $0.asked } }

  func resolve(_ name: String, completion: @escaping @Sendable (Result<[IPAddress], NameFailure>) -> Void) {
    let answer = state.withLock { state -> Answer in
      state.asked.append(name)
      guard let first = state.answers[name]?.first else { return .failure(.unknown) }
      if state.answers[name]?.count ?? 0 > 1 { state.answers[name]?.removeFirst() }
      if case .never = first { state.unanswered.append(completion) }
      return first
    }
    switch answer {
    case .addresses(let texts): completion(.success(texts.compactMap { IPAddress($0) }))
    case .failure(let failure): completion(.failure(failure))
    case .never: return
    }
  }
}
