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
    var sorter = MessageSorter(call, sorting)
    while let (messages, unreadable) = try await pages.next() {
      for message in unreadable { sorter.report.add(unreadable: message) }
      try await sorter.add(messages)
      call.reporter.progress(done: UInt64(pages.read), total: UInt64(pages.total), label: call.text("folder"))
    }
    if let arrival = pages.arrival, pages.matched == 0 { try await sorter.follow(arrival, pages) }
    sorter.report.isComplete = pages.isComplete
    try await sorter.report.settle(call)
    return sorter.report.value
  }
}

/// Decides about messages and collects the decisions.
private struct MessageSorter {
  private let call: BuiltinCall
  private let journeys: MessageJourneys
  private let copies: CopiedMessages
  private var judge: MessageJudge
  var report: SelectionReport

  init(_ call: BuiltinCall, _ sorting: MessageSorting) {
    self.call = call
    journeys = MessageJourneys(call, sorting)
    copies = CopiedMessages(call, sorting)
    judge = MessageJudge(sorting.selection, sorting.bindings)
    report = SelectionReport(
      sorting.selection, folder: call.text("folder"), provider: sorting.provider,
      account: "\(call.request.recipe)/\(call.request.step)")
  }

  /// Decides about messages.
  ///
  /// - Parameter marks: The flags and labels that conditions see; `nil` for the messages' own.
  mutating func add(_ messages: [Value], marks: ValueMap? = nil) async throws(ActionFailure) {
    var decisions: [(MessageJudge.Decision, Value)] = []
    for message in messages {
      var seen = message
      if let marks, case .map(var fields) = message {
        for (name, value) in marks.entries { fields[name] = value }
        seen = .map(fields)
      }
      decisions.append((judge.decide(seen), message))
    }
    let isTaken = report.takenBy != nil
    if !isTaken { decisions = try await journeys.adjusted(decisions, in: report.folder) }
    var sent = try await SentMessages(decisions, judge.rules, call, isTaken: isTaken)
    try await sent.find(decisions, judge.rules, in: copies)
    for (decision, message) in decisions {
      let uid = message["uid"]?.stringValue ?? ""
      guard !uid.isEmpty else {
        throw ActionFailure(
          .protocol, .init("the provider gave a message without uid", de: "der Provider gab eine Nachricht ohne uid"))
      }
      report.add(sent.settled(decision, message, judge.rules), message, uid: uid, sent)
    }
  }

  /// Handles the message that started the run if it is no longer in the folder: judges it where an earlier filter has moved it,
  /// or reports it as skipped with the reason.
  mutating func follow(_ arrival: ArrivedMessage, _ pages: MessagePages) async throws(ActionFailure) {
    guard try await !pages.isThere(arrival) else { return }
    let way = try await journeys.way(of: arrival.message, from: report.folder)
    let id = arrival.message["message_id"] ?? .null
    guard let first = way.first, let last = way.last else {
      let reason =
        MessageJourney.key(of: arrival.message) == nil
        ? "it has neither Message-ID nor date, and cannot be found where it went"
        : "a person or another program has moved or deleted it"
      return report.skip(
        arrival.uid, id, "it is not in \(report.folder) any more: \(reason)", recipe: nil, isGone: true)
    }
    let recipe = way.last { $0.recipe != call.request.recipe }?.recipe ?? first.recipe
    if let own = way.first(where: { $0.recipe == call.request.recipe }) {
      return report.skip(
        arrival.uid, id, "run \(own.run) of this filter has already moved it", recipe: own.recipe, isGone: true)
    }
    guard let found = try await pages.find(arrival, last) else {
      let isNamed = !last.uid.isEmpty || arrival.message["message_id"]?.stringValue?.isEmpty == false
      let place =
        last.to.isEmpty
        ? "deleted it permanently"
        : isNamed
          ? "moved it to \(last.to), where it is not found"
          : "moved it to \(last.to), where it cannot be found: it has no Message-ID, and the server gave no new number"
      return report.skip(
        arrival.uid, id, "filter '\(last.recipe)' (run \(last.run)) has \(place)", recipe: last.recipe, isGone: true)
    }
    report.folder = last.to
    report.takenBy = recipe
    try await add([found], marks: arrival.marks)
  }
}

/// The message whose arrival has started a run, as the event has it.
private struct ArrivedMessage {
  var uid: String
  var message: Value

  /// The flags and labels that it came with.
  var marks: ValueMap {
    var marks = ValueMap()
    for name in ["flags", "labels", "seen", "flagged", "answered"] {
      if let value = message[name] { marks[name] = value }
    }
    return marks
  }
}

/// Asks a provider for the messages of a folder, page by page.
private struct MessagePages {
  /// Messages of a page; with texts a page takes up to 13 MB.
  private static let size = 200
  /// Without texts.
  private static let sizeOfHeaders = 1000
  /// Seconds a provider may take for a page.
  private static let longestAnswer = 300.0

  private let call: BuiltinCall
  private let sorting: MessageSorting
  private var input: ValueMap
  private let limit: Int
  private let pageSize: Int
  private var isAtEnd = false
  private var number = 0
  /// The only message to judge; `nil` for all of the folder, or for none.
  let arrival: ArrivedMessage?
  private var only: String? { arrival?.uid }
  /// How many messages matched `search` and the rules' conditions.
  private(set) var matched = 0
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
    let (arrival, isElsewhere) = sorting.arrival(in: call.text("folder"))
    self.arrival = isElsewhere ? nil : arrival
    let asked = call.input["limit"]?.intValue.map { max(1, Int(clamping: $0)) }
    limit = asked ?? .max
    let readsTexts = selection.fields.map { !$0.allSatisfy { !Self.bodies.contains($0) } } ?? true
    pageSize = readsTexts ? Self.size : Self.sizeOfHeaders
    if let query = selection.query({ tree, _ in
      tree.constantValue(now: sorting.bindings.now, sorting.bindings.value(of:_:))
    }) {
      input["query"] = query
    }
    if let arrival {
      let own: Value = ["uid": [.string(arrival.uid)]]
      input["query"] = input["query"].map { ["and": [own, $0]] } ?? own
    }
    if var fields = selection.fields {
      if selection.describes { fields = Set(fields).union(["from", "subject"]).sorted() }
      input["fields"] = .list(fields.map { .string($0) })
    }
    if !selection.headers.isEmpty { input["headers"] = .list(selection.headers.map { .string($0) }) }
    // The message came to another account than the one that this step asks.
    isAtEnd = isElsewhere
  }

  /// Fields for which a provider has to read bodies.
  private static let bodies: Set<String> = ["text", "snippet", "truncated", "html"]

  /// The next page; `nil` at the end.
  ///
  /// - Returns: The messages, and `{uid, error}` for each that the provider cannot read.
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
    if let cursor {
      // A cursor that stands still would lead round in a circle.
      guard input["cursor"] != .string(cursor) else {
        throw ActionFailure(
          .protocol, .init("the provider gave the same page twice", de: "der Provider gab dieselbe Seite zweimal"))
      }
      input["cursor"] = .string(cursor)
    } else {
      isAtEnd = true
    }
    if let only {
      unreadable = unreadable.filter { $0["uid"]?.stringValue == only }
    }
    let wanted = only.map { uid in messages.filter { $0["uid"]?.stringValue == uid } } ?? messages
    matched += wanted.count + unreadable.count
    return (wanted, unreadable)
  }

  /// Whether the message that started the run is in the folder.
  func isThere(_ arrival: ArrivedMessage) async throws(ActionFailure) -> Bool {
    let answer = try await sorting.store.perform(
      request(
        [
          "folder": .string(call.text("folder")), "query": ["uid": [.string(arrival.uid)]], "fields": ["message_id"],
          "limit": 1,
        ], "there"), reporter: call.reporter)
    return answer["messages"]?.listValue?.isEmpty == false
  }

  /// The message that started the run, in the folder that a filter has moved it to; `nil` if it is not there or does not match
  /// the filter's `search`.
  func find(_ arrival: ArrivedMessage, _ move: MessageJourney.Move) async throws(ActionFailure) -> Value? {
    guard !move.to.isEmpty, let key = MessageJourney.key(of: arrival.message) else { return nil }
    // By the uid that the provider gave it there; a message that was moved on by hand and back has another one.
    var queries: [Value] = move.uid.isEmpty ? [] : [["uid": [.string(move.uid)]]]
    if let id = arrival.message["message_id"]?.stringValue, !id.isEmpty {
      queries.append(["header": ["name": "Message-ID", "contains": .string(id)]])
    }
    var wanted = call.input.mapValue ?? [:]
    // The flags that it arrived with count: the other filter may have changed them.
    for (condition, mark, value) in [
      ("unseen", "seen", false), ("flagged", "flagged", true), ("answered", "answered", true),
    ] {
      guard let asked = wanted[condition]?.boolValue else { continue }
      if arrival.message[mark]?.boolValue != (asked == value) { return nil }
      wanted[condition] = nil
    }
    wanted["folder"] = .string(move.to)
    wanted["limit"] = 20
    for name in ["fields", "headers"] { wanted[name] = input[name] }
    for (number, query) in queries.enumerated() {
      wanted["query"] = query
      let answer: Value
      do throws(ActionFailure) {
        answer = try await sorting.store.perform(request(wanted, "moved.\(number)"), reporter: call.reporter)
      } catch {
        // The folder or the uid is gone.
        if error.kind == .notFound { continue }
        throw error
      }
      let found = answer["messages"]?.listValue?.first { MessageJourney.key(of: $0) == key }
      if let found { return found }
    }
    return nil
  }

  private var request: ActionRequest { request(input, "\(number)") }

  private func request(_ input: ValueMap, _ name: String) -> ActionRequest {
    ActionRequest(
      run: call.request.run, step: call.request.step, item: call.request.item, attempt: call.request.attempt,
      action: sorting.selection.search.name, input: .map(input), key: "\(call.request.key).page.\(name)",
      timeout: min(call.request.timeout ?? Self.longestAnswer, Self.longestAnswer), recipe: call.request.recipe,
      recipePath: call.request.recipePath)
  }
}

extension MessageSorting {
  /// The message whose arrival has started the run (`nil` for a run over the whole folder), and whether it came to another
  /// provider than the one that this step asks.
  fileprivate func arrival(in folder: String) -> (message: ArrivedMessage?, isElsewhere: Bool) {
    guard let event = bindings.variables["event"], event["type"]?.stringValue == "mail",
      event["folder"]?.stringValue == folder, let uid = event["uid"]?.stringValue
    else { return (nil, false) }
    let other = event["provider"]?.stringValue
    return (
      ArrivedMessage(uid: uid, message: event["message"] ?? [:]),
      provider.map { name in other.map { $0 != name } ?? false } ?? false
    )
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
