import Expressions
import Localization

/// Why a command ends with something other than success; the one way commands say so.
struct CommandError: Error {
  /// The exit status; see ``ExitStatus``.
  let status: Int32
  /// What to tell the user; `nil` where everything has been said.
  let message: LocalizedText?
  /// What kind of fault it is, for machines; see docs/operations.md.
  let code: String
  /// What is wrong with recipes and configurations, for machines.
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
