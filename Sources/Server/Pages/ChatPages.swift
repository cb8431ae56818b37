import Access
import Engine
import Expressions
import Foundation
import Localization
import Page
import UseCases

/// Conversations with models.
enum ChatPages {
  static let all: [PageRoute] = [list, show]

  private static let list = PageRoute("/chat", .may(.read, .conversations)) { request in
    var page = try await view(request, chat: .null)
    page.draft.preset = String((request.query["preset"] ?? "").prefix(300))
    return page
  }

  private static let show = PageRoute("/chat/{conversation}", .may(.read, .conversations)) { request in
    try await view(request, chat: try await chat(request))
  }

  /// The conversation that the path names.
  private static func chat(_ request: PageRequest) async throws -> Value {
    let number = request.name("conversation")
    guard !number.isEmpty, number.count < 10, number.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      throw Problem.notFound(LocalizedText("conversation", de: "Gespräch"), number)
    }
    return try await request.json("showConversation", path: ["conversation": number])
  }

  private static func view(_ request: PageRequest, chat: Value) async throws -> ChatPage {
    let words = String((request.query["search"] ?? "").prefix(500))
    var query: ValueMap = ["limit": 30]
    if !words.isEmpty { query["search"] = .string(words) }
    var page = ChatPage(
      try await request.json("listConversations", query: query), chat: chat,
      choices: try await request.json("listChatChoices"), search: words)
    // One key for each form: a form that is sent twice asks once.
    page.key = UUID().uuidString
    page.current =
      request.base.services.answers
      .current(of: request.base.person, in: chat["chat"]?.intValue.map { Int(clamping: $0) })
      .map { ($0.id, $0.question) }
    return page
  }

  /// Asks the question of a form that was sent without a script, and waits for the answer.
  ///
  /// - Returns: The address of the conversation, or the page with the reason why there is no answer.
  static func answer(
    _ fields: FormFields, _ request: PageRequest
  ) async throws -> (address: String?, page: ChatPage?, status: Int) {
    let number = request.base.path["conversation"]
    let chat: Value = number == nil ? .null : try await self.chat(request)
    var body = ValueMap()
    var draft = ChatPage.Draft()
    (draft.text, draft.provider, draft.model, draft.preset) = (
      fields["text"] ?? "", fields["provider"] ?? "", fields["model"] ?? "", fields["preset"] ?? ""
    )
    for name in ["text", "provider", "model", "preset", "system"] {
      if let text = fields[name], !text.allSatisfy(\.isWhitespace) { body[name] = .string(text) }
    }
    if number == nil, fields["private"] != nil { body["private"] = true }
    if number != nil { body["system"] = nil }
    do {
      let path = number.map { ["conversation": $0] } ?? [:]
      let answer = try await request.answer(
        number == nil ? "beginConversation" : "continueConversation", path: path, body: .map(body), key: fields["key"])
      guard case .json(let value) = answer.content else { return (nil, nil, 500) }
      if let kept = value["chat"]?.intValue { return ("/chat/\(kept)#end", nil, 303) }
      var page = try await view(request, chat: chat)
      page.answer = value
      return (nil, page, 200)
    } catch {
      let problem = Problem(error, in: request.base.language)
      guard problem.status != 401 else { throw error }
      var page = try await view(request, chat: chat)
      (page.draft, page.problem) = (draft, problem.described(in: request.base.language))
      // The same question sent again waits for its answer.
      if problem.code == Problem.repeated(.underWay).code, let key = fields["key"] { page.key = key }
      return (nil, page, problem.status)
    }
  }
}
