import Engine
import Expressions
import Localization
import PluginHost
import RunStore
import UseCases

/// Asks one provider after the other until one has answered, and keeps what was said.
struct ChatAsking {
  let project: Project
  let store: RunStore
  let isJSON: Bool
  let isVerbose: Bool
  /// The input of `chat.complete`.
  let input: Value

  /// Asks. An answer that breaks off begins again, for all to see: at the next provider, or once more at the last one.
  func ask(_ routes: [String], _ question: ChatQuestion, _ conversation: Conversation) async throws {
    var conversation = conversation
    let asked = SystemTime().now
    var place = 0
    var isAgain = false
    var failures: [(provider: String, message: LocalizedText)] = []
    while true {
      let route = routes[place]
      let answer = StreamedAnswer(isSilent: isJSON, isVerbose: isVerbose)
      let ending: CommandError?
      do throws(ActionFailure) {
        var output = try await project.callUnjudged("chat.complete", input, by: route, reporter: answer)
        let text = output["text"]?.stringValue ?? ""
        var failure = ActionFailure.unanswered(output, to: input)
        let isCut = AnswerCut(output["finish_reason"]) != nil && !text.allSatisfy(\.isWhitespace)
        if let failure, !isCut { throw failure }
        var turn = ChatTurnRecord(.assistant, text, at: SystemTime().now)
        turn.provider = route
        turn.model = output["model"]?.stringValue ?? ""
        turn.settings = project.chatSettings(of: route, input: input)
        turn.isCut = isCut
        let problem = await keep(question.turn(at: asked), turn, in: &conversation)
        if case .map(var fields) = output, let number = conversation.number {
          fields["chat"] = .int(Int64(number))
          output = .map(fields)
        }
        finish(output, answer, provider: route)
        // The answer has been shown, so no other provider is asked; the user can continue the conversation.
        failure?.advice = conversation.number.map { number in
          LocalizedText(
            "for the rest, run: sous chat --continue \(number) \"Go on\"",
            de: "für den Rest ausführen: sous chat --continue \(number) \"Weiter\"")
        }
        ending = (problem ?? failure).map { CommandError($0, provider: route) }
      } catch {
        answer.endLine()
        let hasBroken = !answer.text.allSatisfy(\.isWhitespace)
        let isOver = Task.isCancelled
        let canRepeat = !isAgain && hasBroken && error.kind == .io
        if isOver || place == routes.count - 1 && !canRepeat {
          if hasBroken {
            var turn = ChatTurnRecord(.assistant, answer.text, at: SystemTime().now)
            (turn.provider, turn.isCut) = (route, true)
            turn.settings = project.chatSettings(of: route, input: input)
            _ = await keep(question.turn(at: asked), turn, in: &conversation)
          }
          // People have been told of the others.
          let last = isJSON ? error.beside(failures) : error
          throw isOver ? CommandError(ExitStatus.interrupted) : CommandError(last, provider: route)
        }
        failures.append((route, error.message))
        if place < routes.count - 1 { place += 1 } else { isAgain = true }
        tell(CommandError(error, provider: route), hasBroken: hasBroken, next: routes[place])
        continue
      }
      if let ending { throw ending }
      return
    }
  }

  /// Says why another provider is asked, and that what is above is not part of the answer.
  private func tell(_ failure: CommandError, hasBroken: Bool, next: String) {
    guard !isJSON else { return }
    writeError((failure.message?.spoken ?? "") + "\n")
    guard hasBroken else { return }
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
      try await conversation.add(question, answer, in: store)
      return nil
    } catch {
      return ActionFailure(.io, error.message)
    }
  }

  private func finish(_ output: Value, _ answer: StreamedAnswer, provider: String) {
    if isJSON {
      writeJSON(output)
      return
    }
    let text = output["text"]?.stringValue ?? ""
    if !answer.hasBegun { answer.show(text) }
    answer.endLine()
    if let calls = output["tool_calls"] { writeJSON(calls) }
    if isVerbose { writeError(answer.summary(of: output, provider: provider) + "\n") }
  }
}
