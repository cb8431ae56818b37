import Engine
import Expressions
import Localization
import Recipes

extension BuiltinAction {
  /// `mail.select`: sorts the messages of a folder by the rules of a mail filter, each by itself.
  ///
  /// It reads page by page and keeps of each message what is decided about it: memory grows by ids, not by texts. In a run
  /// that a new message has started, it deals with that message alone.
  static let mailSelect = BuiltinAction(signature: .select) { (call) throws(ActionFailure) in
    guard let sorting = call.request.sorting else {
      throw ActionFailure(
        .unsupported,
        .init(
          "'mail.select' sorts by the rules of a mail filter", de: "'mail.select' sortiert nach Regeln eines Filters")
      )
    }
    var pages = MessagePages(call, sorting)
    var judge = MessageJudge(sorting.selection, sorting.bindings)
    var report = SelectionReport(
      sorting.selection, folder: call.text("folder"), account: "\(call.request.recipe)/\(call.request.step)")
    while let (messages, unreadable) = try await pages.next() {
      for message in unreadable { report.add(unreadable: message) }
      var decisions: [(MessageJudge.Decision, Value)] = []
      for message in messages { decisions.append((judge.decide(message), message)) }
      let sent = try await SentMessages(decisions, judge.rules, call)
      for (decision, message) in decisions {
        let uid = message["uid"]?.stringValue ?? ""
        guard !uid.isEmpty else {
          throw ActionFailure(
            .protocol, .init("the provider gave a message without uid", de: "der Provider gab eine Nachricht ohne uid"))
        }
        report.add(sent.settled(decision, message, judge.rules), message, uid: uid, sent)
      }
      call.reporter.progress(done: UInt64(pages.read), total: UInt64(pages.total), label: call.text("folder"))
    }
    report.isComplete = pages.isComplete
    try await report.settle(call)
    return report.value
  }
}

/// Asks a provider for the messages of a folder, page by page.
private struct MessagePages {
  /// Messages of a page; with texts a page takes up to 13 MB.
  private static let size = 200
  /// Without texts.
  private static let sizeOfHeaders = 1000
  /// What a provider without pages gives at most.
  private static let longestPage = 1000
  /// Seconds a provider may take for a page.
  private static let longestAnswer = 300.0

  private let call: BuiltinCall
  private let sorting: MessageSorting
  private var input: ValueMap
  private let limit: Int
  private let pageSize: Int
  private var isAtEnd = false
  private var number = 0
  /// The only message that counts; `nil` where all do.
  private let only: String?
  /// How many messages were read.
  private(set) var read = 0
  /// How many there are, as far as the provider says.
  private(set) var total = 0

  /// Whether every message was read that `search` speaks of.
  var isComplete: Bool { read >= total }

  init(_ call: BuiltinCall, _ sorting: MessageSorting) {
    self.call = call
    self.sorting = sorting
    let selection = sorting.selection
    input = call.input.mapValue ?? [:]
    let arrival = sorting.arrival(in: call.text("folder"))
    only = arrival?.uid
    let asked = call.input["limit"]?.intValue.map { max(1, Int(clamping: $0)) }
    if selection.pages {
      limit = asked ?? .max
      let readsTexts = selection.fields.map { !$0.allSatisfy { !Self.bodies.contains($0) } } ?? true
      pageSize = readsTexts ? Self.size : Self.sizeOfHeaders
      if let query = selection.query({ tree, _ in
        tree.constantValue(now: sorting.bindings.now, sorting.bindings.value(of:_:))
      }) {
        input["query"] = query
      }
      if let only {
        let own: Value = ["uid": [.string(only)]]
        input["query"] = input["query"].map { ["and": [own, $0]] } ?? own
      }
      if var fields = selection.fields {
        if selection.describes { fields = Set(fields).union(["from", "subject"]).sorted() }
        input["fields"] = .list(fields.map { .string($0) })
      }
      if !selection.headers.isEmpty { input["headers"] = .list(selection.headers.map { .string($0) }) }
    } else {
      limit = min(asked ?? MessageSelection.limitWithoutPages, Self.longestPage)
      pageSize = limit
    }
    // Of another account than the one that the message came to, there is nothing to do.
    isAtEnd = arrival?.isElsewhere ?? false
  }

  /// Fields for which a provider has to read bodies.
  private static let bodies: Set<String> = ["text", "snippet", "truncated", "html"]

  /// The next page; `nil` at the end.
  ///
  /// - Returns: The messages, and what the provider says of those that it cannot read.
  mutating func next() async throws(ActionFailure) -> (messages: [Value], unreadable: [Value])? {
    guard !isAtEnd, read < limit else { return nil }
    input["limit"] = .int(Int64(min(pageSize, limit - read)))
    number += 1
    let answer = try await sorting.store.perform(request, reporter: call.reporter)
    guard let messages = answer["messages"]?.listValue else {
      throw ActionFailure(
        .protocol, .init("the provider gave no list of messages", de: "der Provider gab keine Liste von Nachrichten"))
    }
    var unreadable = answer["unreadable"]?.listValue ?? []
    read += messages.count + unreadable.count
    total = max(read, Int(clamping: answer["total"]?.intValue ?? 0))
    let cursor = answer["cursor"]?.stringValue
    if let cursor, sorting.selection.pages {
      // A cursor that stands still would lead round in a circle.
      guard input["cursor"] != .string(cursor) else {
        throw ActionFailure(
          .protocol, .init("the provider gave the same page twice", de: "der Provider gab dieselbe Seite zweimal"))
      }
      input["cursor"] = .string(cursor)
    } else {
      isAtEnd = true
    }
    guard let only else { return (messages, unreadable) }
    unreadable = unreadable.filter { $0["uid"]?.stringValue == only }
    return (messages.filter { $0["uid"]?.stringValue == only }, unreadable)
  }

  private var request: ActionRequest {
    ActionRequest(
      run: call.request.run, step: call.request.step, item: call.request.item, attempt: call.request.attempt,
      action: sorting.selection.search.name, input: .map(input), key: "\(call.request.key).page.\(number)",
      timeout: min(call.request.timeout ?? Self.longestAnswer, Self.longestAnswer), recipe: call.request.recipe,
      recipePath: call.request.recipePath)
  }
}

extension MessageSorting {
  /// The message whose arrival has started the run, where it came into a folder: its uid, and whether it came to another
  /// provider than the one that is asked; `nil` for a run that goes through the whole folder.
  fileprivate func arrival(in folder: String) -> (uid: String, isElsewhere: Bool)? {
    guard let event = bindings.variables["event"], event["type"]?.stringValue == "mail",
      event["folder"]?.stringValue == folder, let uid = event["uid"]?.stringValue
    else { return nil }
    let other = event["provider"]?.stringValue
    return (uid, provider.map { name in other.map { $0 != name } ?? false } ?? false)
  }
}

extension Bindings {
  /// The value of a variable and the fields gone through, or of a keyword.
  fileprivate func value(of path: [String], _ isKeyword: Bool) -> Value? {
    guard let root = path.first else { return nil }
    var value = isKeyword ? keywords[root] : variables[root]
    for field in path.dropFirst() { value = value?[field] }
    return value
  }
}
