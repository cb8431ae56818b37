import Access
import Builtins
import Conversations
import Engine
import Expressions
import Foundation
import Localization
import Plans
import PluginHost
import RecordJSON
import RunStore
import UseCases

/// A question to language models that was checked before any of them is asked.
struct ChatOrder: Sendable {
  private let services: ServerServices
  private let language: Language
  private let question: ChatQuestion
  private let input: Value
  private var conversation: Conversation
  private let routes: [String]

  /// Reads the body of a request.
  ///
  /// - Parameter number: The conversation to continue; `nil` for a new one.
  init(_ request: APIRequest, in number: Int?) async throws {
    (services, language) = (request.services, request.language)
    let (project, workspace, language) = (services.session.project, services.workspace, language)
    let choice = try await Self.choice(request)
    question = ChatQuestion(request.text("text") ?? "", files: try await Self.files(request))
    guard !question.isEmpty else {
      throw Problem.wrongInput(
        LocalizedText(
          "there is nothing to ask: write a question, or attach a text",
          de: "es gibt nichts zu fragen: eine Frage schreiben, oder einen Text anhängen"))
    }
    if let number {
      guard try await services.store.chat(number) != nil else {
        throw Problem.notFound(LocalizedText("conversation", de: "Gespräch"), "\(number)")
      }
      conversation = try await Conversation(continuing: number, in: services.store)
    } else {
      let own = choice.system ?? choice.preset?.text
      let system = try await request.blocking { try own ?? workspace.defaultSystem(language) ?? "" }
      conversation = Conversation(system: system, isKept: !request.isSet("private"))
    }
    let (former, question) = (conversation, question)
    routes = try await request.blocking {
      let routes =
        number == nil || choice.provider != nil
        ? try project.chatProviders(named: choice.provider)
        : try project.chatProviders(continuing: former, model: choice.model)
      return try project.answering(routes, task: choice.input(question, in: former)["task"]?.stringValue)
    }
    if project.neutralises(routes) { conversation.stopKeeping() }
    input = choice.input(question, in: conversation)
  }

  private static func choice(_ request: APIRequest) async throws -> ChatChoice {
    var choice = ChatChoice()
    (choice.provider, choice.model, choice.system) = (
      request.text("provider"), request.text("model"), request.text("system")
    )
    choice.task = request.text("task")
    choice.temperature = request.body["temperature"]?.doubleValue
    guard let name = request.text("preset") else { return choice }
    try request.require(.read, .catalog)
    guard choice.system == nil else {
      throw Problem.wrongInput(
        LocalizedText(
          "'preset' and 'system' exclude each other", de: "'preset' und 'system' schließen einander aus"))
    }
    let (workspace, language) = (request.services.workspace, request.language)
    let keywords = (request.body["keywords"]?.mapValue ?? [:]).entries.map {
      (name: $0.key.text, value: $0.value.stringValue ?? "")
    }
    choice.preset = try await request.blocking {
      try workspace.instructions(ofPreset: name, keywords: keywords, language)
    }
    return choice
  }

  // MARK: - Files

  private static func files(_ request: APIRequest) async throws -> [ChatFile] {
    var files: [ChatFile] = []
    for file in request.body["files"]?.listValue ?? [] { files.append(try await self.file(file, request)) }
    return files
  }

  private static func file(_ file: Value, _ request: APIRequest) async throws -> ChatFile {
    let hash = file["blob"]?.stringValue ?? ""
    let name = (file["name"]?.stringValue ?? "").split(separator: "/").last.map(String.init) ?? "file"
    _ = try request.blob(hash)
    let (store, workspace) = (request.services.store, request.services.workspace)
    let size = try store.blobSize(hash: hash) ?? 0
    guard size <= DocumentText.maximumBytes else {
      throw Problem(
        413, "too_large", "'\(name)' has more than \(DocumentText.maximumBytes) bytes",
        de: "'\(name)' hat mehr als \(DocumentText.maximumBytes) Bytes")
    }
    let bytes = try await request.blocking { try store.readBlob(hash: hash, offset: 0, length: size) }
    let content: String
    do throws(ActionFailure) {
      content = try await DocumentText(environment: workspace.surroundings.environment)
        .text(of: bytes, name: name, folder: FileManager.default.currentDirectoryPath)
    } catch {
      throw Problem(422, error.kind.rawValue, UseCaseError(error).trouble)
    }
    guard !content.allSatisfy(\.isWhitespace) else {
      throw Problem.wrongInput(
        LocalizedText("the file '\(name)' has no text", de: "die Datei '\(name)' hat keinen Text"))
    }
    return ChatFile(name: name, content: content)
  }

  // MARK: - Asking

  /// Asks the providers and keeps question and answer.
  ///
  /// - Parameter record: The record of the request, which gets the answer, or the reason why there is none, also if no reader is
  ///   left. One that is interrupted stays open: the model may have been asked.
  /// - Returns: The answer as the API gives it.
  func carryOut(reporting answer: ChatAnswer, _ record: RequestRecord?) async throws -> Value {
    if let warning = services.session.project.providers.mixedPrivacy(of: routes) { notice(warning, to: answer) }
    let (conversation, outcome) = try await PluginThreads.run {
      var conversation = self.conversation
      let exchange = ChatExchange(services.session.project, services.session.providers, input: input)
      let outcome = await exchange.ask(
        routes, question, &conversation,
        passingOver: { record, _ in
          notice(
            LocalizedText(
              "'\(record.provider)' has failed several times and is not asked now",
              de: "'\(record.provider)' ist mehrmals ausgefallen und wird jetzt nicht gefragt"), to: answer)
        },
        beginning: { route, failed in
          if let failed {
            notice(
              LocalizedText(verbatim: "'\(failed.route)': ") + failed.failure.message
                + LocalizedText("; '\(route)' begins again", de: "; '\(route)' beginnt von vorn"), to: answer)
          }
          answer.send(ServerEvent(name: "begin", data: ["provider": .string(route)]))
          return AnswerReporter(answer: answer, language: language)
        })
      return (conversation, outcome)
    }
    do {
      let value = try Self.value(outcome, conversation.number, isStopped: answer.isStopped, language)
      // Of a private conversation nothing is stored, so its answer is not either.
      try? record?.keep(201, conversation.number == nil ? nil : value.json())
      answer.send(ServerEvent(name: "end", data: value))
      return value
    } catch {
      let problem = Problem(error, in: language)
      if !(error is CancellationError) {
        try? record?.keep(problem.status, problem.document(in: language).json(), type: Problem.mediaType)
      }
      answer.send(ServerEvent(name: "problem", data: problem.document(in: language)))
      throw error
    }
  }

  private func notice(_ text: LocalizedText, to answer: ChatAnswer) {
    answer.send(ServerEvent(name: "notice", data: ["text": .string(text.string(in: language))]))
  }

  private static func value(
    _ outcome: ChatExchange.Outcome, _ number: Int?, isStopped: Bool, _ language: Language
  ) throws -> Value {
    var usage: Value?
    switch outcome.result {
    case .success(let output): usage = output["usage"]
    case .failure(let failure):
      if isStopped { break }
      if Task.isCancelled { throw CancellationError() }
      var problem = Problem(
        failure.kind == .invalidInput ? 422 : 503, failure.kind.rawValue, UseCaseError(failure).trouble)
      // A part of the answer is kept.
      if let number, !outcome.turn.text.isEmpty { problem.members = ["chat": .int(Int64(number))] }
      throw problem
    }
    let turn = outcome.turn
    return .object([
      ("chat", .number(number)), ("text", .string(turn.text)), ("provider", .string(outcome.route)),
      ("model", .string(turn.model)), ("cut", .bool(turn.isCut)), ("stopped", .bool(isStopped)),
      ("usage", usage ?? .null), ("unkept", .text(outcome.unkept?.message.string(in: language))),
    ])
  }
}

/// Sends the words of an answer as events.
private struct AnswerReporter: ActionReporter {
  let answer: ChatAnswer
  let language: Language

  func delta(_ delta: Value) {
    for name in ["text", "reasoning"] {
      guard let text = delta[name]?.stringValue, !text.isEmpty else { continue }
      answer.send(ServerEvent(name: "delta", data: .object([(name, .string(text))])))
    }
  }

  func log(_ level: LogLevel, _ message: String) {
    guard level >= .warning else { return }
    answer.send(ServerEvent(name: "notice", data: ["text": .string(message)]))
  }

  func progress(done: UInt64, total: UInt64, label: String) {}
}
