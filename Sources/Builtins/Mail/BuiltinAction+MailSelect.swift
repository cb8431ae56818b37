import Engine
import Expressions
import Localization
import Plans

extension BuiltinAction {
  /// `mail.select`: sorts the messages of a folder by the rules of a mail filter, each by itself.
  ///
  /// It reads page by page and keeps of each message what is decided about it: memory grows by ids, not by texts. In a run
  /// that a new message has started, it deals with that message alone.
  static let mailSelect = BuiltinAction(signature: .select) { call in
    guard let sorting = call.sorting else {
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
      try await sorter.add(messages, pages.origin)
      call.reporter.progress(done: UInt64(pages.read), total: UInt64(pages.total), label: call.text("folder"))
    }
    if let arrival = pages.arrival, pages.matched == 0, pages.isWanted { try await sorter.follow(arrival, pages) }
    try await sorter.tryAgain(pages)
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
  /// - Parameter origin: The uid, flags and key of a single message; `nil` for messages of the folder.
  mutating func add(_ messages: [Value], _ origin: SelectionReport.Origin? = nil) async throws {
    var decisions: [(MessageJudge.Decision, Value)] = []
    for message in messages {
      var seen = message
      if let marks = origin?.marks, case .map(var fields) = message {
        for (name, value) in marks.entries { fields[name] = value }
        seen = .map(fields)
      }
      decisions.append((judge.decide(seen), message))
    }
    let isTaken = origin?.isTaken == true
    if !isTaken { decisions = try await journeys.adjusted(decisions, in: report.folder) }
    var sent = try await SentMessages(decisions, judge.rules, call, origin: isTaken ? origin?.uid : nil)
    try await sent.find(decisions, judge.rules, in: copies)
    for (decision, message) in decisions {
      let uid = message["uid"]?.stringValue ?? ""
      guard !uid.isEmpty else {
        throw ActionFailure(
          .protocol, .init("the provider gave a message without uid", de: "der Provider gab eine Nachricht ohne uid"))
      }
      report.add(sent.settled(decision, message, judge.rules), message, uid: uid, sent, origin: origin)
    }
  }

  /// Handles the message that started the run if it is no longer in the folder: judges it in the folder that an earlier filter
  /// has moved it to, or reports it as skipped with the reason.
  mutating func follow(_ arrival: ArrivedMessage, _ pages: MessagePages) async throws {
    guard try await !pages.isThere(arrival.uid, in: call.text("folder")) else { return }
    let id = arrival.message["message_id"] ?? .null
    switch try await trace(arrival.key, arrival.uid, id, pages) {
    case .gone(let reason, let recipe, let isFailure):
      report.skip(arrival.uid, id, reason, recipe: recipe, isGone: true, isFailure: isFailure)
    case .unwanted: report.settle(arrival.uid)
    case .own(let move):
      report.skip(
        arrival.uid, id,
        LocalizedText(
          "run \(move.run) of this filter has already moved it",
          de: "Lauf \(move.run) dieses Filters hat sie schon verschoben"), recipe: move.recipe, isGone: true)
    case .found(let message, let folder, let recipe):
      report.folder = folder
      report.takenBy = recipe
      try await add(
        [message],
        SelectionReport.Origin(uid: arrival.uid, marks: arrival.marks, isTaken: true, folder: nil, key: arrival.key))
    }
  }

  /// Judges messages again for which earlier runs of this filter could not do all, wherever filters have moved them since.
  mutating func tryAgain(_ pages: MessagePages) async throws {
    let own = call.text("folder")
    guard pages.isHere else { return }
    for owed in try await journeys.owed(in: own) where owed.uid != pages.arrival?.uid && !report.hasSeen(owed.uid) {
      var origin = SelectionReport.Origin(uid: owed.uid, marks: owed.marks, isTaken: false, folder: nil, key: owed.key)
      if try await pages.isThere(owed.uid, in: own) {
        // The steps of the filter act on one folder; the next run of the filter has the message.
        guard report.folder == own else { continue }
        if let message = try await pages.message(owed.uid, in: own) {
          try await add([message], origin)
        } else {
          report.settle(owed.uid)
        }
        continue
      }
      switch try await trace(owed.key, owed.uid, owed.messageID, pages) {
      case .gone(let reason, let recipe, _):
        report.settle(owed.uid)
        let open = owed.actions.joined(separator: ", ")
        report.skip(
          owed.uid, owed.messageID,
          reason
            + LocalizedText(
              "; run \(owed.run) has left undone: \(open)", de: "; Lauf \(owed.run) hat offen gelassen: \(open)"),
          recipe: recipe, isFailure: recipe != nil)
      case .unwanted, .own: report.settle(owed.uid)
      case .found(let message, let folder, _):
        // A uid names a message within its folder only.
        guard let uid = message["uid"]?.stringValue, !report.hasSeen(uid) else { continue }
        (origin.isTaken, origin.folder) = (true, folder)
        try await add([message], origin)
      }
    }
  }

  /// Where a message is that is not in the filter's folder any more.
  private enum Trace {
    /// It is in another folder; the filter has moved it there.
    case found(Value, folder: String, by: String)
    /// It is there, but the filter's `search` does not ask for it.
    case unwanted
    /// This filter has moved it.
    case own(MessageJourney.Move)
    /// It is not found. The filter that moved it is known, or a person took it. It is a failure if the message may be in the folder.
    case gone(reason: LocalizedText, recipe: String?, isFailure: Bool)
  }

  private func trace(
    _ key: String, _ uid: String, _ id: Value, _ pages: MessagePages
  ) async throws -> Trace {
    let own = call.text("folder")
    let way = try await journeys.way(of: key, uid: uid, from: own)
    guard let first = way.first, let last = way.last else {
      let reason =
        MessageJourney.isPlaced(key)
        ? LocalizedText(
          "it has neither Message-ID nor date, and cannot be found where it went",
          de: "ohne Message-ID und Datum lässt sie sich an ihrem neuen Ort nicht finden")
        : LocalizedText(
          "a person or another program has moved or deleted it",
          de: "jemand oder ein anderes Programm hat sie verschoben oder gelöscht")
      return .gone(
        reason: LocalizedText("it is not in \(own) any more: ", de: "sie ist nicht mehr in \(own): ") + reason,
        recipe: nil, isFailure: false)
    }
    if let move = way.first(where: { $0.recipe == call.request.recipe }) { return .own(move) }
    let by = LocalizedText(
      "filter '\(last.recipe)' (run \(last.run)) has ", de: "Filter '\(last.recipe)' (Lauf \(last.run)) hat sie ")
    guard !last.to.isEmpty else {
      let deleted = LocalizedText("deleted it permanently", de: "endgültig gelöscht")
      return .gone(reason: by + deleted, recipe: last.recipe, isFailure: false)
    }
    guard !last.uid.isEmpty || id.stringValue?.isEmpty == false else {
      return .gone(
        reason: by
          + LocalizedText(
            "moved it to \(last.to), where it cannot be found: it has no Message-ID, and the server gave no new number",
            de: "nach \(last.to) verschoben, wo sie sich nicht finden lässt: sie hat keine Message-ID, und der Server "
              + "nannte keine neue Nummer"),
        recipe: last.recipe, isFailure: true)
    }
    guard let place = try await pages.uid(of: key, id, after: last) else {
      return .gone(
        reason: by
          + LocalizedText(
            "moved it to \(last.to), but it was not found there",
            de: "nach \(last.to) verschoben, sie wurde dort aber nicht gefunden"),
        recipe: last.recipe, isFailure: false)
    }
    guard let message = try await pages.message(place, in: last.to) else { return .unwanted }
    return .found(message, folder: last.to, by: way.last { $0.recipe != call.request.recipe }?.recipe ?? first.recipe)
  }
}

/// The message whose arrival has started a run, as the event has it.
private struct ArrivedMessage {
  var uid: String
  var message: Value
  /// See ``MessageJourney/key(of:uid:in:of:)``.
  var key: String

  /// The flags and labels that it came with.
  var marks: ValueMap { OwedMessage.marks(of: message) }
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
  /// The uid, flags and key of the message that started the run; `nil` for all messages of the folder.
  var origin: SelectionReport.Origin? {
    arrival.map {
      SelectionReport.Origin(uid: $0.uid, marks: $0.marks, isTaken: false, folder: nil, key: $0.key)
    }
  }
  /// How many messages matched `search` and the rules' conditions.
  private(set) var matched = 0
  /// How many messages were read.
  private(set) var read = 0
  /// How many there are, as far as the provider says.
  private(set) var total = 0

  /// Whether `search` asks for the message that started the run, by the flags that it arrived with.
  private(set) var isWanted = true
  /// Whether the run is about this provider, or about no single message.
  private(set) var isHere = true

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
    if let arrival {
      // The flags that it arrived with count, and not those that it has by now: another filter may have changed them. So the
      // provider is asked for the message alone.
      input["query"] = ["uid": [.string(arrival.uid)]]
    } else if let query = selection.query({ tree, _ in
      tree.constantValue(now: sorting.bindings.now, sorting.bindings.value(of:_:))
    }) {
      input["query"] = query
    }
    if var fields = selection.fields {
      if selection.describes { fields = Set(fields).union(["from", "subject"]).sorted() }
      input["fields"] = .list(fields.map { .string($0) })
    }
    if !selection.headers.isEmpty { input["headers"] = .list(selection.headers.map { .string($0) }) }
    // The message came to another account than the one that this step asks.
    isHere = !isElsewhere
    isAtEnd = isElsewhere
    if let arrival, !isElsewhere {
      for (condition, mark, value) in Self.conditions {
        guard let asked = input[condition]?.boolValue, let own = arrival.message[mark]?.boolValue else { continue }
        input[condition] = nil
        if own != (asked == value) { isWanted = false }
      }
      if !isWanted { isAtEnd = true }
    }
  }

  /// The conditions of `search` on flags, each with the flag and its value if the condition is true.
  private static let conditions = [
    ("unseen", "seen", false), ("flagged", "flagged", true), ("answered", "answered", true),
  ]

  /// Fields for which a provider has to read bodies.
  private static let bodies: Set<String> = ["text", "snippet", "truncated", "html"]

  /// The next page; `nil` at the end.
  ///
  /// - Returns: The messages, and `{uid, error}` for each that the provider cannot read.
  mutating func next() async throws -> (messages: [Value], unreadable: [Value])? {
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
      // A cursor that does not advance would cause an endless loop.
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

  /// Whether a message is in a folder.
  func isThere(_ uid: String, in folder: String) async throws -> Bool {
    try await !found(["uid": [.string(uid)]], in: folder, "there").isEmpty
  }

  /// The uid of a message in the folder that a filter has moved it to: the one that the provider reported, or the one that is
  /// found by Message-ID, date and size; `nil` if the message is not there.
  func uid(
    of key: String, _ id: Value, after move: MessageJourney.Move
  ) async throws -> String? {
    // The uid contains UIDVALIDITY or is unique. Content is compared too, if the key is made of it.
    func isSame(_ message: Value) -> Bool {
      MessageJourney.isPlaced(key) || MessageJourney.key(of: message).map { $0 == key } ?? true
    }
    if !move.uid.isEmpty {
      let found = try await self.found(["uid": [.string(move.uid)]], in: move.to, "moved")
      if let uid = found.first(where: isSame)?["uid"]?.stringValue { return uid }
    }
    guard let id = id.stringValue, !id.isEmpty else { return nil }
    let found = try await self.found(
      ["header": ["name": "Message-ID", "contains": .string(id)]], in: move.to, "identified")
    return found.first { MessageJourney.key(of: $0) == key }?["uid"]?.stringValue
  }

  /// Finds messages by a query, whatever the filter's `search` says; none in a folder that does not exist.
  private func found(_ query: Value, in folder: String, _ name: String) async throws -> [Value] {
    let fields: Value = ["message_id", "date", "size"]
    let wanted: ValueMap = ["folder": .string(folder), "query": query, "fields": fields, "limit": 20]
    do {
      let answer = try await sorting.store.perform(request(wanted, name), reporter: call.reporter)
      return answer["messages"]?.listValue ?? []
    } catch {
      if error.kind == .notFound { return [] }
      throw error
    }
  }

  /// A message as the rules need it; `nil` if the filter's `search` does not ask for it. Conditions of `search` on flags do not
  /// count: other filters may have changed the flags since the message arrived.
  func message(_ uid: String, in folder: String) async throws -> Value? {
    var wanted = input
    for (condition, _, _) in Self.conditions { wanted[condition] = nil }
    wanted["cursor"] = nil
    wanted["folder"] = .string(folder)
    wanted["limit"] = 20
    wanted["query"] = ["uid": [.string(uid)]]
    let answer = try await sorting.store.perform(request(wanted, "single"), reporter: call.reporter)
    return (answer["messages"]?.listValue ?? []).first { $0["uid"]?.stringValue == uid }
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
    let message = event["message"] ?? [:]
    return (
      ArrivedMessage(
        uid: uid, message: message,
        key: MessageJourney.key(of: message, uid: uid, in: folder, of: provider ?? other ?? "")),
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
