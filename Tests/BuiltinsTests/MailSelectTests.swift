import Engine
import Expressions
import Localization
import Plans
import RecipeModel
import Schemas
import Synchronization
import TestSupport
import Testing

@testable import Builtins

/// Gives made-up messages in pages.
private final class PagedStore: StepProvider {
  let count: Int
  let message: @Sendable (Int) -> ValueMap
  private let asked = Mutex<[Value]>([])

  init(_ count: Int, _ message: @escaping @Sendable (Int) -> ValueMap) {
    self.count = count
    self.message = message
  }

  var inputs: [Value] { asked.withLock { $0 } }

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    asked.withLock { $0.append(request.input) }
    guard request.action == "mail.search" else {
      throw ActionFailure(.unsupported, LocalizedText(verbatim: request.action))
    }
    let first = Int(request.input["cursor"]?.stringValue ?? "0") ?? 0
    let limit = Int(request.input["limit"]?.intValue ?? 0)
    let last = min(count, first + limit)
    let messages = (first..<last).map { number -> Value in
      var fields = message(number)
      fields["uid"] = .string("\(number)")
      fields["folder"] = "INBOX"
      return .map(fields)
    }
    return [
      "messages": .list(messages), "total": .int(Int64(count)),
      "cursor": last < count ? .string("\(last)") : .null,
    ]
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}

/// Gives what it is told, whatever it is asked.
private struct FixedStore: StepProvider {
  let answer: Value

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value { answer }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}

/// A mailbox with at most one message in each folder.
private struct FolderStore: StepProvider {
  let messages: [String: Value]

  func perform(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Value {
    let folder = request.input["folder"]?.stringValue ?? ""
    let asked = request.input["query"]?["uid"]?.listValue
    let isUnseen = request.input["unseen"]?.boolValue == true
    let found = messages[folder].map { [$0] }?.filter { message in
      (asked.map { $0.contains(message["uid"] ?? .null) } ?? true) && !(isUnseen && message["seen"] == true)
    }
    return ["messages": .list(found ?? []), "total": .int(Int64(found?.count ?? 0)), "cursor": .null]
  }

  func verify(_ request: ActionRequest, reporter: any ActionReporter) async throws(ActionFailure) -> Verdict {
    .unknown
  }
}

@Suite(.timeLimit(.minutes(10))) struct MailSelectTests {
  private static let search = ActionSignature(
    name: "mail.search", contract: "mail.store", summary: LocalizedText(verbatim: ""), effect: .read, input: .anything,
    output: .anything)

  private static func rule(_ name: String, _ condition: String?, _ actions: [String] = []) throws
    -> MessageSelection.Rule
  {
    let environment = Environment(variables: ["message": .dynamic, "inputs": .dynamic])
    var rule = MessageSelection.Rule(
      name: name, condition: try condition.map { try Expression($0, in: environment) })
    rule.actions = actions
    return rule
  }

  private static func select(
    _ rules: [MessageSelection.Rule], _ store: any StepProvider, fields: [String]? = nil,
    limit: Int64? = nil, caller: BuiltinCaller = BuiltinCaller()
  ) async throws -> Value {
    let selection = MessageSelection(search: search, rules: rules, fields: fields)
    var input: ValueMap = ["folder": "INBOX"]
    if let limit { input["limit"] = .int(limit) }
    let request = ActionRequest(
      run: RunID(rawValue: "R"), step: "found", attempt: 1, action: "mail.select", input: .map(input), key: "R.found",
      recipe: "test")
    let sorting = MessageSorting(
      selection, bindings: Bindings(variables: ["inputs": [:]], now: Timestamp(rfc3339: "2026-11-22T12:00:00Z")),
      store: store)
    return try await caller.actions.sorting(sorting).perform(request, reporter: caller.report)
  }

  private static func uids(_ output: Value, _ rule: String) -> [String] {
    output["rules"]?[rule]?["uids"]?.listValue?.compactMap(\.stringValue) ?? []
  }

  @Test func manyPagesLeaveNothingOutAndNoTextBehind() async throws {
    let store = PagedStore(20_000) { ["seen": .bool($0 % 2 == 0), "message_id": .string("<\($0)>"), "text": "secret"] }
    var take = try Self.rule("third", "int(message.uid) % 3 == 0", ["archive"])
    take.ends = true
    let output = try await Self.select(
      [take, try Self.rule("seen", "message.seen", ["flag"])], store, fields: ["message_id", "seen"])
    #expect(output["examined"] == 20_000 && output["complete"] == true)
    #expect(Self.uids(output, "third") == stride(from: 0, to: 20_000, by: 3).map(String.init))
    #expect(Self.uids(output, "seen") == stride(from: 0, to: 20_000, by: 2).filter { $0 % 3 != 0 }.map(String.init))
    let acted = Self.uids(output, "third").count + Self.uids(output, "seen").count
    #expect(output["kept"] == .int(Int64(20_000 - acted)))
    #expect(output["decisions"]?.listValue?.count == acted)
    #expect(!output.jsonString.contains("secret"))
    #expect(store.inputs.count == 20)
    #expect(store.inputs.allSatisfy { $0["fields"] == ["message_id", "seen"] && $0["limit"] == 1000 })
  }

  @Test func aConditionThatFailsKeepsOneMessage() async throws {
    let store = PagedStore(5) { number in number == 2 ? [:] : ["subject": "x"] }
    var delete = try Self.rule("x", #"message.subject == "x""#)
    delete.ends = true
    let output = try await Self.select([try Self.rule("all", nil), delete], store)
    #expect(Self.uids(output, "x") == ["0", "1", "3", "4"])
    // No rule acts on it, not even one before that which failed.
    #expect(Self.uids(output, "all") == ["0", "1", "3", "4"])
    let errors = try #require(output["errors"]?.listValue)
    #expect(errors.map { $0["uid"] } == ["2"] && errors.map { $0["rule"] } == ["x"])
    #expect(output["kept"] == 1)
  }

  @Test func rulesAreAskedInOrderUntilOneEnds() async throws {
    let store = PagedStore(1) { _ in ["flags": ["\\Seen"], "labels": ["money"], "message_id": .null] }
    var stop = try Self.rule("stop", "true", ["flag", "stop"])
    stop.ends = true
    let output = try await Self.select(
      [
        try Self.rule("no", "false"), try Self.rule("first", "1 == 2 || 1 == 1", ["copy A"]), stop,
        try Self.rule("never", nil),
      ],
      store)
    let decision = try #require(output["decisions"]?[0])
    #expect(decision["rules"] == ["first", "stop"])
    #expect(decision["actions"] == ["copy A", "flag", "stop"])
    #expect(decision["flags"] == ["\\Seen", "money"])
    #expect(Self.uids(output, "never").isEmpty)
  }

  @Test func whatARuleKeepsNoLaterRuleTakes() async throws {
    let store = PagedStore(2) { ["first": .bool($0 == 0)] }
    var keep = try Self.rule("keep", "message.first")
    keep.keeps = true
    var move = try Self.rule("move", nil)
    (move.ends, move.takes) = (true, true)
    let output = try await Self.select([keep, move, try Self.rule("flag", nil)], store)
    #expect(Self.uids(output, "move") == ["1"])
    #expect(Self.uids(output, "flag") == ["0"])
  }

  @Test func theServerIsAskedForCandidates() async throws {
    let store = PagedStore(0) { _ in [:] }
    _ = try await Self.select([try Self.rule("a", "!message.seen && message.bulk")], store)
    #expect(store.inputs.map { $0["query"] } == [["not": ["flag": "\\Seen"]]])
  }

  @Test func aLimitEndsInTheMiddleOfAPage() async throws {
    let store = PagedStore(5000) { _ in [:] }
    let output = try await Self.select([try Self.rule("a", nil)], store, fields: [], limit: 1500)
    #expect(Self.uids(output, "a").count == 1500)
    #expect(store.inputs.map { $0["limit"] } == [1000, 500])
  }

  @Test(arguments: [
    ["total": 1] as Value, ["messages": [["folder": "INBOX"]], "total": 1],
    ["messages": [], "total": 9, "cursor": "same"],
  ])
  func answersOutsideTheContractEndTheAttempt(_ answer: Value) async throws {
    await #expect(throws: ActionFailure(.protocol, LocalizedText(verbatim: ""))) {
      try await Self.select([try Self.rule("a", nil)], FixedStore(answer: answer))
    }
  }

  private static let lists: [(Value, String)] = [
    (
      ["http": ["http://x.example/1", "https://x.example/2"], "mailto": ["mailto:a@b.c"], "one_click": true],
      #"{"leave_by_request":[{"url":"https://x.example/2","uid":"0","key":"unsubscribed/test/found/news@b.co.uk"}],"leave_by_mail":[]}"#
    ),
    (
      [
        "http": ["https://x.example/2"], "mailto": ["mailto:a@out.b.co.uk?subject=leave%20me&body=x%0D%0Ay"],
        "one_click": false,
      ],
      #"""
      {"leave_by_request":[],"leave_by_mail":[{"to":"a@out.b.co.uk","subject":"leave me","text":"","uid":"0",
      "key":"unsubscribed/test/found/news@b.co.uk"}]}
      """#
    ),
    (
      ["http": [], "mailto": ["mailto:", "mailto:l@b.co.uk,m@c.d"], "one_click": false],
      #"""
      {"leave_by_request":[],"leave_by_mail":[{"to":"l@b.co.uk","subject":"unsubscribe","text":"","uid":"0",
      "key":"unsubscribed/test/found/news@b.co.uk"}]}
      """#
    ),
    // Whom the sender would have the reader write to.
    (
      ["http": [], "mailto": ["mailto:victim@other.co.uk"], "one_click": false],
      #"{"leave_by_request":[],"leave_by_mail":[]}"#
    ),
    (["http": ["http://x.example"], "mailto": [], "one_click": true], #"{"leave_by_request":[],"leave_by_mail":[]}"#),
    (.null, #"{"leave_by_request":[],"leave_by_mail":[]}"#),
  ]

  /// A message that its sender's domain has signed, as the recipient's server says.
  private static func authentic(
    _ results: String = "mx.me.example; spf=pass; dkim=pass (2048) header.d=mail.b.co.uk header.s=k1",
    covering fields: String = "From:List-Unsubscribe: List-Unsubscribe-Post"
  ) -> Value {
    [
      ["name": "Authentication-Results", "value": .string(results)],
      ["name": "DKIM-Signature", "value": .string("v=1; d=mail.b.co.uk; s=k1; h=\(fields); b=ab c=")],
    ]
  }

  private static let doubtful: [(Value, String)] = [
    ([], "has no Authentication-Results of mx.me.example"),
    // Anybody can write this one.
    (authentic("mx.evil.example; dkim=pass header.d=mail.b.co.uk"), "has no Authentication-Results of mx.me.example"),
    (authentic("mx.me.example; dkim=fail header.d=mail.b.co.uk"), "no DKIM signature of it is valid"),
    (authentic("mx.me.example; spf=pass (dkim=pass header.d=b.co.uk)"), "no DKIM signature of it is valid"),
    (authentic("mx.me.example; dkim=pass header.d=other.co.uk"), "signed neither by the sender's domain"),
    (authentic(covering: "From:Subject:List-Unsubscribe"), "does not cover List-Unsubscribe"),
    (authentic("mx.me.example; dkim=pass header.i=@b.co.uk"), "does not cover List-Unsubscribe"),
  ]

  /// RFC 8058, 4: whoever forges a sender must not have requests made.
  @Test(arguments: doubtful)
  func noRequestIsMadeForAForgedMessage(_ headers: Value, _ reason: String) async throws {
    var rule = try Self.rule("leave", nil, ["unsubscribe"])
    rule.unsubscription = UnsubscriptionPolicy(authenticators: ["mx.me.example"])
    let caller = BuiltinCaller()
    let output = try await Self.select(
      [rule],
      PagedStore(1) { _ in
        [
          "list_unsubscribe": ["http": ["https://b.co.uk/u"], "mailto": [], "one_click": true],
          "from": ["name": "", "address": "news@b.co.uk"], "headers": headers,
        ]
      }, caller: caller)
    #expect(output["rules"]?["leave"]?["leave_by_request"] == [])
    #expect(output["decisions"]?[0]?["actions"] == ["no unsubscribe"])
    #expect(caller.report.log.contains { $0.contains(reason) }, "\(caller.report.log)")
  }

  /// Without the name of the own server nobody's word counts; a message to the list's own domain still goes.
  @Test func withoutATrustedServerTheListIsLeftByMail() async throws {
    var rule = try Self.rule("leave", nil)
    rule.unsubscription = UnsubscriptionPolicy()
    let output = try await Self.select(
      [rule],
      PagedStore(1) { _ in
        [
          "list_unsubscribe": [
            "http": ["https://b.co.uk/u"], "mailto": ["mailto:leave@b.co.uk"], "one_click": true,
          ],
          "from": ["name": "", "address": "news@b.co.uk"], "headers": Self.authentic(),
        ]
      })
    #expect(output["rules"]?["leave"]?["leave_by_request"] == [])
    #expect(output["rules"]?["leave"]?["leave_by_mail"]?[0]?["to"] == "leave@b.co.uk")
  }

  @Test(arguments: lists)
  func aListIsLeftAsItAllows(_ field: Value, _ expected: String) async throws {
    var rule = try Self.rule("leave", nil)
    rule.unsubscription = UnsubscriptionPolicy(authenticators: ["mx.me.example"])
    let output = try await Self.select(
      [rule],
      PagedStore(2) { _ in
        [
          "list_unsubscribe": field, "from": ["name": "", "address": "News@b.co.uk"],
          "headers": Self.authentic(),
        ]
      })
    var found = try #require(output["rules"]?["leave"]?.mapValue)
    found["uids"] = nil
    found["elsewhere"] = nil
    #expect(Value.map(found) == (try Value(json: expected)))
  }

  // MARK: What goes out once

  private static func forwarded(_ state: [String: Value], in recipe: String? = nil) async throws -> Value {
    var surroundings = BuiltinSurroundings()
    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    for (key, value) in state { try kept.set(key, to: value, in: recipe ?? SentMessages.space(of: key)) }
    surroundings.state = kept
    var rule = try rule("boss", nil)
    rule.carried = ["uid"]
    rule.sends = [.init(word: "forward", list: "forward", mark: "forward/a@b.c")]
    let store = PagedStore(3) {
      ["message_id": .string("<\($0)>"), "date": "2026-11-20T18:30:00Z", "size": 900]
    }
    return try await select([rule], store, caller: BuiltinCaller(surroundings))
  }

  @Test func whatWasSentIsNotSentAgain() async throws {
    let first = try await Self.forwarded([:])
    let forward = first["rules"]?["boss"]?["sends"]?["forward"]
    let keys = forward?["keys"]?.listValue?.compactMap(\.stringValue) ?? []
    try #require(Set(keys).count == 3)
    let second = try await Self.forwarded([keys[1]: "sent"])
    #expect(Self.uids(second, "boss") == ["0", "1", "2"])
    #expect(
      second["rules"]?["boss"]?["sends"]?["forward"]?["messages"]?.listValue?.map { $0["uid"] } == ["0", "2"])
    #expect(second["errors"] == [])
  }

  /// Accounts come one after the other, and the same message may lie in several.
  @Test func whatTheRunHasSentFromAnotherAccountIsNotInDoubt() async throws {
    let first = try await Self.forwarded([:])
    let key = try #require(first["rules"]?["boss"]?["sends"]?["forward"]?["keys"]?[1]?.stringValue)
    let second = try await Self.forwarded([key: "R"])
    #expect(Self.uids(second, "boss") == ["0", "1", "2"])
    #expect(
      second["rules"]?["boss"]?["sends"]?["forward"]?["messages"]?.listValue?.map { $0["uid"] } == ["0", "2"])
    #expect(second["errors"] == [])
  }

  /// Nobody knows whether it has gone out: it is neither sent again nor put away as if it had been.
  @Test func whatARunBeganToSendIsLeftToAPerson() async throws {
    let first = try await Self.forwarded([:])
    let key = try #require(first["rules"]?["boss"]?["sends"]?["forward"]?["keys"]?[1]?.stringValue)
    let second = try await Self.forwarded([key: "01OTHER"])
    #expect(Self.uids(second, "boss") == ["0", "2"])
    #expect(second["errors"]?[0]?["uid"] == "1")
    #expect(second["errors"]?[0]?["error"]?.stringValue?.contains("sous answer settle 01OTHER") == true)
  }

  /// Calls an action that only filters lower to.
  private static func note(_ action: String, _ input: Value, _ surroundings: BuiltinSurroundings) async throws -> Value
  {
    let caller = BuiltinCaller(surroundings)
    let request = ActionRequest(
      run: RunID(rawValue: "R"), step: "a", attempt: 1, action: action, input: input, key: "R.a", recipe: "test")
    return try await caller.actions.perform(request, reporter: caller.report)
  }

  /// Filters of earlier versions kept their notes in the state of the recipe.
  @Test func whatAnEarlierVersionSentIsNotSentAgain() async throws {
    let first = try await Self.forwarded([:])
    let keys = first["rules"]?["boss"]?["sends"]?["forward"]?["keys"]?.listValue?.compactMap(\.stringValue) ?? []
    try #require(keys.count == 3)
    let second = try await Self.forwarded([keys[0]: "sent", keys[1]: "01OTHER"], in: "test")
    #expect(
      second["rules"]?["boss"]?["sends"]?["forward"]?["messages"]?.listValue?.map { $0["uid"] } == ["2"])
    #expect(second["errors"]?.listValue?.map { $0["uid"] } == ["1"])

    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    try kept.set("k", to: "sent", in: "test")
    var surroundings = BuiltinSurroundings()
    surroundings.state = kept
    await #expect(throws: ActionFailure.self) { _ = try await Self.note("mail.note", ["key": "k"], surroundings) }
    _ = try await Self.note("mail.note", ["key": "l"], surroundings)
    #expect(try kept.value(of: "l", in: SentMessages.space(of: "l")) == "R")
  }

  /// Three messages, two of them alike, that are copied and then moved.
  private static func copied(_ state: [String: Value]) async throws -> Value {
    var surroundings = BuiltinSurroundings()
    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    for (key, value) in state { try kept.set(key, to: value, in: SentMessages.space(of: key)) }
    surroundings.state = kept
    var rule = try rule("kept", nil)
    rule.takes = true
    rule.sends = [.init(word: "copy", list: "copy", mark: "copy/home/Kept", isBatch: true)]
    let store = PagedStore(3) {
      ["message_id": .string($0 < 2 ? "<alike>" : "<other>"), "date": "2026-11-20T18:30:00Z", "size": 900]
    }
    return try await select([rule], store, caller: BuiltinCaller(surroundings))
  }

  /// A run that was cut off between copying and moving may have copied: the next one does neither.
  @Test func whatARunBeganToCopyAndMoveIsLeftToAPerson() async throws {
    let first = try await Self.copied([:])
    let copies = first["rules"]?["kept"]?["sends"]?["copy"]
    #expect(copies?["uids"] == ["0", "1", "2"])
    let keys = copies?["keys"]?.listValue?.compactMap(\.stringValue) ?? []
    try #require(Set(keys).count == 3)
    let second = try await Self.copied([keys[2]: "01OTHER"])
    #expect(Self.uids(second, "kept") == ["0", "1"])
    #expect(second["errors"]?[0]?["uid"] == "2")
    #expect(second["errors"]?[0]?["error"]?.stringValue?.contains("sous answer settle 01OTHER") == true)
    #expect(try await Self.uids(Self.copied([keys[0]: "01OTHER"]), "kept") == ["1", "2"])
  }

  /// A step that copies several messages can fail after some: those that are in the folder are not copied again.
  @Test(arguments: [("<other>", 900), ("<mine>", 901), ("<mine>", 900)] as [(String, Int64)])
  func aCopyWhoseStepHasFailedIsMadeAgainUnlessItIsThere(id: String, size: Int64) async throws {
    func message(_ id: String, _ size: Int64) -> Value {
      ["uid": "1", "message_id": .string(id), "date": "2026-11-20T18:30:00Z", "size": .int(size)]
    }
    func copies(_ note: Value?) async throws -> Value? {
      var surroundings = BuiltinSurroundings()
      let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
      let mine = message("<mine>", 900)
      let send = MessageSelection.Sending(word: "copy", list: "copy", mark: "copy/home/Kept/Old", isBatch: true)
      let key = SentMessages.key(send, mine, leaves: true)
      if let note { try kept.set(key, to: note, in: SentMessages.space(of: key)) }
      surroundings.state = kept
      var rule = try Self.rule("kept", nil)
      rule.takes = true
      rule.sends = [send]
      let store = FolderStore(messages: ["INBOX": mine, "Kept/Old": message(id, size)])
      let output = try await Self.select([rule], store, caller: BuiltinCaller(surroundings))
      #expect(output["errors"] == [] && Self.uids(output, "kept") == ["1"])
      return output["rules"]?["kept"]?["sends"]?["copy"]?["uids"]
    }
    // Without a failure nothing is looked for: a person may have put another copy there.
    #expect(try await copies(nil) == ["1"])
    let expected: Value = id == "<mine>" && size == 900 ? [] : ["1"]
    #expect(try await copies("failed") == expected)
  }

  /// A copy is remembered until its message has left the folder, so that a move that fails copies nothing again.
  @Test func aCopyIsRememberedUntilItsMessageHasLeft() async throws {
    let first = try await Self.copied([:])
    let keys = (first["rules"]?["kept"]?["sends"]?["copy"]?["keys"]?.listValue ?? []).compactMap(\.stringValue)
    try #require(keys.count == 3)
    let second = try await Self.copied(Dictionary(uniqueKeysWithValues: keys.map { ($0, "sent") }))
    #expect(second["rules"]?["kept"]?["sends"]?["copy"]?["uids"] == [])
    #expect(Self.uids(second, "kept") == ["0", "1", "2"])

    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    var surroundings = BuiltinSurroundings()
    surroundings.state = kept
    try SentMessages.set(keys, to: "R", in: kept)
    _ = try await Self.note("mail.noted", ["keys": .list(keys.map { .string($0) }), "value": "sent"], surroundings)
    func notes() throws -> [Value?] { try keys.map { try kept.value(of: $0, in: SentMessages.space(of: $0)) } }
    #expect(try notes() == ["sent", "sent", "sent"])
    let taken: Value = [
      "uids": ["0", "2"], "results": [["uids": ["70"], "missing": ["2"]]], "to": "Kept",
    ]
    _ = try await Self.note(
      "mail.departed",
      [
        "folder": "INBOX", "provider": "home", "version": "v", "decisions": first["decisions"] ?? [],
        "taken": [taken, ["uids": ["1"], "results": [], "to": "Kept"]],
      ], surroundings)
    #expect(try notes() == [nil, "sent", nil])
  }

  /// Of several messages a run takes those that no other one is at.
  @Test func whatAnotherRunIsAtIsNotClaimed() async throws {
    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    try kept.set("b", to: "01OTHER", in: SentMessages.space(of: "b"))
    try kept.set("c", to: "sent", in: "test")
    try kept.set("d", to: "failed", in: SentMessages.space(of: "d"))
    var surroundings = BuiltinSurroundings()
    surroundings.state = kept
    let claimed = try await Self.note(
      "mail.claim",
      ["uids": ["1", "2", "3", "4", "5"], "of": ["1", "2", "3", "4", "6"], "keys": ["a", "b", "c", "d", "f"]],
      surroundings)
    #expect(claimed["uids"] == ["1", "4"])
    #expect(claimed["keys"] == ["a", "d"])
    #expect(claimed["rest"] == ["1", "4", "5"])
    #expect(try kept.value(of: "a", in: SentMessages.space(of: "a")) == "R")
    #expect(try kept.value(of: "b", in: SentMessages.space(of: "b")) == "01OTHER")
  }

  // MARK: Messages that Sous has moved

  private static let now = Timestamp(rfc3339: "2026-11-22T12:00:00Z") ?? Timestamp(seconds: 0)

  /// The new message of the event.
  private static let arrived: ValueMap = [
    "uid": "0", "folder": "INBOX", "message_id": "<1@x>", "date": "2026-11-20T18:30:00Z", "size": 900, "flags": [],
    "seen": false, "flagged": false, "answered": false,
  ]

  private static func move(
    _ from: String, _ to: String, by recipe: String, run: String = "01A", cause: MessageJourney.Move.Cause = .filter,
    version: String = "v", at: Timestamp = now, uids: (from: String, to: String) = ("", "70")
  ) -> MessageJourney.Move {
    MessageJourney.Move(
      cause, provider: "home", from: from, fromUID: uids.from, to: to, uid: uids.to, recipe: recipe, version: version,
      run: run, at: at)
  }

  /// The output of `mail.select` for the new message, by a filter `test` of INBOX.
  ///
  /// - Parameters:
  ///   - moves: The moves of the message that Sous has recorded.
  ///   - places: The folders that contain it now, with the fields that have changed.
  ///   - search: The `search` of the filter.
  private static func afterArrival(
    _ moves: [MessageJourney.Move], in places: [String: ValueMap], search wanted: ValueMap = [:],
    event: String = "mail",
    isNamed: Bool = true, arrived changes: ValueMap = [:], state: ProviderRecipeState? = nil
  ) async throws -> Value {
    var arrived = Self.arrived
    if !isNamed { arrived["message_id"] = nil }
    for (name, value) in changes.entries { arrived[name] = value }
    let kept = state ?? ProviderRecipeState(MemoryStateStore()) { _ in false }
    var surroundings = BuiltinSurroundings(time: SetTime(Self.now))
    surroundings.state = kept
    let key = try #require(MessageJourney.key(of: .map(arrived)))
    for move in moves { try MessageJourney.add([(key, move)], at: now, in: kept) }
    var rule = try rule("all", "!message.seen", ["save pdf", "move Done"])
    rule.takes = true
    rule.ends = true
    var selection = MessageSelection(
      search: search, rules: [rule], fields: ["date", "message_id", "size"])
    selection.version = "v"
    var input = wanted
    input["folder"] = "INBOX"
    let request = ActionRequest(
      run: RunID(rawValue: "R"), step: "found", attempt: 1, action: "mail.select", input: .map(input), key: "R.found",
      recipe: "test")
    let started: Value = [
      "type": .string(event), "provider": "home", "folder": "INBOX", "uid": "0", "message": .map(arrived),
    ]
    let folders = places.mapValues { fields -> Value in
      var message = arrived
      for (name, value) in fields.entries { message[name] = value }
      return .map(message)
    }
    let sorting = MessageSorting(
      selection, bindings: Bindings(variables: ["inputs": [:], "event": started], now: now),
      store: FolderStore(messages: folders), provider: "home")
    let caller = BuiltinCaller(surroundings)
    return try await caller.actions.sorting(sorting).perform(request, reporter: caller.report)
  }

  /// Another filter has moved it and marked it read: the filter judges it with its first flags and does not move it again.
  @Test func aMessageThatAnotherFilterHasMovedIsHandledInItsNewFolder() async throws {
    let output = try await Self.afterArrival(
      [Self.move("INBOX", "Bills", by: "sort"), Self.move("Bills", "Paid", by: "later")],
      in: ["Paid": ["uid": "71", "seen": true]], search: ["unseen": true])
    #expect(output["folder"] == "Paid" && output["taken_by"] == "later")
    #expect(Self.uids(output, "all") == ["71"])
    #expect(output["decisions"]?[0]?["actions"] == ["save pdf", "no move Done"])
    #expect(output["left"] == [])
  }

  @Test func aMessageWithoutMessageIDIsFoundByItsUidOrSkippedWithTheNameOfTheFilter() async throws {
    let way = [Self.move("INBOX", "Bills", by: "sort", run: "01S")]
    let found = try await Self.afterArrival(way, in: ["Bills": ["uid": "70"]], isNamed: false)
    #expect(found["folder"] == "Bills" && Self.uids(found, "all") == ["70"])
    let other = try await Self.afterArrival(way, in: ["Bills": ["uid": "71"]], isNamed: false)
    #expect(other["left"]?[0]?["recipe"] == "sort" && other["left"]?[0]?["gone"] == true && other["decisions"] == [])
  }

  @Test func aMessageThatIsGoneIsSkippedAndTheFilterThatTookItIsNamed() async throws {
    let moved = try await Self.afterArrival([Self.move("INBOX", "Bills", by: "sort", run: "01S")], in: [:])
    #expect(moved["left"]?[0]?["recipe"] == "sort" && moved["left"]?[0]?["gone"] == true)
    #expect(moved["left"]?[0]?["reason"]?.stringValue?.contains("01S") == true)
    let deleted = try await Self.afterArrival([Self.move("INBOX", "", by: "sort")], in: [:])
    #expect(deleted["left"]?[0]?["recipe"] == "sort")
    let taken = try await Self.afterArrival([], in: [:])
    #expect(taken["left"]?[0]?["gone"] == true && taken["left"]?[0]?["recipe"] == nil)
    let own = try await Self.afterArrival([Self.move("INBOX", "Bills", by: "test")], in: ["Bills": ["uid": "70"]])
    #expect(own["left"]?[0]?["recipe"] == "test" && own["decisions"] == [])
  }

  /// Another filter has marked the message: the filter judges it by the flags that it arrived with.
  @Test func theFlagsOfTheArrivalCountForEveryFilterOfTheFolder() async throws {
    for search in [[:], ["unseen": true]] as [ValueMap] {
      let marked = try await Self.afterArrival([], in: ["INBOX": ["seen": true]], search: search)
      #expect(marked["decisions"]?.listValue?.count == 1 && marked["left"] == [])
    }
    let other = try await Self.afterArrival([], in: ["INBOX": ["flagged": true]], search: ["flagged": true])
    #expect(other["decisions"] == [] && other["left"] == [])
  }

  /// Without a Message-ID the uid that the provider reported for the move counts.
  @Test func aMovedMessageWithoutMessageIDIsFoundByItsNewUID() async throws {
    let unnamed: ValueMap = ["message_id": .null]
    let moved = Self.move("INBOX", "Bills", by: "sort", uids: ("0", "70"))
    let found = try await Self.afterArrival([moved], in: ["Bills": ["uid": "70"]], arrived: unnamed)
    #expect(Self.uids(found, "all") == ["70"] && found["left"] == [])
    // A server that does not report new uids: nothing tells which message it is.
    let unknown = Self.move("INBOX", "Bills", by: "sort", uids: ("0", ""))
    let lost = try await Self.afterArrival([unknown], in: ["Bills": ["uid": "70"]], arrived: unnamed)
    #expect(lost["left"]?[0]?["failed"] == true && lost["left"]?[0]?["recipe"] == "sort")
    let failure = await #expect(throws: ActionFailure.self) {
      _ = try await Self.note("mail.result", ["left": [lost["left"] ?? []]], BuiltinSurroundings())
    }
    #expect(failure?.skipsRun == false && failure?.kind == .failed)
  }

  /// Three deliveries of one message are three messages; the moves of one do not count for another.
  @Test func equalCopiesOfAMessageAreNoCircle() async throws {
    let moves = (1...5).map { number in
      Self.move("INBOX", "Bills", by: "test", run: "R\(number)", uids: ("\(number)0", "7\(number)"))
    }
    let output = try await Self.afterArrival(moves, in: ["INBOX": [:]])
    #expect(output["errors"] == [] && Self.uids(output, "all") == ["0"])
  }

  /// What failed for a message is recorded, and a later run finds the message where another filter has moved it.
  @Test func whatIsOwedToAMessageIsDoneWhereAnotherFilterHasMovedIt() async throws {
    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    var surroundings = BuiltinSurroundings(time: SetTime(Self.now))
    surroundings.state = kept
    let key = try #require(MessageJourney.key(of: .map(Self.arrived)))
    func end(_ output: Value, failed: Value) async throws {
      _ = try await Self.note(
        "mail.departed",
        [
          "folder": "INBOX", "source": "INBOX", "provider": "home", "version": "v", "taken": [], "changes": [],
          "decisions": output["decisions"] ?? [], "settled": output["settled"] ?? [], "failed": [failed],
        ], surroundings)
    }
    func owed() throws -> [OwedMessage] {
      try OwedMessage.read(OwedMessage.place("test", "home", "INBOX"), at: Self.now, in: kept)
    }
    let first = try await Self.afterArrival([], in: ["INBOX": [:]], state: kept)
    try await end(first, failed: [["uid": "0", "rule": "all", "action": "save", "error": "full"]])
    #expect(try owed().map(\.uid) == ["0"] && owed().first?.actions == ["save"])
    // The other filter has moved it and marked it read. A run of the whole folder finds it.
    let moved = Self.move("INBOX", "Bills", by: "sort", uids: ("0", "70"))
    try MessageJourney.add([(key, moved)], at: Self.now, in: kept)
    let second = try await Self.afterArrival(
      [], in: ["Bills": ["uid": "70", "seen": true]], event: "schedule", state: kept)
    #expect(second["folder"] == "INBOX" && Self.uids(second, "all") == [])
    #expect(second["rules"]?["all"]?["elsewhere"] == [["uid": "70", "folder": "Bills"]])
    #expect(second["decisions"]?[0]?["actions"] == ["save pdf", "no move Done"])
    try await end(second, failed: [["uid": "70", "rule": "all", "action": "save", "error": "full"]])
    #expect(try owed().map(\.uid) == ["0"])
    let third = try await Self.afterArrival(
      [], in: ["Bills": ["uid": "70"]], event: "schedule", state: kept)
    try await end(third, failed: [])
    #expect(try owed().isEmpty)
    // Now it is gone: the run names the other filter and fails.
    try await end(first, failed: [["uid": "0", "rule": "all", "action": "save", "error": "full"]])
    let last = try await Self.afterArrival([], in: [:], event: "schedule", state: kept)
    #expect(last["left"]?[0]?["failed"] == true && last["left"]?[0]?["recipe"] == "sort")
    #expect(last["settled"] == ["0"])
  }

  @Test func aRunWhoseMessageIsGoneIsSkipped() async throws {
    let failure = await #expect(throws: ActionFailure.self) {
      _ = try await Self.note(
        "mail.result", ["left": [[["uid": "1", "reason": "x", "gone": true]]]], BuiltinSurroundings())
    }
    #expect(failure?.skipsRun == true && failure?.kind == .notFound)
    _ = try await Self.note("mail.result", ["left": [[["uid": "1", "reason": "x"]]]], BuiltinSurroundings())
  }

  /// The filter that moved the message does not judge it again after an undo, until the filter's file changes.
  @Test func aReturnedMessageIsJudgedByOtherFiltersAndOtherVersionsOnly() async throws {
    func decisions(_ moves: [MessageJourney.Move], event: String = "mail") async throws -> Int {
      try await Self.afterArrival(moves, in: ["INBOX": [:]], event: event)["decisions"]?.listValue?.count ?? -1
    }
    let moved = Self.move("INBOX", "Bills", by: "test")
    func back(_ recipe: String, _ version: String = "v", at: Timestamp = Self.now) -> MessageJourney.Move {
      Self.move("", "INBOX", by: recipe, run: "01U", cause: .back, version: version, at: at)
    }
    #expect(try await decisions([moved, back("test")]) == 0)
    #expect(try await decisions([moved, back("test")], event: "schedule") == 0)
    #expect(try await decisions([moved, back("other")]) == 1)
    #expect(try await decisions([moved, back("test", "old")]) == 1)
    #expect(try await decisions([moved, back("test", at: Self.now.adding(seconds: -31 * 86_400))]) == 1)
    // The end of a snooze starts no filter; a scheduled run of the folder judges the message.
    #expect(try await decisions([back("*", "")]) == 0)
    #expect(try await decisions([back("*", "")], event: "schedule") == 1)
  }

  @Test func aFilterMovesAMessageTwiceADayAndThenNamesTheCircle() async throws {
    func errors(_ moves: [MessageJourney.Move]) async throws -> [Value] {
      try await Self.afterArrival(moves, in: ["INBOX": [:]])["errors"]?.listValue ?? []
    }
    func round(_ number: Int, at: Timestamp = Self.now) -> [MessageJourney.Move] {
      [
        Self.move("INBOX", "Work", by: "test", run: "A\(number)", at: at, uids: ("0", "70")),
        Self.move("Work", "INBOX", by: "back", run: "B\(number)", at: at, uids: ("70", "0")),
      ]
    }
    #expect(try await errors(round(1)).isEmpty)
    let error = try await errors(round(1) + round(2)).first?["error"]?.stringValue
    #expect(error?.contains("back, test") == true, "\(error ?? "")")
    #expect(try await errors(round(1, at: Self.now.adding(seconds: -90_000)) + round(2)).isEmpty)
  }

  @Test func allMovesOfCopiesOfOneMessageAreRecorded() throws {
    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    let moves = (1...21).map { (key: "k", move: Self.move("INBOX", "Work", by: "test", run: "R\($0)")) }
    try MessageJourney.add(moves, at: Self.now, in: kept)
    #expect(try MessageJourney.read("k", at: Self.now, in: kept).moves.map(\.run) == moves.map(\.move.run))
  }

  // MARK: Answers to messages

  private static func reply(
    _ message: ValueMap, state: [String: Value] = [:], own: String = "me@example.com"
  ) async throws -> [Value] {
    var fields: ValueMap = [
      "message_id": "<1@x>", "subject": "Hi", "from": ["name": "A", "address": "Anna@Example.com"],
      "to": [["name": "", "address": "Me@example.com"]], "cc": [], "bulk": false, "list_id": .null,
      "references": ["<0@x>"],
    ]
    for entry in message.entries { fields[entry.key] = entry.value }
    var surroundings = BuiltinSurroundings(time: SetTime(Self.now))
    let kept = ProviderRecipeState(MemoryStateStore()) { _ in false }
    for (key, value) in state { try kept.set(key, to: value, in: SentMessages.space(of: key)) }
    surroundings.state = kept
    var rule = try rule("away", nil)
    rule.reply = AutomaticReply(addresses: [own], period: 7 * 86400)
    let messages = fields
    let output = try await select([rule], PagedStore(2) { _ in messages }, caller: BuiltinCaller(surroundings))
    return output["rules"]?["away"]?["replies"]?.listValue ?? []
  }

  /// What senders are remembered under, by the addresses that are answered for.
  private static func memory() async throws -> String {
    let key = try #require(try await reply([:]).first?["key"]?.stringValue)
    try #require(key.hasSuffix("/anna@example.com"))
    return String(key.dropLast("/anna@example.com".count))
  }

  /// Two rules answer a sender once, whatever they are called and for whichever of its messages.
  @Test func twoRulesGiveASenderOneAnswer() async throws {
    func replies(_ handles: [String?]) async throws -> [[Value]] {
      let rules = try handles.enumerated().map { number, handle in
        var rule = try Self.rule("rule_\(number)", "message.number == \(number)", ["reply"])
        rule.reply = AutomaticReply(addresses: ["me@example.com"], period: 60, handle: handle)
        return rule
      }
      let store = PagedStore(2) {
        [
          "number": .int(Int64($0)), "from": ["name": "A", "address": "anna@example.com"],
          "to": [["name": "", "address": "me@example.com"]], "cc": [], "message_id": .string("<\($0)>"),
        ]
      }
      let output = try await Self.select(rules, store)
      let shown = output["decisions"]?.listValue?.map { $0["actions"]?[0] ?? .null } ?? []
      return [shown] + rules.map { output["rules"]?[$0.name]?["replies"]?.listValue?.map { $0["uid"] ?? "" } ?? [] }
    }
    // Of two rules for one message the first answers, and the decision says so.
    for handles in [[nil, nil], ["a", "b"]] as [[String?]] {
      let both = try handles.enumerated().map { number, handle in
        var rule = try Self.rule("rule_\(number)", nil, ["flag", "reply"])
        rule.reply = AutomaticReply(addresses: ["me@example.com"], period: 60, handle: handle)
        return rule
      }
      let one = try await Self.select(
        both,
        PagedStore(1) { _ in
          [
            "from": ["name": "A", "address": "anna@example.com"], "to": [["name": "", "address": "me@example.com"]],
            "cc": [], "message_id": "<1>",
          ]
        })
      #expect(one["decisions"]?[0]?["actions"] == ["flag", "reply", "flag", "no reply"])
      #expect(one["rules"]?["rule_1"]?["replies"] == [])
    }
    #expect(try await replies([nil, nil]) == [["reply", "no reply"], ["0"], []])
    #expect(try await replies(["a", "b"]) == [["reply", "reply"], ["0"], ["1"]])
    #expect(try await replies(["a", "a"]) == [["reply", "no reply"], ["0"], []])
  }

  @Test func aSenderIsAnsweredOnce() async throws {
    let memory = try await Self.memory()
    let replies = try await Self.reply([:])
    #expect(
      replies == [
        [
          "uid": "0", "to": "anna@example.com", "subject": "Hi", "message_id": "<1@x>",
          "references": ["<0@x>", "<1@x>"],
          "key": "\(memory)/anna@example.com",
        ]
      ])
    let key = "\(memory)/anna@example.com"
    #expect(try await Self.reply([:], state: [key: "2026-11-16T12:00:00Z"]).isEmpty)
    #expect(try await Self.reply([:], state: [key: "2026-11-15T12:00:00Z"]).count == 1)
  }

  @Test(
    arguments: [
      ["bulk": true], ["list_id": "list.example.com"], ["to": [["name": "", "address": "team@example.com"]]],
      ["from": ["name": "", "address": "no-reply@example.com"]], ["from": ["name": "", "address": "me@example.com"]],
      ["from": ["name": "", "address": "MAILER-DAEMON@example.com"]],
      ["from": ["name": "", "address": "list-request@example.com"]], ["from": ["name": "", "address": ""]],
      ["headers": [["name": "Auto-Submitted", "value": "auto-generated; x=y"]]],
      ["headers": [["name": "Return-Path", "value": "<>"]]], ["headers": [["name": "Precedence", "value": "Bulk"]]],
      ["headers": [["name": "List-Post", "value": "<mailto:l@example.com>"]]],
      ["headers": [["name": "X-Auto-Response-Suppress", "value": "OOF, AutoReply"]]],
    ] as [ValueMap])
  func listsAndProgramsAreNotAnswered(_ message: ValueMap) async throws {
    #expect(try await Self.reply(message).isEmpty)
  }

  /// An answer goes to one address, whatever a sender writes.
  @Test(arguments: [
    "<bob@example.com, eve@example.com>", "bob@example.com,eve@example.com", "<bob@example.com> <eve@example.com>",
    "bob@example.com;eve@example.com", "friends:bob@example.com,eve@example.com;", "bob@example.com eve@example.com",
    "<bob@eve@example.com>", "Bob <bob@example.com>", "<@relay.example:bob@example.com>", "\"a,b\"@example.com",
    "bob@example.com\nBcc: eve@example.com", "bob@", "@example.com",
  ])
  func onlyOneAddressIsAnswered(_ path: String) async throws {
    #expect(
      try await Self.reply(["headers": [["name": "Return-Path", "value": .string(path)]]]).isEmpty, "Return-Path")
    #expect(try await Self.reply(["from": ["name": "", "address": .string(path)]]).isEmpty, "From")
  }

  /// One memory for both spellings of a domain, and one's own addresses in either.
  @Test func automaticAnswersKnowBothSpellingsOfADomain() async throws {
    func replies(_ from: String, _ to: String, own: String, state: [String: Value] = [:]) async throws -> [Value] {
      try await Self.reply(
        ["from": ["name": "", "address": .string(from)], "to": [["name": "", "address": .string(to)]]], state: state,
        own: own)
    }
    let unicode = "me@müller.example"
    let ascii = "me@xn--mller-kva.example"
    for (to, own) in [(unicode, ascii), (ascii, unicode), (unicode, "me@MÜLLER.example")] {
      #expect(try await replies("anna@example.com", to, own: own).count == 1, "\(to) \(own)")
      #expect(try await replies(to, to, own: own).isEmpty, "one's own address is not answered: \(to) \(own)")
    }
    let key = try #require(try await replies("anna@bücher.example", unicode, own: unicode).first?["key"]?.stringValue)
    #expect(
      try await replies("anna@xn--bcher-kva.example", unicode, own: unicode).first?["key"]?.stringValue == key)
  }

  @Test func theEnvelopesSenderIsAnswered() async throws {
    let replies = try await Self.reply([
      "headers": [
        ["name": "Return-Path", "value": "<Bob@Example.com>"], ["name": "auto-submitted", "value": "no"],
      ]
    ])
    #expect(replies.map { $0["to"] } == ["bob@example.com"])
  }
}
