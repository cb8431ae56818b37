import Localization
public import RunStore

extension Workspace {
  /// Conversations, the one that was continued last first; those in which all of some words occur.
  public func chats(with words: [String] = [], limit: Int) async throws(UseCaseError) -> [ChatRecord] {
    try await readingFile({ try await $0.chats(with: words, limit: limit) }, ifMissing: { [] })
  }

  /// A conversation with its turns.
  ///
  /// - Parameter number: Which; `nil` for the last one.
  /// - Throws: ``UseCaseError``: `wrong_input` where there is none.
  public func chat(_ number: Int?) async throws(UseCaseError) -> (chat: ChatRecord, turns: [ChatTurnRecord]) {
    let found = try await readingFile(
      { store in
        let last = try await store.chats(limit: 1).first?.number
        guard let wanted = number ?? last else { return (chat: ChatRecord, turns: [ChatTurnRecord])?.none }
        return try await store.chat(wanted)
      }, ifMissing: { nil })
    guard let found else {
      throw .notFound(
        number.map {
          LocalizedText(
            "there is no conversation \($0); see 'sous chats'", de: "es gibt kein Gespräch \($0); siehe 'sous chats'")
        } ?? LocalizedText("there is no conversation", de: "es gibt kein Gespräch"))
    }
    return found
  }

  /// Deletes conversations.
  ///
  /// - Throws: ``UseCaseError``: `not_found` if none of them exists.
  public func deleteChats(_ numbers: [Int]) async throws(UseCaseError) -> Int {
    let count = try await changingRunLog { try await $0.deleteChats(numbers) }
    guard count > 0 else {
      throw .notFound(
        LocalizedText(
          "there is no such conversation; see 'sous chats'",
          de: "ein solches Gespräch gibt es nicht; siehe 'sous chats'"))
    }
    return count
  }
}
