import Engine
import Expressions
import Localization
import PluginHost

/// One call of a provider of language models, outside of any run: nothing of it is kept.
struct ChatCall {
  let project: Project

  /// Calls an action of a provider, when its `concurrency` and `rate` allow.
  ///
  /// - Throws: ``ActionFailure``, as the provider reports it or where it cannot be opened.
  func perform(
    _ action: String, _ input: Value, by provider: String, timeout: Double? = nil, reporter: any ActionReporter
  ) async throws(ActionFailure) -> Value {
    var random = SystemRandomNumberGenerator()
    let id = RunID(at: SystemTime().now, using: &random)
    let request = ActionRequest(
      run: id, step: action, attempt: 1, action: action, input: input, key: id.rawValue, timeout: timeout)
    let provider = (name: provider, steps: try await project.host.provider(named: provider))
    let admission = try await project.host.admit(to: provider.name)
    defer { admission.end() }
    return try await provider.steps.perform(request, reporter: reporter)
  }
}

extension CommandError {
  /// What a provider reported, with its advice: trouble with its credentials is the configuration's.
  init(_ failure: ActionFailure, provider: String) {
    let advice = failure.advice.map { LocalizedText(verbatim: "\n  ") + $0 } ?? LocalizedText(verbatim: "")
    let wait =
      failure.retryAfter.map {
        LocalizedText(
          "\n  It can be tried again in \($0.spokenDuration).",
          de: "\n  Ein neuer Versuch lohnt in \($0.spokenDuration).")
      } ?? LocalizedText(verbatim: "")
    let isConfiguration = failure.kind == .auth
    self.init(
      isConfiguration ? ExitStatus.environment : ExitStatus.runFailed,
      LocalizedText(verbatim: "\(provider): ") + failure.message + advice + wait, code: failure.kind.rawValue,
      retryAfter: failure.retryAfter)
  }
}
