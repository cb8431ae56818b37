import Conversations
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
    var shown = StreamedAnswer(isSilent: isSilent, isVerbose: isVerbose)
    let outcome = await ChatExchange(project, providers, input: input).ask(
      routes, question, &conversation,
      passingOver: { record, until in
        if !isJSON { writeError(record.whyLeftAlone(until: until) + "\n") }
      },
      beginning: { route, failed in
        if let failed { tell(CommandError(failed.failure, provider: failed.route), of: shown, next: route) }
        shown = StreamedAnswer(isSilent: isSilent, isVerbose: isVerbose)
        return shown
      })
    switch outcome.result {
    case .success(let output):
      finish(output, outcome.object, shown, provider: outcome.route)
      // The answer has been shown, so no other provider is asked; the user can continue the conversation.
      var failure = ActionFailure.unanswered(output, to: input)
      failure?.advice = conversation.number.map { number in
        LocalizedText(
          "for the rest, run: sous chat --continue \(number) \"Go on\"",
          de: "für den Rest ausführen: sous chat --continue \(number) \"Weiter\"")
      }
      if let failure = outcome.unkept ?? failure { throw CommandError(failure, provider: outcome.route) }
    case .failure(let failure):
      shown.endLine()
      if Task.isCancelled { throw CommandError(ExitStatus.interrupted) }
      // People have been told of the others.
      throw CommandError(isJSON ? failure.beside(outcome.others) : failure, provider: outcome.route)
    }
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
