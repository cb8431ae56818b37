import Engine
import Expressions
import Plans

/// Looks for copies of messages in the folders that a filter copies to.
struct CopiedMessages {
  /// Messages that are looked for at once.
  private static let batch = 20
  /// The most messages of a page: some programs give many messages the same Message-ID.
  private static let longestPage = 1000
  /// Seconds that a provider may take for an answer.
  private static let longestAnswer = 300.0

  private let call: BuiltinCall
  private let sorting: MessageSorting

  init(_ call: BuiltinCall, _ sorting: MessageSorting) {
    self.call = call
    self.sorting = sorting
  }

  /// The keys of those messages that have a copy in a folder: the same Message-ID, date and size.
  ///
  /// A message without Message-ID cannot be found.
  func present(
    _ copies: [(key: String, message: Value)], in folder: String
  ) async throws(ActionFailure) -> [String] {
    let named = copies.filter { $0.message["message_id"]?.stringValue?.isEmpty == false }
    var present: [String] = []
    for start in stride(from: 0, to: named.count, by: Self.batch) {
      let part = named[start..<min(start + Self.batch, named.count)]
      let found = try await identities(of: part.map(\.message), in: folder, start)
      present += part.filter { found.contains(SentMessages.key("", $0.message)) }.map(\.key)
    }
    return present
  }

  private func identities(
    of messages: [Value], in folder: String, _ number: Int
  ) async throws(ActionFailure) -> Set<String> {
    let queries = messages.map { message -> Value in
      ["header": ["name": "Message-ID", "contains": message["message_id"] ?? ""]]
    }
    let request = ActionRequest(
      run: call.request.run, step: call.request.step, item: call.request.item, attempt: call.request.attempt,
      action: sorting.selection.search.name,
      input: [
        "folder": .string(folder), "query": queries.count == 1 ? queries[0] : ["or": .list(queries)],
        "fields": ["message_id", "date", "size"], "limit": .int(Int64(Self.longestPage)),
      ],
      key: "\(call.request.key).copied.\(folder).\(number)",
      timeout: min(call.request.timeout ?? Self.longestAnswer, Self.longestAnswer), recipe: call.request.recipe,
      recipePath: call.request.recipePath)
    do {
      let answer = try await sorting.store.perform(request, reporter: call.reporter)
      return Set((answer["messages"]?.listValue ?? []).map { SentMessages.key("", $0) })
    } catch {
      // Nothing has been copied to a folder that does not exist.
      if error.kind == .notFound { return [] }
      throw error
    }
  }
}
