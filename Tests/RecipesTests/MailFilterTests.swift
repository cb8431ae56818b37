import Expressions
import Localization
import Plans
import RecipePlanning
import Testing

@testable import RecipeSyntax
@testable import Schemas

private func planner() throws -> Planner {
  let work = ProviderDescription(name: "work", plugin: "imap", contracts: ["mail.store"])
  var planner = Planner.forKinds([
    "file.yaml": "inputs: { s: string }\nsteps: [{ uses: template, with: { text: x } }]\n"
  ])
  planner.providers = FakeProviders([
    work, ProviderDescription(name: "home", plugin: "maildir", contracts: ["mail.store", "mail.transport"]),
    ProviderDescription(name: "desk", plugin: "desk", contracts: ["notify"]),
  ])
  planner.catalog.insert([
    ActionSignature(
      name: "http.request", summary: .init(verbatim: ""), effect: .once, input: .anything, output: .anything,
      isBuiltin: true),
    ActionSignature(
      name: "state.set", summary: .init(verbatim: ""), effect: .idempotent, input: .anything, output: .anything,
      isBuiltin: true),
    ActionSignature(
      name: "file.save", summary: .init(verbatim: ""), effect: .idempotent, input: .anything, output: .anything,
      isBuiltin: true),
  ])
  return planner
}

private func plan(_ text: String) throws -> Plan {
  let planning = try planner().plan("kind: mail-filter\nprovider: work\n" + text)
  #expect(planning.diagnostics.isEmpty && planning.providerProblems.isEmpty, "\(planning.summary)")
  return try #require(planning.plan)
}

@Suite struct MailFilterTests {
  @Test(arguments: [
    ("save: /etc/x", true), ("save: { folder: /etc/x }", true), ("save: \"/etc/{{ message.subject }}\"", true),
    ("save: invoices", false), ("save: \"{{ message.subject }}\"", false),
    ("save: \"invoices/{{ message.subject }}\"", false),
  ])
  func aFolderOutOfReachIsReported(action: String, isReported: Bool) throws {
    var planner = try planner()
    planner.pathRefusal = { path, _ in path.hasPrefix("/etc") ? LocalizedText(verbatim: path) : nil }
    let planning = planner.plan("kind: mail-filter\nprovider: work\nrules:\n  - then: { \(action) }\n")
    #expect(planning.diagnostics.map(\.code) == (isReported ? [.pathRefused] : []), "\(planning.summary)")
  }

  @Test func onlyWhatRulesReadIsFetched() throws {
    let plan = try plan(
      """
      rules:
        - when: message.from.address.endsWith("@shop.example") && !message.seen
          then: [mark_seen, stop]
        - when: message.subject.contains("Rechnung")
          then: { run: file.yaml, with: { s: "{{ message.date }}" } }
      """)
    let selection = try #require(plan.steps[0].selection)
    #expect(selection.fields == ["date", "flags", "from", "labels", "message_id", "seen", "size", "subject"])
    #expect(selection.rules.map(\.carried) == [[], ["date", "folder", "message_id", "uid"]])
    #expect(plan.steps[0].providers == ["work"])
  }

  @Test(
    arguments: [
      ("other", "kind: mail-filter\nprovider: work\nrules: [{ then: { move: A } }]\n", true),
      ("through", "steps: [{ uses: recipe, with: { recipe: other } }]\n", true),
      ("elsewhere", "kind: mail-filter\nprovider: work\nfolder: Old\nrules: [{ then: { move: A } }]\n", false),
      ("home", "kind: mail-filter\nprovider: home\nrules: [{ then: { move: A } }]\n", false),
    ])
  func aFilterThatRunsAnotherOneOfItsFolderIsRefused(name: String, text: String, isRefused: Bool) throws {
    var files = ["other.yaml": "kind: mail-filter\nprovider: work\nrules: [{ then: { move: A } }]\n"]
    files["\(name).yaml"] = text
    var kinds = Planner.forKinds(files)
    kinds.providers = try planner().providers
    let planning = kinds.plan("kind: mail-filter\nprovider: work\nfolder: inbox\nrules:\n  - then: { run: \(name) }\n")
    #expect(planning.diagnostics.map(\.code) == (isRefused ? [.sharedFolder] : []), "\(planning.summary)")
    #expect(!isRefused || planning.diagnostics.first?.range?.start.line == 5)
  }

  @Test func aMessageAsAWholeNeedsAllOfIt() throws {
    let plan = try plan(
      "rules: [{ when: message.seen, then: { run: file.yaml, with: { s: \"{{ string(size(message)) }}\" } } }]\n")
    let selection = try #require(plan.steps[0].selection)
    #expect(selection.fields == nil)
    #expect(selection.rules.map(\.carried) == [nil])
  }

  @Test func headerFieldsAreAskedForByName() throws {
    let condition = #"message.headers.exists(h, h.name.lowerAscii() == "x-spam" && h.value == "yes")"#
    let selection = try #require(try plan("rules: [{ when: '\(condition)', then: spam }]\n").steps[0].selection)
    #expect(selection.headers == ["x-spam"])
    let planning = try planner().plan(
      "kind: mail-filter\nprovider: work\nrules: [{ when: 'size(message.headers) > 9', then: spam }]\n")
    #expect(planning.diagnostics.map(\.code) == [.invalidValue])
  }

  @Test func eachActionBecomesAStep() throws {
    let plan = try plan(
      """
      rules:
        - name: all
          then:
            - keep
            - { label: [money, work] }
            - { unlabel: new }
            - { copy: A }
            - notify
            - { notify: { title: x, text: y, priority: high } }
            - { forward: boss@example.com }
            - { reply: { addresses: [me@example.com], text: away, every: 3d } }
        - { name: u, then: unsubscribe }
        - { name: a, then: archive }
        - { name: s, then: spam }
        - { name: d, then: { delete: { permanently: true } } }
      """.replacing("- notify\n", with: "- { notify: true }\n"))
    #expect(
      plan.steps.map(\.id) == [
        "found", "all", "all_notify_noted", "all_notify", "all_notify_noted_2", "all_notify_2",
        "all_forward_noted", "all_raw", "all_forward", "all_reply_noted", "all_reply", "all_done",
        "all_flag_elsewhere", "all_copy_elsewhere_noted", "all_copy_elsewhere", "all_elsewhere_done", "all_flag",
        "all_copy_noted", "all_copy", "u",
        "u_unsubscribe_noted", "u_unsubscribe", "u_unsubscribe_noted_2", "u_unsubscribe_mail", "u_done", "a", "a_done",
        "a_archive", "s", "s_done", "s_spam", "d", "d_done", "d_delete", "result", "all_notify_sent",
        "all_notify_sent_2",
        "all_forward_sent", "all_reply_sent", "all_copy_elsewhere_sent", "all_copy_sent", "u_unsubscribe_sent",
        "u_unsubscribe_sent_2",
        "departed",
      ])
    // What fails for one message fails for no other, and nothing is sent that is not noted.
    for step in plan.steps where step.loop != nil && step.phase == .main {
      #expect(step.onError == .continue, "\(step.id)")
    }
    #expect(
      plan.steps.filter { $0.phase == .finally }.map(\.id).allSatisfy { $0.contains("_sent") || $0 == "departed" })
    let rules = try #require(plan.steps[0].selection).rules
    #expect(rules.map(\.ends) == [false, false, true, true, true])
    #expect(rules[0].keeps && rules[0].reply == AutomaticReply(addresses: ["me@example.com"], period: 3 * 86400))
    #expect(rules[0].actions.prefix(4) == ["keep", "label money", "label work", "unlabel new"])
    func step(_ id: String) throws -> PlanStep { try #require(plan.steps.first { $0.id == id }) }
    #expect(try step("all_flag").input.source["add"] == ["money", "work"])
    #expect(try step("all_flag").input.source["remove"] == ["new"])
    #expect(try step("all_flag").input.source["uids"] == "{{ steps.all_done.output.uids }}")
    #expect(try step("all_reply").input.source["headers"] == ["Auto-Submitted": "auto-replied"])
    #expect(
      try step("all_reply").loop?.items.source
        == "{{ steps.all_reply_noted.items.filter(i, i.status == 'succeeded').map(i, i.item) }}")
  }

  @Test func accountsAreFilteredOneAfterTheOther() throws {
    let planning = try planner().plan(
      "kind: mail-filter\naccounts: [work, home]\nrules: [{ name: a, when: message.seen, then: flag }]\n")
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(
      plan.steps.map(\.id) == [
        "work_found", "work_a", "work_a_flag_elsewhere", "work_a_elsewhere_done", "work_a_flag", "home_found", "home_a",
        "home_a_flag_elsewhere", "home_a_elsewhere_done", "home_a_flag", "result", "work_departed", "home_departed",
      ])
    let providers: [[String]] = [
      ["work"], [], ["work"], [], ["work"], ["home"], [], ["home"], [], ["home"], [], [], [],
    ]
    #expect(plan.steps.map(\.providers) == providers)
    #expect(
      plan.steps[6].input.source["uids"]
        == "{{ (steps.home_found.status == 'failed' ? [] : steps.home_found.output.rules.home_a.uids) }}")
  }

  @Test(arguments: [
    "accounts: [work, home]\n«provider»: work\nrules: [{ then: flag }]\n",
    "accounts: [work, «work»]\nrules: [{ then: flag }]\n",
    "rules: [{ then: [keep, «archive»] }]\n",
    "rules: [{ then: [archive, «spam»] }]\n",
    "rules: [{ then: { label: «'\\Seen'» } }]\n",
    "rules: [{ then: { reply: { addresses: [«me»], text: x } } }]\n",
    "rules: [{ then: { «reply»: { text: x } } }]\n",
    "rules: [{ then: { forward: «7» } }]\n",
    "rules: [{ then: { redirect: «7» } }]\n",
    "rules: [{ then: { label: «two words» } }]\n",
    "rules: [{ then: { label: [ok, «größer», $Junk] } }]\n",
    "rules: [{ then: { save: { folder: x, «kinds»: [a] } } }]\n",
    "«concurrency»: mine\nrules: [{ then: flag }]\n",
    "order: «first»\nrules: [{ then: flag }]\n",
  ])
  func mistakesHaveTheirPlace(_ marked: String) throws {
    let text = MarkedText("kind: mail-filter\n" + marked)
    var planner = try planner()
    planner.defaults = ["mail.store": ["work"]]
    let planning = planner.plan(text.source)
    if marked.contains("«reply»") {
      #expect(planning.diagnostics.map(\.code) == [.missingKey], "\(planning.summary)")
    } else {
      #expect(planning.diagnostics.map(\.range) == text.ranges, "\(planning.summary)")
    }
  }

  @Test(arguments: [
    "mail.select", "mail.note", "mail.noted", "mail.claim", "mail.outcome", "mail.departed", "mail.result",
  ])
  func aStepOfItsOwnCannotBeOneOfAFilters(_ action: String) throws {
    let planning = try planner().plan("steps: [{ uses: \(action), with: { folder: INBOX } }]\n")
    #expect(planning.diagnostics.map(\.code) == [.unknownAction])
  }

  @Test func attachmentsAndWholeMessagesAreFetchedWhereTheyAreNeeded() throws {
    let plan = try plan(
      """
      rules:
        - name: bills
          when: message.category == "invoice"
          then: [{ save: { folder: "bills/{{ message.from.name }}", types: [application/pdf, image/*] } }, { move: Done }]
        - { name: team, then: { redirect: { to: [a@example.com, b@example.com], from: me@example.com } } }
      """)
    let selection = try #require(plan.steps[0].selection)
    #expect(selection.rules[0].saves == ["application/pdf", "image/*"])
    #expect(selection.fields?.contains("attachments") == true && selection.fields?.contains("attachment") == false)
    #expect(selection.rules[0].carried == ["folder", "from", "message_id", "uid"])
    #expect(selection.rules[0].actions == ["save bills/{{ message.from.name }}", "move Done"])
    #expect(selection.rules[1].sends.map(\.mark) == ["redirect/a@example.com,b@example.com"])
    let redirect = try #require(plan.steps.first { $0.id == "team_redirect" })
    #expect(redirect.input.source["blob"] == "{{ steps.team_raw.items[index].output.blob }}")
    #expect(redirect.input.source["attachments"] == nil)
    let move = try #require(plan.steps.first { $0.id == "bills_move" })
    #expect(move.input.source["uids"] == "{{ steps.bills_done.output.uids }}")
  }

  /// The folder of the account decides which runs exclude each other, whatever begins them.
  @Test(arguments: [
    ("", "mail work/INBOX", 0), ("folder: inbox\n", "mail work/INBOX", 0),
    ("folder: Work\norder: -3\n", "mail work/Work", -3),
    ("inputs: { where: string }\nfolder: \"{{ inputs.where }}/new\"\n", "mail work/{{ inputs.where }}/new", 0),
  ])
  func filtersOfAFolderAreOneGroup(_ keys: String, _ group: String, _ order: Int) throws {
    let plan = try plan(keys + "rules: [{ when: message.seen, then: flag }]\n")
    let concurrency = try #require(plan.concurrency)
    #expect(concurrency.group.source.stringValue == group && concurrency.order == order)
    #expect(PlanExplanation(plan).text(in: .english).contains("\(group) (queue), order \(order)"))
    #expect(PlanExplanation(plan).value["concurrency"]?["order"] == .int(Int64(order)))
  }

  @Test func aFilterOfSeveralAccountsHasItsTurnInThatOfTheEvent() throws {
    let planning = try planner().plan(
      "kind: mail-filter\naccounts: [work, home]\nrules: [{ when: message.seen, then: { move: Old } }]\n")
    let plan = try #require(planning.plan, "\(planning.summary)")
    guard case .template(let group)? = plan.concurrency?.group else {
      Issue.record("no template")
      return
    }
    let cases: [(event: Value, name: String)] = [
      (.null, "mail work/INBOX"), (["provider": "home"], "mail home/INBOX"),
    ]
    for (event, name) in cases {
      let bindings = Bindings(variables: ["event": event], now: Timestamp(rfc3339: "2026-11-22T12:00:00Z"))
      #expect(try group.render(bindings) == .string(name))
    }
    #expect(plan.sortedFolders.map(\.provider) == ["work", "home"])
    #expect(plan.moveTargets == [MailFolder(provider: "work", name: "Old"), MailFolder(provider: "home", name: "Old")])
  }

  @Test func explainTellsWhatSearchNarrows() throws {
    let plan = try plan("search: { unseen: true }\nrules: [{ when: message.bulk, then: archive }]\n")
    let text = PlanExplanation(plan).text(in: .english)
    #expect(text.contains(#"searches by {"unseen":true}"#) && !text.contains("every message"), "\(text)")
    let both = try self.both()
    #expect(both.contains(#"searches by {"unseen":true} and {"from":"shop"}"#), "\(both)")
  }

  private func both() throws -> String {
    let plan = try plan(
      "search: { unseen: true }\nrules: [{ when: 'message.from.name == \"shop\"', then: archive }]\n")
    return PlanExplanation(plan).text(in: .english)
  }

  @Test func explainTellsWhoDecidesWhat() throws {
    let plan = try plan(
      """
      rules:
        - name: old
          when: timestamp(message.date) < now() - duration("720h") && message.category == "newsletter"
          then: archive
      """)
    let explanation = PlanExplanation(plan)
    let selection = explanation.value["steps"]?[0]?["selection"]
    #expect(selection?["query"] == ["before": #"{{now() - duration("720h")}}"#])
    #expect(selection?["fields"] == ["category", "date", "flags", "labels", "message_id", "size"])
    let text = explanation.text(in: .english)
    #expect(text.contains("searches by"))
    #expect(text.contains("category, date, flags, labels, message_id"))
  }
}

@Suite struct MessageQueryTests {
  private static func query(_ condition: String) throws -> Value? {
    let plan = try plan(
      "inputs: { boss: { type: string, default: x } }\nrules:\n  - when: >-\n      \(condition)\n    then: flag\n")
    return try #require(plan.steps[0].selection).query { tree, _ in
      tree.constantValue(now: Timestamp(rfc3339: "2026-11-22T12:00:00Z")) { path, _ in
        path == ["inputs", "boss"] ? "boss@example.com" : nil
      }
    }
  }

  @Test(arguments: [
    (#"message.from.address.contains("shop")"#, #"{"from":"shop"}"#),
    (#"message.from.address.lowerAscii() == "a@b.c""#, #"{"from":"a@b.c"}"#),
    (#"message.from.address == inputs.boss"#, #"{"from":"boss@example.com"}"#),
    (#"message.from.address in ["a@b.c", "d@e.f"]"#, #"{"or":[{"from":"a@b.c"},{"from":"d@e.f"}]}"#),
    (#"message.subject.startsWith("Re:")"#, #"{"subject":"Re:"}"#),
    (
      #"message.subject.contains("your new invoice")"#,
      #"{"and":[{"subject":"invoice"},{"subject":"your"},{"subject":"new"}]}"#
    ),
    (#"message.from.name == "Meier, Eva""#, #"{"and":[{"from":"Meier"},{"from":"Eva"}]}"#),
    ("message.seen", #"{"flag":"\\Seen"}"#),
    ("!message.flagged", #"{"not":{"flag":"\\Flagged"}}"#),
    ("message.seen == false", #"{"not":{"flag":"\\Seen"}}"#),
    ("!(message.seen && message.flagged)", #"{"not":{"and":[{"flag":"\\Seen"},{"flag":"\\Flagged"}]}}"#),
    (#"!message.seen && message.category == "invoice""#, #"{"not":{"flag":"\\Seen"}}"#),
    (#""money" in message.labels"#, #"{"flag":"money"}"#),
    (#""\\Answered" in message.flags"#, #"{"flag":"\\Answered"}"#),
    ("message.size > 1000", #"{"larger":999}"#),
    ("message.size <= 1000", #"{"smaller":1001}"#),
    ("1000 < message.size", #"{"larger":999}"#),
    (#"timestamp(message.date) > now() - duration("24h")"#, #"{"since":"2026-11-21T11:59:59Z"}"#),
    (
      #"timestamp(message.received) < timestamp("2026-01-01T00:00:00Z")"#,
      #"{"received_before":"2026-01-01T00:00:01Z"}"#
    ),
    (#"message.to.exists(a, a.address == "me@b.c")"#, #"{"to":"me@b.c"}"#),
    ("message.list_id != null", #"{"header":{"name":"List-Id"}}"#),
    (#"message.subject.contains("x") || message.from.name == "Y""#, #"{"or":[{"subject":"x"},{"from":"Y"}]}"#),
    (#"message.headers.exists(h, h.name == "List-Id")"#, #"{"header":{"name":"List-Id"}}"#),
    (
      #"message.headers.exists(h, h.name.lowerAscii() == "x-spam" && h.value.lowerAscii().startsWith("yes"))"#,
      #"{"header":{"name":"x-spam","contains":"yes"}}"#
    ),
    (
      #"message.headers.exists(h, h.value.contains("long word") && (h.name == "A" || h.name == "B"))"#,
      #"""
      {"or":[{"and":[{"header":{"name":"A","contains":"long"}},{"header":{"name":"A","contains":"word"}}]},
      {"and":[{"header":{"name":"B","contains":"long"}},{"header":{"name":"B","contains":"word"}}]}]}
      """#
    ),
    (
      #"message.headers.exists(h, (h.name == "A" || h.name == "B") && (h.value == "c" || h.value.endsWith("d")))"#,
      #"""
      {"or":[{"header":{"name":"A","contains":"c"}},{"header":{"name":"A","contains":"d"}},
      {"header":{"name":"B","contains":"c"}},{"header":{"name":"B","contains":"d"}}]}
      """#
    ),
    (
      #"message.headers.exists(h, h.name == "A" && h.value == "c" || h.name == "B")"#,
      #"{"or":[{"header":{"name":"A","contains":"c"}},{"header":{"name":"B"}}]}"#
    ),
    (
      #"message.headers.exists(h, h.name == "A" && h.value.contains("<list.example>"))"#,
      #"{"header":{"name":"A","contains":"list.example"}}"#
    ),
    // What a server cannot be asked for is left to the condition.
    (#"message.headers.exists(h, h.name == "A" && h.value.matches("a|b"))"#, #"{"header":{"name":"A"}}"#),
    (#"message.headers.exists(h, h.name == "A" && h.value in ["", "x"])"#, #"{"header":{"name":"A"}}"#),
    (#"message.headers.exists(h, h.name == "A" && !(h.value == "x"))"#, #"{"header":{"name":"A"}}"#),
    ("false", #"{"not":{"all":true}}"#),
  ])
  func whatAServerCanSearchBy(_ condition: String, _ expected: String) throws {
    let query = try Self.query(condition)
    #expect(query == (try Value(json: expected)), "\(query?.jsonString ?? "")")
  }

  /// The server would find fewer than the condition is for, or knows nothing of what it asks.
  @Test(arguments: [
    "true", #"message.category == "newsletter""#, "message.bulk", #"!message.subject.contains("x")"#,
    #"message.subject != "x""#, #"message.subject.matches("a|b")"#, #"message.text.contains("x")"#,
    #"message.seen || message.bulk"#, #"message.from.address.contains("ü")"#, #"message.from.address.contains("")"#,
    #"!(message.seen && message.subject.contains("x"))"#, "size(message.to) > 3",
    #"!message.to.exists(a, a.address == "me@b.c")"#, #"message.to.all(a, a.address == "me@b.c")"#,
    #"message.from.address == message.subject"#, #"!message.headers.exists(h, h.name == "A")"#,
    #"message.headers.exists(h, h.name == "A" || h.value == "x")"#, #"message.headers.all(h, h.name == "A")"#,
    #"message.headers.exists(h, h.name == "A b")"#,
  ])
  func whatIsDecidedHereAlone(_ condition: String) throws {
    #expect(try Self.query(condition) == nil)
  }

  @Test func oneRuleForAllMessagesAsksForAll() throws {
    let plan = try plan("rules: [{ when: message.seen, then: flag }, { then: unflag }]\n")
    #expect(try #require(plan.steps[0].selection).query { _, _ in nil } == nil)
  }
}
