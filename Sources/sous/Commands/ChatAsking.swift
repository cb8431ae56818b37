import Engine
import Expressions
import Localization
import PluginHost
import Providers
import RunStore
import UseCases

/// Asks for an answer, shows it, and keeps what was said.
struct ChatAsking {
  let project: Project
  let providers: ProviderChain
  let isJSON: Bool
  let isVerbose: Bool
  /// The input of `chat.complete`.
  let input: Value
  /// Whether nothing is shown before the whole answer has been checked.
  private var isSilent: Bool { isJSON || hasSchema }
  private var hasSchema: Bool { input["schema"] != nil }

  init(project: Project, providers: ProviderChain, isJSON: Bool, isVerbose: Bool, input: Value) {
    self.project = project
    self.providers = providers
    self.isJSON = isJSON
    self.isVerbose = isVerbose
    self.input = input
  }

  /// Asks. An answer that breaks off begins again, for all to see: at the next provider, or once more at the last one.
  func ask(_ routes: [String], _ question: ChatQuestion, _ conversation: inout Conversation) async throws {
    let asked = SystemTime().now
    var shown = StreamedAnswer(isSilent: isSilent, isVerbose: isVerbose)
    let answer = await providers.ask(
      routes, "chat.complete", takingPart, repeating: { $0.kind == .io && shown.hasWords },
      passingOver: { record, until in
        if !isJSON { writeError(record.whyLeftAlone(until: until) + "\n") }
      },
      beginning: { route, failed in
        if let failed { tell(CommandError(failed.failure, provider: failed.route), of: shown, next: route) }
        shown = StreamedAnswer(isSilent: isSilent, isVerbose: isVerbose)
        return shown
      })
    var turn = ChatTurnRecord(.assistant, shown.text, at: SystemTime().now)
    turn.provider = answer.route
    turn.settings = project.chatSettings(of: answer.route, input: input)
    switch answer.result {
    case .success(var output):
      let object = output.structuredAnswer(to: input)
      turn.text = output["text"]?.stringValue ?? ""
      turn.model = output["model"]?.stringValue ?? ""
      turn.isCut = AnswerCut(output["finish_reason"]) != nil
      let problem = await keep(question.turn(at: asked), turn, in: &conversation)
      if case .map(var fields) = output, let number = conversation.number {
        fields["chat"] = .int(Int64(number))
        output = .map(fields)
      }
      finish(output, object, shown, provider: answer.route)
      // The answer has been shown, so no other provider is asked; the user can continue the conversation.
      var failure = ActionFailure.unanswered(output, to: input)
      failure?.advice = conversation.number.map { number in
        LocalizedText(
          "for the rest, run: sous chat --continue \(number) \"Go on\"",
          de: "für den Rest ausführen: sous chat --continue \(number) \"Weiter\"")
      }
      if let failure = problem ?? failure { throw CommandError(failure, provider: answer.route) }
    case .failure(let failure):
      shown.endLine()
      if shown.hasWords {
        turn.isCut = true
        _ = await keep(question.turn(at: asked), turn, in: &conversation)
      }
      if Task.isCancelled { throw CommandError(ExitStatus.interrupted) }
      // People have been told of the others.
      throw CommandError(isJSON ? failure.beside(answer.others) : failure, provider: answer.route)
    }
  }

  /// The input with the permission for a part of an answer: it is shown, and the rest can be asked for.
  private var takingPart: Value {
    guard case .map(var input) = input, !hasSchema else { return input }
    input["allow_truncated"] = true
    return .map(input)
  }

  /// Says why another provider is asked, and that what is above is not part of the answer.
  private func tell(_ failure: CommandError, of answer: StreamedAnswer, next: String) {
    guard !isJSON else { return }
    answer.endLine()
    writeError((failure.message?.spoken ?? "") + "\n")
    // A structured answer has not been shown.
    guard answer.hasWords, !hasSchema else { return }
    let terminal = Terminal(descriptor: 2)
    let words = say(
      "the answer broke off; '\(next)' begins again", de: "die Antwort brach ab; '\(next)' beginnt von vorn")
    writeError(terminal.styled("── \(words) ──", .dim) + "\n")
  }

  /// Keeps a question and its answer.
  ///
  /// - Returns: Why that could not be done.
  private func keep(
    _ question: ChatTurnRecord, _ answer: ChatTurnRecord, in conversation: inout Conversation
  ) async -> ActionFailure? {
    do throws(UseCaseError) {
      try await conversation.add(question, answer, in: providers.store)
      return nil
    } catch {
      return ActionFailure(.io, error.message)
    }
  }

  private func finish(_ output: Value, _ object: Value?, _ answer: StreamedAnswer, provider: String) {
    if isJSON {
      writeJSON(output)
      return
    }
    if let object {
      writeJSON(object, pretty: true)
      if isVerbose { writeError(answer.summary(of: output, provider: provider) + "\n") }
      return
    }
    let text = output["text"]?.stringValue ?? ""
    if !answer.hasBegun { answer.show(text) }
    answer.endLine()
    if let calls = output["tool_calls"] { writeJSON(calls) }
    if isVerbose { writeError(answer.summary(of: output, provider: provider) + "\n") }
  }
}
