package import Engine
package import Expressions
package import Localization
package import Providers
package import RunStore
import Synchronization
package import UseCases

/// Asks language models for the next answer of a conversation, and keeps the question and the answer.
package struct ChatExchange: Sendable {
  /// The answer, or why there is none.
  package struct Outcome: Sendable {
    /// The route that was asked last.
    package var route: String
    /// The output of `chat.complete`, with the number of the conversation in `chat` if it is kept.
    package var result: Result<Value, ActionFailure>
    /// The answer that a schema asks for, as the model gave it; `nil` without a schema.
    package var object: Value?
    /// The answer as the conversation has it; a part of it if it broke off.
    package var turn: ChatTurnRecord
    /// Why the other providers have not answered.
    package var others: [(provider: String, message: LocalizedText)]
    /// Why question and answer could not be kept; `nil` if nothing went wrong.
    package var unkept: ActionFailure?
  }

  private let project: Project
  private let providers: ProviderChain
  private let input: Value

  /// Prepares to ask.
  ///
  /// - Parameters:
  ///   - project: The project, which knows the models of its providers.
  ///   - providers: The providers.
  ///   - input: The input of `chat.complete`; see ``ChatChoice/input(_:in:)``.
  package init(_ project: Project, _ providers: ProviderChain, input: Value) {
    (self.project, self.providers, self.input) = (project, providers, input)
  }

  /// Asks. An answer that breaks off begins again: at the next provider, or once more at the last one.
  ///
  /// - Parameters:
  ///   - routes: The providers, first choice first.
  ///   - question: The question.
  ///   - conversation: Gets the question and its answer, also a part of an answer.
  ///   - passingOver: Takes a provider that is not asked, and until when its circuit breaker is open.
  ///   - beginning: Makes the reporter of an attempt from its route, and the attempt before it that has failed.
  package func ask(
    _ routes: [String], _ question: ChatQuestion, _ conversation: inout Conversation,
    passingOver: (BreakerRecord, Timestamp) -> Void = { _, _ in },
    beginning: (_ route: String, _ failed: (route: String, failure: ActionFailure)?) -> any ActionReporter
  ) async -> Outcome {
    let asked = SystemTime().now
    var heard = HeardAnswer(base: SilentReporter())
    let answer = await providers.ask(
      routes, "chat.complete", takingPart, repeating: { $0.kind == .io && heard.hasWords }, passingOver: passingOver,
      beginning: { route, failed in
        heard = HeardAnswer(base: beginning(route, failed))
        return heard
      })
    var turn = ChatTurnRecord(.assistant, heard.text, at: SystemTime().now)
    turn.provider = answer.route
    turn.settings = project.chatSettings(of: answer.route, input: input)
    var outcome = Outcome(route: answer.route, result: answer.result, turn: turn, others: answer.others)
    switch answer.result {
    case .success(let output):
      outcome.object = output.structuredAnswer(to: input)
      outcome.turn.text = output["text"]?.stringValue ?? ""
      outcome.turn.model = output["model"]?.stringValue ?? ""
      outcome.turn.isCut = AnswerCut(output["finish_reason"]) != nil
      outcome.unkept = await keep(question.turn(at: asked), outcome.turn, in: &conversation)
      if case .map(var fields) = output, let number = conversation.number {
        fields["chat"] = .int(Int64(number))
        outcome.result = .success(.map(fields))
      }
    case .failure:
      outcome.turn.isCut = true
      guard heard.hasWords else { break }
      outcome.unkept = await keep(question.turn(at: asked), outcome.turn, in: &conversation)
    }
    return outcome
  }

  /// The input with the permission for a part of an answer: it is shown, and the rest can be asked for.
  private var takingPart: Value {
    guard case .map(var input) = input, input["schema"] == nil else { return input }
    input["allow_truncated"] = true
    return .map(input)
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
}

/// Collects the words of an answer, and passes all reports on.
private final class HeardAnswer: ActionReporter {
  private let base: any ActionReporter
  private let words = Mutex("")

  init(base: any ActionReporter) { self.base = base }

  /// The text of the answer so far.
  var text: String { words.withLock { $0 } }

  /// Whether words of the answer have come.
  var hasWords: Bool { !text.allSatisfy(\.isWhitespace) }

  func delta(_ delta: Value) {
    if let text = delta["text"]?.stringValue { words.withLock { $0 += text } }
    base.delta(delta)
  }

  func log(_ level: LogLevel, _ message: String) { base.log(level, message) }
  func progress(done: UInt64, total: UInt64, label: String) { base.progress(done: done, total: total, label: label) }
}
