import Expressions
import Localization

extension ToolCall {
  /// Shows the question of a run to the person, and gives the answer to the run: the tool `answer_decision`.
  mutating func answerDecision() async throws -> ValueMap {
    let run = argument("run") ?? ""
    let detail = try await operations.perform(OperationCall("showRun", path: ["run": run]))
    let id = detail["id"]?.stringValue ?? run
    let found = RunReport.questions(detail).filter { question in
      (argument("step") == nil || question["step"]?.stringValue == argument("step"))
        && (arguments["item"] == nil || question["item"]?.intValue == arguments["item"]?.intValue)
    }
    guard let question = found.first, found.count == 1 else {
      return ToolResult.failure(
        "run_state",
        found.isEmpty
          ? LocalizedText("run \(id) waits for no such answer", de: "Lauf \(id) wartet auf keine solche Antwort")
          : LocalizedText(
            "run \(id) asks several questions: name the 'step', and the 'item' of a loop",
            de: "Lauf \(id) stellt mehrere Fragen: 'step' nennen, und bei einer Schleife 'item'"),
        in: language)
    }
    guard call.features.elicitsForms else {
      return try cannotAsk(id)
    }
    guard let form = QuestionForm(question) else {
      return ToolResult.failure(
        "unsuitable_form",
        LocalizedText(
          "the form of this question is not flat, and clients show flat forms only: answer it with 'sous answer yes \(id)'",
          de:
            "das Formular dieser Frage ist nicht flach, und Clients zeigen nur flache: mit 'sous answer yes \(id)' "
            + "beantworten"), in: language)
    }
    // The argument may be 'last', which means another run in the next round.
    let isAsked = hasAsked(form.message, "\(id)\n\(form.key)")
    let answer = try await ask(form.key, form.message, form.schema(in: language), isAsked: isAsked)
    guard let body = form.body(answer) else {
      return ToolResult.failure(
        "declined",
        LocalizedText(
          "the person did not answer; the run waits on", de: "der Mensch hat nicht geantwortet; der Lauf wartet weiter"),
        in: language)
    }
    return ToolResult.success(
      try await operations.perform(OperationCall("answerDecision", path: ["run": id], body: body)))
  }

  private func cannotAsk(_ run: String) throws(AssistantError) -> ValueMap {
    let message = LocalizedText(
      "only a person may answer, and this client cannot ask one (it does not declare 'elicitation'): answer with "
        + "'sous answer yes \(run)', or on the page of the server",
      de: "nur ein Mensch darf antworten, und dieser Client kann keinen fragen (er gibt 'elicitation' nicht an): mit "
        + "'sous answer yes \(run)' oder auf der Seite des Servers antworten")
    guard call.version.isStateless else {
      return ToolResult.failure(AssistantError.Code.approvalNeeded.rawValue, message, in: language)
    }
    throw AssistantError(
      .approvalNeeded, AssistantError.Number.missingCapability.rawValue, message,
      data: ["requiredCapabilities": ["elicitation": ["form": [:]]]])
  }

  /// Has the first question of the run answered while the call waits for the run.
  ///
  /// - Returns: Whether the run goes on.
  func answerQuestion() async throws -> Bool {
    let detail = try await operations.perform(OperationCall("showRun", path: ["run": state.run]))
    guard let question = RunReport.questions(detail).first, let form = QuestionForm(question) else { return false }
    let answer = try await ask(form.key, form.message, form.schema(in: language), isAsked: true)
    guard let body = form.body(answer) else { return false }
    _ = try await operations.perform(OperationCall("answerDecision", path: ["run": state.run], body: body))
    return true
  }
}
