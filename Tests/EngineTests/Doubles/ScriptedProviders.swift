import Engine
import Expressions
import Localization
import Synchronization

/// Providers that answer as a test has written down, and remember what they were asked.
final class ScriptedProviders: ProviderDirectory, StepProvider {
  enum Answer: Sendable {
    case output(Value)
    case failure(ActionFailure)
    /// Answers only when cancelled, and then as a cancelled call does.
    case hang
    /// As ``hang``, but takes its time: answers when this returns after it was cancelled.
    case linger(@Sendable () async -> Void)
    /// Answers with an empty map once this has returned.
    case work(@Sendable () async -> Void)
    /// Fails once this has returned.
    case fail(ActionFailure, @Sendable () async -> Void)
    /// Answers with the input's field of this name.
    case echo(String)
  }

  private let state: Mutex<(answers: [String: [Answer]], requests: [ActionRequest], running: Int, peak: Int)>
  private let verdicts: Mutex<[Result<Verdict, ActionFailure>]>
  private let farewell: String?
  private let asked = Mutex<[ActionRequest]>([])

  /// - Parameters:
  ///   - answers: By step; the last answer of a list repeats.
  ///   - verdicts: The answers to `verify`, in order; `unknown` when they are used up.
  ///   - farewell: What a call that hangs logs when it is cancelled.
  init(
    _ answers: [String: [Answer]] = [:], verdicts: [Result<Verdict, ActionFailure>] = [], farewell: String? = nil
  ) {
    self.farewell = farewell
    state = Mutex((answers, [], 0, 0))
    self.verdicts = Mutex(verdicts)
  }

  /// Called before every attempt; what it returns ends with the attempt.
  let admissions = Mutex<(@Sendable (String) async throws(ActionFailure) -> Admission)?>(nil)

  func admit(to name: String) async throws(ActionFailure) -> Admission {
    guard let admit = admissions.withLock({ $0 }) else { return .free }
    return try await admit(name)
  }

  /// The requests that `verify` was asked about.
  var verified: [ActionRequest] { asked.withLock { $0 } }

  var requests: [ActionRequest] { state.withLock { $0.requests } }
  /// How many calls were under way at once at most.
  var peak: Int { state.withLock { $0.peak } }

  /// Returns once a call has come, or the caller is cancelled.
  func called() async { while requests.isEmpty, !Task.isCancelled { await Task.yield() } }

  var builtins: any StepProvider { self }

  func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
    guard name != "missing" else { throw ActionFailure(.notFound, .init(verbatim: name)) }
    return self
  }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    let answer = state.withLock { state -> Answer in
      state.requests.append(request)
      state.running += 1
      state.peak = max(state.peak, state.running)
      guard var list = state.answers[request.step], let first = list.first else { return .output(.map([:])) }
      if list.count > 1 { list.removeFirst() }
      state.answers[request.step] = list
      return first
    }
    defer { state.withLock { $0.running -= 1 } }
    await Task.yield()
    switch answer {
    case .output(let value): return value
    case .failure(let failure): throw failure
    case .work(let body):
      await body()
      return .map([:])
    case .fail(let failure, let body):
      await body()
      throw failure
    case .echo(let field):
      guard case .map(let map) = request.input, let value = map[field] else { return .null }
      return value
    case .hang:
      let (stream, _) = AsyncStream<Never>.makeStream()
      for await _ in stream {}
      if let farewell { reporter.log(.info, farewell) }
      throw ActionFailure(.cancelled, .init(verbatim: "cancelled"))
    case .linger(let wait):
      let (stream, _) = AsyncStream<Never>.makeStream()
      for await _ in stream {}
      await wait()
      throw ActionFailure(.cancelled, .init(verbatim: "cancelled"))
    }
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    asked.withLock { $0.append(request) }
    return try verdicts.withLock { $0.isEmpty ? .success(.unknown) : $0.removeFirst() }.get()
  }
}
