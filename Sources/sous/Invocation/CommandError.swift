import Engine
import Expressions
import Localization
import Plans
import RecipePlanning
import UseCases

/// Why a command ends with something other than success; the one way commands say so.
struct CommandError: Error {
  /// The exit status; see ``ExitStatus``.
  let status: Int32
  /// The message to the user; `nil` if everything has been printed.
  let message: LocalizedText?
  /// The kind of fault, for machines; see docs/operations.md.
  let code: String
  /// The problems of recipes and configurations, for machines.
  let diagnostics: [Value]

  /// Seconds after which the other side wants to be asked again.
  let retryAfter: Double?

  init(
    _ status: Int32, _ message: LocalizedText? = nil, code: String? = nil, diagnostics: [Value] = [],
    retryAfter: Double? = nil
  ) {
    self.status = status
    self.message = message
    self.code = code ?? ExitStatus.code(status)
    self.diagnostics = diagnostics
    self.retryAfter = retryAfter
  }

  /// The fault for `--json`: `{error: {code, message, diagnostics?, retry_after?}}`.
  var json: Value {
    var map: ValueMap = ["code": .string(code), "message": .string(message?.spoken ?? code)]
    if !diagnostics.isEmpty { map["diagnostics"] = .list(diagnostics) }
    if let retryAfter { map["retry_after"] = .double(retryAfter) }
    return ["error": .map(map)]
  }
}

extension CommandError {
  /// An error of a use case. Problems of recipes and configurations go into the error for machines; for people they are printed
  /// here, with source lines. An error that a command threw within a use case stays what it is.
  init(_ error: UseCaseError) {
    if let own = error.cause as? CommandError {
      self = own
      return
    }
    let status = ExitStatus.of(error)
    guard let planning = error.planning else {
      self.init(status, error.message, code: error.code.rawValue)
      return
    }
    guard FormatOptions.isJSONWanted else {
      writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(planning))
      self.init(status, code: error.code.rawValue)
      return
    }
    let problems = planning.providerProblems.flatMap { problem in
      error.recipe.map { [problem.value(recipe: $0, in: Speech.language)] } ?? problem.findings.map(\.json)
    }
    self.init(
      status, error.message, code: error.code.rawValue, diagnostics: planning.diagnostics.map(\.json) + problems)
  }

  /// The error of a provider, with its advice; errors of its credentials count as errors of the configuration.
  init(_ failure: ActionFailure, provider: String, status: Int32? = nil) {
    let advice = failure.advice.map { LocalizedText(verbatim: "\n  ") + $0 } ?? LocalizedText(verbatim: "")
    let wait =
      failure.retryAfter.map {
        LocalizedText(
          "\n  It can be tried again in \($0.spokenDuration).",
          de: "\n  Ein neuer Versuch lohnt in \($0.spokenDuration).")
      } ?? LocalizedText(verbatim: "")
    self.init(
      status ?? ExitStatus.of(failure), LocalizedText(verbatim: "\(provider): ") + failure.message + advice + wait,
      code: failure.kind.rawValue, retryAfter: failure.retryAfter)
  }
}
