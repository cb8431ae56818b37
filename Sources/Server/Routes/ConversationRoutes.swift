import Access
import Engine
import Expressions
import Localization
import RunStore
import UseCases

/// Operations on conversations with models.
enum ConversationRoutes {
  private typealias S = APISchema

  static let all: [Route] = [list, show, delete]

  private static let number = RouteParameter.number("conversation")

  private static let list = Route(
    .get, "/conversations", "listConversations", "List conversations, the one that was continued last first.",
    de: "Gespräche auflisten, das zuletzt fortgesetzte zuerst.", .may(.read, .conversations),
    parameters: [
      .words(
        "Only conversations in which all of these words occur.",
        de: "Nur Gespräche, in denen alle diese Wörter vorkommen."),
      .limit,
    ], answers: [.json(S.page(S.named("Conversation")))]
  ) { request in
    try request.require(.read, .conversations)
    let words = (request.query["search"]?.stringValue ?? "").split(separator: " ").map(String.init)
    return .page(try await request.services.store.chats(with: words, limit: request.limit).map { .map($0.json) })
  }

  private static let show = Route(
    .get, "/conversations/{conversation}", "showConversation", "Show a conversation with its turns.",
    de: "Ein Gespräch mit seinen Beiträgen zeigen.", .may(.read, .conversations), parameters: [number],
    answers: [.json(S.named("ConversationDetail"))]
  ) { request in
    try request.require(.read, .conversations)
    guard let (chat, turns) = try await request.services.store.chat(request.number("conversation")) else {
      throw Problem.notFound(LocalizedText("conversation", de: "Gespräch"), request.name("conversation"))
    }
    var map = chat.json
    map["turns"] = .list(turns.map(\.json))
    return .json(.map(map))
  }

  private static let delete = Route(
    .delete, "/conversations/{conversation}", "deleteConversation", "Delete a conversation.",
    de: "Ein Gespräch löschen.",
    .may(.delete, .conversations), parameters: [number], answers: [.empty]
  ) { request in
    try request.require(.delete, .conversations)
    guard try await request.services.store.deleteChats([request.number("conversation")]) > 0 else {
      throw Problem.notFound(LocalizedText("conversation", de: "Gespräch"), request.name("conversation"))
    }
    return .empty
  }
}
