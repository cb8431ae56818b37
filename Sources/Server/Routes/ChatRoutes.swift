import Access
import Catalog
import Engine
import Expressions
import HTTPTypes
import Localization
import RecordJSON
import UseCases

/// Operations that ask language models.
enum ChatRoutes {
  private typealias S = APISchema

  static let all: [Route] = [begin, goOn, choices, follow, stop]

  /// The fields of a question.
  private static let question: [(String, Value)] = [
    ("text", S.text(upTo: 1_000_000)),
    ("files", S.list(S.input([("blob", S.blob), ("name", S.name)], required: ["blob"]), upTo: 20)),
    ("provider", S.name), ("model", S.name), ("preset", S.name),
    ("keywords", ["type": "object", "additionalProperties": S.text(upTo: 10_000)]),
    ("system", S.text(upTo: 100_000)), ("task", S.name),
    ("temperature", ["type": "number", "minimum": 0, "maximum": 2]),
  ]

  /// The whole answer, or its events.
  private static let answers: [Route.Answer] = [
    .json(S.named("ChatAnswer"), status: 201), .events(S.named("ChatEvent")),
  ]

  private static let begin = Route(
    .post, "/conversations", "beginConversation",
    "Begin a conversation: ask a model and get its answer, with Accept: text/event-stream word by word.",
    de:
      "Ein Gespräch beginnen: ein Modell fragen und seine Antwort bekommen, mit Accept: text/event-stream Wort für Wort.",
    .may(.create, .conversations), body: .json(S.input(question + [("private", S.flag)])), answers: answers,
    repetition: .found
  ) { request in
    try request.require(.create, .conversations)
    return try await answer(request, in: nil, .create)
  }

  private static let goOn = Route(
    .post, "/conversations/{conversation}/messages", "continueConversation",
    "Go on with a conversation: ask the next question; provider and model stay.",
    de: "Ein Gespräch fortsetzen: die nächste Frage stellen; Provider und Modell bleiben.",
    .may(.update, .conversations), parameters: [.number("conversation")], body: .json(S.input(question)),
    answers: answers, repetition: .found
  ) { request in
    try request.require(.update, .conversations)
    return try await answer(request, in: request.number("conversation"), .update)
  }

  /// - Parameter verb: The right to conversations that the caller needs while it follows the answer.
  private static func answer(
    _ request: APIRequest, in conversation: Int?, _ verb: AccessVerb
  ) async throws -> APIAnswer {
    if let repetition = request.repetition {
      // Models cost money: no question is asked twice, also if it is unknown whether the first one was asked.
      guard let known = request.services.answers.answer(request.run.rawValue, of: request.person) else {
        throw Problem.repeated(repetition)
      }
      return try await value(of: known, request, verb)
    }
    let order = try await ChatOrder(request, in: conversation)
    let record = request.record
    let start = try request.services.answers.begin(
      request.run.rawValue, user: request.person, conversation: conversation, question: request.text("text") ?? ""
    ) { try await order.carryOut(reporting: $0, record) }
    switch start {
    case .begun(let answer): return try await value(of: answer, request, verb)
    case .underWay:
      throw Problem(
        409, "answer_under_way", "an answer in this conversation is being written: wait for its end, or stop it",
        de: "in diesem Gespräch entsteht gerade eine Antwort: ihr Ende abwarten, oder sie anhalten")
    case .tooMany:
      var problem = Problem(
        429, "too_many_answers", "too many answers are being written: wait for the end of one, or stop it",
        de: "es entstehen gerade zu viele Antworten: das Ende einer abwarten, oder eine anhalten")
      problem.fields = [HTTPField(name: .retryAfter, value: "10")]
      throw problem
    }
  }

  /// The whole answer, or its events.
  private static func value(
    of answer: ChatAnswer, _ request: APIRequest, _ verb: AccessVerb
  ) async throws -> APIAnswer {
    if request.wantsEvents { return request.answer(answer.follow()) { try $0.require(verb, .conversations) } }
    var whole = APIAnswer.json(try await answer.value, status: 201)
    // A private one must not be stored by a repetition either.
    whole.isKeptByOperation = true
    return whole
  }

  // MARK: - Answers under way

  /// The answer that the path names, if the caller has asked for it.
  private static func current(_ request: APIRequest) throws -> ChatAnswer {
    guard let answer = request.services.answers.answer(request.name("answer"), of: request.person) else {
      throw Problem.notFound(LocalizedText("answer", de: "Antwort"), request.name("answer"))
    }
    return answer
  }

  private static let follow = Route(
    .get, "/answers/{answer}/events", "followAnswer", "Follow an answer of your own from its beginning to its end.",
    de: "Einer eigenen Antwort von ihrem Anfang bis zu ihrem Ende folgen.", .may(.read, .conversations),
    answers: [.events(S.named("ChatEvent"))]
  ) { request in
    request.answer(try current(request).follow()) { try Route.Right.may(.read, .conversations).require($0.actor) }
  }

  private static let stop = Route(
    .post, "/answers/{answer}/stop", "stopAnswer", "Stop an answer of your own; its words so far are kept.",
    de: "Eine eigene Antwort anhalten; ihre bisherigen Wörter bleiben erhalten.", .may(.read, .conversations),
    answers: [.empty], repetition: .harmless
  ) { request in
    try current(request).stop()
    return .empty
  }

  // MARK: - Choices

  private static let choices = Route(
    .get, "/chat-choices", "listChatChoices",
    "The providers with a language model and the presets that a conversation can use.",
    de: "Die Provider mit einem Sprachmodell und die Presets, die ein Gespräch verwenden kann.",
    .may(.read, .conversations),
    answers: [
      .json(
        S.object([
          ("providers", S.list(S.object([("name", S.text), ("model", S.orNull(S.text)), ("local", S.flag)]))),
          ("default", S.orNull(S.text)), ("presets", S.list(S.object([("name", S.text), ("title", S.text)]))),
          ("default_preset", S.orNull(S.text)),
        ]))
    ]
  ) { request in
    try request.require(.read, .conversations)
    let (project, workspace, language) = (
      request.services.session.project, request.services.workspace, request.language
    )
    let readsCatalog = request.actor?.may(.read, .catalog) ?? false
    return .json(
      try await request.blocking {
        let entries = project.providerEntries
        let able = (try? project.answering(project.allChatProviders(), task: nil)) ?? []
        let providers = able.map { name -> Value in
          let entry = entries.first { $0.name == name }
          return ["name": .string(name), "model": .text(entry?.model), "local": .bool(entry?.isLocal ?? true)]
        }
        var presets: [(name: String, title: String, isDefault: Bool)] = []
        if readsCatalog {
          let snapshot = try workspace.catalog(language).snapshot()
          for place in snapshot.places(with: []) {
            let entry = snapshot.json(place)
            guard ["preset", "composition"].contains(entry["kind"]?.stringValue) else { continue }
            let name = entry["name"]?.stringValue ?? ""
            presets.append((name, entry["title"]?.stringValue ?? name, entry["default"]?.boolValue ?? false))
          }
        }
        return .object([
          ("providers", .list(providers)),
          ("default", .text((try? project.answering(project.chatProviders(named: nil), task: nil))?.first)),
          ("presets", .list(presets.map { ["name": .string($0.name), "title": .string($0.title)] })),
          ("default_preset", .text(presets.first { $0.isDefault }?.name)),
        ])
      })
  }

  // MARK: - Schemas

  static let schemas: [(String, Value)] = [
    (
      "ChatAnswer",
      S.object([
        ("chat", S.orNull(S.count)), ("text", S.text), ("provider", S.text), ("model", S.text), ("cut", S.flag),
        ("stopped", S.flag), ("usage", S.orNull(S.map)), ("unkept", S.orNull(S.text)),
      ])
    ),
    (
      "ChatEvent",
      [
        "type": "object",
        "description":
          "answer: the id of the answer. begin: a provider begins to answer; words before it do not count. delta: a piece of the answer in text, or of the model's thoughts in reasoning. notice: a warning, or why another provider is asked. end: the ChatAnswer. problem: a Problem; the stream ends after these two.",
      ]
    ),
  ]
}
