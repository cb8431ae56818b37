import Expressions
import Hashing
import Localization

/// The answer of a person to a form.
enum PersonsAnswer: Sendable {
  /// The person has filled it in.
  case filled(ValueMap)
  /// The person does not want to, or has closed it.
  case declined

  /// Reads the result of `elicitation/create`.
  init(_ value: Value) {
    self = value["action"]?.stringValue == "accept" ? .filled(value["content"]?.mapValue ?? [:]) : .declined
  }
}

extension ToolCall {
  /// The name of the question for an approval.
  private static let approvalKey = "approve"

  /// Asks a person whether the call may be carried out.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - version: The version of the object in the question. An approval holds for this version and this question only.
  ///   - remedy: How a person can do it otherwise.
  /// - Returns: The result of a call that may not be carried out; `nil` if a person has approved.
  mutating func approval(
    _ question: LocalizedText, version: String = "", _ remedy: LocalizedText
  ) async throws -> ValueMap? {
    let isAsked = hasAsked(question, version)
    if state.isApproved, isAsked { return nil }
    state.isApproved = false
    guard call.features.elicitsForms else { return try refusal(remedy) }
    let form: Value = [
      "type": "object",
      "properties": [
        "approve": [
          "type": "boolean",
          "title": .string(LocalizedText("I approve", de: "Ich stimme zu").string(in: language)),
        ]
      ], "required": ["approve"],
    ]
    let answer = try await ask(Self.approvalKey, question, form, isAsked: isAsked)
    guard case .filled(let fields) = answer, fields["approve"]?.boolValue ?? false else {
      return ToolResult.failure(
        "declined",
        LocalizedText(
          "the person did not approve; nothing was done", de: "der Mensch hat nicht zugestimmt; nichts wurde getan"),
        in: language)
    }
    state.isApproved = true
    return nil
  }

  /// Notes the question that a person is asked now.
  ///
  /// - Parameter object: The version or the name of the object in the question.
  /// - Returns: Whether the earlier round of this call has asked the same.
  mutating func hasAsked(_ question: LocalizedText, _ object: String) -> Bool {
    let text = [question.english, question.german, object].map { "\($0.utf8.count)\n\($0)" }.joined()
    let subject = ContentHash.hexadecimal(of: Array(text.utf8))
    defer { state.subject = subject }
    return state.subject == subject
  }

  /// The answer to a client that cannot ask a person.
  private func refusal(_ remedy: LocalizedText) throws(AssistantError) -> ValueMap {
    let message =
      LocalizedText(
        "a person has to approve this call, and this client cannot ask one (it does not declare 'elicitation'): ",
        de:
          "diesem Aufruf muss ein Mensch zustimmen, und dieser Client kann keinen fragen (er gibt 'elicitation' nicht an): "
      )
      + remedy
    guard call.version.isStateless else {
      return ToolResult.failure(AssistantError.Code.approvalNeeded.rawValue, message, in: language)
    }
    throw AssistantError(
      .approvalNeeded, AssistantError.Number.missingCapability.rawValue, message,
      data: ["requiredCapabilities": ["elicitation": ["form": [:]]]])
  }

  /// Shows a form to a person.
  ///
  /// - Parameters:
  ///   - key: The name of the question, the same in each round.
  ///   - isAsked: Whether an answer in the client's message is one to this question.
  /// - Throws: ``InputRequired`` in versions in which the client repeats the call with the answer.
  func ask(
    _ key: String, _ question: LocalizedText, _ form: Value, isAsked: Bool
  ) async throws -> PersonsAnswer {
    let params: ValueMap = ["message": .string(question.string(in: language)), "requestedSchema": form]
    guard call.version.isStateless else { return PersonsAnswer(try await channel.ask("elicitation/create", params)) }
    if hasState, isAsked, let answer = call.params["inputResponses"]?[key], answer.mapValue != nil {
      return PersonsAnswer(answer)
    }
    throw InputRequired(
      key: key, question: params, state: state.sealed(fingerprint, now: assistant.now(), key: assistant.key))
  }
}
