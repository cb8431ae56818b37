import CPluginABI
import Engine
import Expressions
import Localization
import PluginBoundary
import RecipeModel
import Schemas

/// Makes sense of answers; everything that does not keep to the header is a failure of kind `protocol`.
struct AnswerReader {
  let plugin: String
  let provider: String
  let action: String
  /// Takes the provider's secrets out of everything the plugin says, outputs included: those are stored.
  var mask = SecretMask.none

  /// The longest time, in seconds, that a plugin can ask to wait before the next attempt: a day.
  static let longestRetryAfter = 86_400.0

  /// The output of a call.
  func output(_ answer: Answer?) throws(ActionFailure) -> Value {
    let document = try object(answer)
    return .map(document)
  }

  /// The most violations of a schema that a message lists.
  static let maximumProblems = 5

  /// An output that has the shape it should have.
  func checked(_ output: Value, against shape: OutputCheck) throws(ActionFailure) -> Value {
    let output = shape.completed(output)
    let violations = shape.schema.validate(output)
    guard !violations.isEmpty else { return output }
    let shown = violations.prefix(Self.maximumProblems)
    throw broken(
      LocalizedText("the output does not fit its schema: ", de: "die Ausgabe passt nicht zu ihrem Schema: ")
        + .joined(shown.map(\.located), areAll: shown.count == violations.count))
  }

  /// The verdict of a verification.
  func verdict(_ answer: Answer?) throws(ActionFailure) -> Verdict {
    let document = try object(answer)
    switch document["verdict"] {
    case .string("done")?:
      guard case .map(let output)? = document["output"] else {
        throw broken(
          LocalizedText("the verdict 'done' came without 'output'", de: "das Urteil 'done' kam ohne 'output'"))
      }
      return .done(output: .map(output))
    case .string("not_done")?: return .notDone
    case .string("unknown")?: return .unknown
    default:
      throw broken(
        LocalizedText(
          "'verdict' is not done, not_done or unknown", de: "'verdict' ist nicht done, not_done oder unknown"))
    }
  }

  /// The failure with which `create` refused.
  func failure(_ answer: Answer?) -> ActionFailure {
    do throws(ActionFailure) {
      _ = try object(answer)
      return broken(LocalizedText("a failure was reported as a success", de: "ein Fehler wurde als Erfolg gemeldet"))
    } catch {
      return error
    }
  }

  /// A failure that names plugin and action.
  func broken(_ reason: LocalizedText, advice: LocalizedText = AnswerReader.reportAdvice) -> ActionFailure {
    ActionFailure(
      .protocol,
      LocalizedText(
        "The plugin '\(plugin)' (provider '\(provider)') broke the plugin protocol in '\(action)': ",
        de: "Das Plugin '\(plugin)' (Provider '\(provider)') hat bei '\(action)' das Plugin-Protokoll verletzt: ")
        + mask(reason) + LocalizedText(verbatim: "."),
      advice: advice)
  }

  /// The advice for a plugin with a defect.
  static let reportAdvice = LocalizedText(
    "Look for a newer version of the plugin, or report this to its author.",
    de: "Nach einer neueren Version des Plugins sehen oder es seinem Autor melden.")

  /// The advice for an answer that is too large.
  private static let lessAtOnce = LocalizedText(
    "Ask for less at once, for example with 'limit'. A plugin hands over large contents as a blob.",
    de: "Weniger auf einmal verlangen, etwa mit 'limit'. Große Inhalte übergibt ein Plugin als Blob.")

  private func object(_ answer: Answer?) throws(ActionFailure) -> ValueMap {
    guard let answer else {
      throw broken(LocalizedText("the result is NULL or too small", de: "das Ergebnis ist NULL oder zu klein"))
    }
    let document = mask(try document(answer.payload))
    switch answer.status {
    case UInt32(SOUS_STATUS_OK): return document
    case UInt32(SOUS_STATUS_ERROR): throw try reported(document)
    default:
      throw broken(
        LocalizedText("the status \(answer.status) is unknown", de: "der Status \(answer.status) ist unbekannt"))
    }
  }

  private func document(_ payload: Answer.Payload) throws(ActionFailure) -> ValueMap {
    switch payload {
    case .null: throw broken(LocalizedText("the payload is NULL", de: "der Inhalt ist NULL"))
    case .tooLarge(let size):
      throw broken(
        LocalizedText("the answer of \(size) bytes is too large", de: "die Antwort von \(size) Byte ist zu groß"),
        advice: Self.lessAtOnce)
    case .bytes(let bytes):
      let value: Value
      do throws(ExpressionError) {
        value = try AnswerLease.value(json: bytes)
      } catch {
        if error.code == .jsonTooLarge { throw broken(error.message, advice: Self.lessAtOnce) }
        throw broken(LocalizedText("the answer is no JSON: ", de: "die Antwort ist kein JSON: ") + error.message)
      }
      guard case .map(let document) = value else {
        throw broken(LocalizedText("the answer is no JSON object", de: "die Antwort ist kein JSON-Objekt"))
      }
      return document
    }
  }

  /// The failure in a payload of status error.
  private func reported(_ document: ValueMap) throws(ActionFailure) -> ActionFailure {
    guard case .string(let kind)? = document["kind"], !kind.isEmpty, kind.utf8.count <= 64,
      let message = text("message", in: document)
    else {
      throw broken(
        LocalizedText("the error has no 'kind' and 'message'", de: "dem Fehler fehlt 'kind' oder 'message'"))
    }
    var failure = ActionFailure(
      ActionFailure.Kind(rawValue: kind), message, advice: text("advice", in: document))
    switch document["retry_after"] {
    case .int(let seconds)? where seconds >= 0:
      failure.retryAfter = min(Double(seconds), AnswerReader.longestRetryAfter)
    case .uint?: failure.retryAfter = AnswerReader.longestRetryAfter
    case .double(let seconds)? where seconds >= 0 && seconds.isFinite:
      failure.retryAfter = min(seconds, AnswerReader.longestRetryAfter)
    default: break
    }
    failure.usage = TokenCount(document["usage"])
    return failure
  }

  private func text(_ name: String, in document: ValueMap) -> LocalizedText? {
    guard case .string(let english)? = document[name] else { return nil }
    guard case .string(let german)? = document[name + "_de"] else {
      return LocalizedText(verbatim: String(english.prefix(4000)))
    }
    return LocalizedText(String(english.prefix(4000)), de: String(german.prefix(4000)))
  }
}
