import Expressions
import Plans
import RecipePlanning
import RecipeSyntax
import Testing

/// Recipes that stand in memory.
struct RecipesInMemory: RecipeSource {
  var files: [String: String]

  func text(_ path: String) throws(Diagnostic) -> SourceText? {
    files[path].map { SourceText(path: path, text: $0) }
  }
}

extension Planner {
  /// A planner with providers for everything that kinds lower to.
  static func forKinds(_ files: [String: String] = [:]) -> Planner {
    var planner = Planner.standard(
      FakeProviders([
        ProviderDescription(name: "home", plugin: "maildir", contracts: ["mail.store", "mail.transport"]),
        ProviderDescription(name: "work", plugin: "imap", contracts: ["mail.store"]),
        ProviderDescription(name: "local", plugin: "ollama", contracts: ["chat"]),
        ProviderDescription(name: "gpt", plugin: "openai", contracts: ["chat"]),
        ProviderDescription(name: "desk", plugin: "desk", contracts: ["notes", "notify"]),
      ]))
    planner.recipes = RecipesInMemory(files: files)
    return planner
  }
}

private func plan(_ text: String, _ files: [String: String] = [:]) throws -> Plan {
  let planning = Planner.forKinds(files).plan(text)
  #expect(planning.diagnostics.isEmpty && planning.providerProblems.isEmpty, "\(planning.summary)")
  return try #require(planning.plan)
}

@Suite struct KindTests {
  @Test func aChainAsksOnePromptAfterTheOther() throws {
    let plan = try plan(
      """
      kind: chain                       # pre-prompt chain
      name: protokoll
      input: { type: string, description: raw transcript }
      prompts:
        - use: notes/correction         # removes filler words, keeps content
        - use: notes/protocol
          provider: [local, gpt]
        - prompt: "Translate to {{ Sprache }}:\\n\\n{{ previous }}"
          keywords: { Sprache: Englisch }
      save: { note: "{{ result }}", category: Protokoll, tags: [voice] }
      """)
    #expect(plan.kind == "chain")
    #expect(plan.steps.map(\.id) == ["prompt_1", "prompt_2", "prompt_3", "save"])
    #expect(plan.steps.map(\.action.name) == ["chat.complete", "chat.complete", "chat.complete", "note.save"])
    #expect(plan.steps.map(\.providers) == [["local"], ["local", "gpt"], ["local"], ["desk"]])
    #expect(plan.steps.map { $0.variables.map(\.name) } == [["previous"], ["previous"], ["previous"], ["result"]])
    #expect(plan.inputs.map(\.name) == ["input"])
    #expect(plan.outputs.map(\.name) == ["result"])
  }

  @Test func aMailFilterSearchesAndActsRuleByRule() throws {
    let plan = try plan(
      """
      kind: mail-filter
      name: tidy
      provider: work
      folder: INBOX
      on: [ { mail: new } ]
      rules:
        - name: newsletters
          when: message.bulk && !message.from.address.endsWith("@example.com")
          then: [ { move: Newsletters }, mark_seen, stop ]
        - name: invoices
          when: message.subject.matches("(?i)rechnung|invoice") || message.attachments.exists(a, a.type == "application/pdf")
          then: [ flag, { run: file-invoice, with: { uid: "{{ message.uid }}" } } ]
      """,
      [
        "file-invoice.yaml":
          "inputs: { uid: string }\nsteps: [{ uses: template, with: { text: '{{ inputs.uid }}' } }]\n"
      ])
    #expect(
      plan.steps.map(\.id) == [
        "found", "newsletters", "newsletters_flag_elsewhere", "newsletters_elsewhere_done", "newsletters_flag",
        "newsletters_move", "invoices", "invoices_run_noted", "invoices_run", "invoices_done",
        "invoices_flag_elsewhere", "invoices_elsewhere_done", "invoices_flag", "result", "invoices_run_sent",
        "departed",
      ])
    #expect(plan.steps[0].providers == ["work"])
    #expect(plan.steps[8].child?.path == "file-invoice.yaml")
    #expect(plan.steps[8].loop?.variable == "message")
    guard case .mail(let event)? = plan.triggers.first?.kind else {
      Issue.record("no trigger")
      return
    }
    #expect(event.provider == "work" && event.folder == "INBOX")
  }

  @Test func aReminderIsDeliveredEachWay() throws {
    let plan = try plan(
      """
      kind: reminder
      name: steuer
      keywords: { Anrede: Du }
      text: "Steuererklärung, {{ Anrede }}!"
      on: [ { schedule: { rrule: "FREQ=MONTHLY;BYDAY=-1FR", at: "09:00", timezone: Europe/Zurich } } ]
      deliver: [ { mail: me@example.com }, { command: [notify-send, "{{ text }}"] } ]
      repeat: { every: 1h, until: acknowledged }
      """)
    #expect(
      plan.steps.map(\.action.name) == [
        "reminder.plan", "until", "wait_for", "reminder.text", "mail.send", "notify.command", "reminder.next",
        "reminder.result",
      ])
    // Each delivery by itself, right after the text; what comes next is queued after both.
    let text = try #require(plan.steps.firstIndex { $0.id == "text" })
    #expect(plan.steps.filter { ["mail", "command"].contains($0.id) }.map(\.needs) == [[text], [text]])
    #expect(try Set(#require(plan.steps.first { $0.id == "next" }).needs) == [text, text + 1, text + 2])
    #expect(plan.repetition == Plan.Repetition(every: 3600))
    #expect(plan.triggers.count == 1)
  }

  @Test func aDeliveryIsTriedOtherwiseWhereItFails() throws {
    let plan = try plan(
      """
      kind: reminder
      text: x
      deliver:
        - mail: me@example.com
          otherwise: [{ notify: true }, { command: [say] }]
      """)
    let ways = plan.steps.filter { ["mail", "notify", "command"].contains($0.id) }
    #expect(ways.map(\.id) == ["mail", "notify", "command"])
    #expect(
      ways.map { $0.condition?.source.contains("status == 'failed'") } == [false, true, true],
      "\(ways.map(\.condition))")
    #expect(plan.steps.map(\.id).last == "result")
    #expect(!plan.steps.contains { $0.id == "next" })
  }

  @Test func aReminderKnowsItsTimes() throws {
    let plan = try plan(
      """
      kind: reminder
      text: x
      at: 2027-01-01T08:00 Europe/Zurich
      lead: [2h, 1d, 2h]
      """)
    var reminding = Plan.Reminding()
    reminding.at = Timestamp(rfc3339: "2027-01-01T07:00:00Z")
    reminding.leads = [86_400, 7200]
    #expect(plan.reminding == reminding)
    // Without `deliver` it is a notification.
    #expect(plan.steps.contains { $0.action.name == "notify.send" })
    #expect(plan.steps.contains { $0.action.name == "reminder.next" })
  }

  @Test func aSendKnowsItsTime() throws {
    let plan = try plan(
      """
      kind: send
      name: new-year
      send_at: 2027-01-01T08:00 Europe/Zurich
      undo_for: 10m
      mail: { from: me@example.com, to: [team@example.com], subject: "Happy new year", text: "…", attachments: [plan.pdf] }
      """)
    let time = try #require(Timestamp(rfc3339: "2027-01-01T07:00:00Z"))
    #expect(plan.dispatch == Plan.Dispatch(time: time, timezone: "Europe/Zurich", undoFor: 600))
    #expect(plan.steps.map(\.id) == ["due", "wait", "turn", "confirm", "slot", "check", "ask", "delay", "send"])
    #expect(plan.steps.map(\.needs) == [[]] + (0..<8).map { [$0] })
    guard case .literal(let due)? = plan.steps.first?.input else {
      Issue.record("the time is not literal")
      return
    }
    #expect(due == ["at": "2027-01-01T07:00:00Z", "undo_for": 600.0])
    guard case .literal(let input)? = plan.steps.last?.input else {
      Issue.record("the message is not literal")
      return
    }
    #expect(input["attachments"] == [["path": "plan.pdf"]])
  }

  @Test(arguments: [
    ("send_at: 2027-02-30T08:00 Europe/Zurich", "invalid_value"),
    ("send_at: 2027-01-01T08:00 Europe/Zürich", "invalid_value"), ("send_at: 2027-01-01T08:00", "invalid_value"),
    ("send_at: 2027-01-01T08:00 Europe/Zurihc", "invalid_value"), ("send_at: when it suits", "invalid_value"),
    ("send_at: every Monday at 8", "invalid_value"),
    ("undo_for: 10 minutes", "invalid_duration"),
  ])
  func aTimeThatDoesNotExistIsRefused(_ line: String, _ code: String) {
    let planning = Planner.forKinds().plan(
      "kind: send\n\(line)\nmail: { to: a@b.c, subject: s, text: t }\n")
    #expect(planning.diagnostics.map(\.code.rawValue) == [code], "\(planning.summary)")
  }

  @Test(arguments: ["tomorrow at 8", "morgen um 8", "{{ inputs.when }}"])
  func aTimeInWordsIsReadWhenItIsRun(_ text: String) throws {
    let plan = try plan(
      "kind: send\ninputs: { when: string }\nsend_at: \"\(text)\"\nmail: { to: a@b.c, subject: s, text: t }\n")
    #expect(plan.dispatch?.time == nil)
    #expect(plan.dispatch?.phrase == (text.contains("{") ? nil : text))
  }

  @Test func aMessageMayComeFromOneExpression() throws {
    let plan = try plan(
      "kind: send\ninputs: { message: { type: object } }\nmail: \"{{ inputs.message }}\"\n")
    guard case .template? = plan.steps.last?.input else {
      Issue.record("the message is not the expression")
      return
    }
    #expect(
      plan.steps.last?.retry
        == RetryPolicy(attempts: 3, backoff: 30, factor: 2, maximum: 600, jitter: 0, outage: 86_400))
  }

  @Test func aTimeThatAClockChangeLeavesOutIsTheSameEverywhere() throws {
    let meant = Timestamp(rfc3339: "2027-03-28T01:30:00Z")
    let send = Planner.forKinds().plan(
      "kind: send\nsend_at: 2027-03-28T02:30 Europe/Zurich\nmail: { to: a@b.c, subject: s, text: t }\n")
    #expect(send.diagnostics.map(\.severity) == [.warning])
    #expect(send.plan?.dispatch?.time == meant)
    let reminder = Planner.forKinds().plan("kind: reminder\ntext: x\nat: 2027-03-28T02:30 Europe/Zurich\n")
    #expect(!reminder.hasErrors && reminder.plan?.reminding?.at == meant)
  }

  @Test func aTimeThatComesTwiceIsTheFirst() throws {
    let planning = Planner.forKinds().plan(
      "kind: send\nsend_at: 2027-10-31T02:30 Europe/Zurich\nmail: { to: a@b.c, subject: s, text: t }\n")
    #expect(planning.diagnostics.map(\.severity) == [.warning])
    #expect(planning.plan?.dispatch?.time == Timestamp(rfc3339: "2027-10-31T00:30:00Z"))
  }

  @Test(arguments: [
    "kind: mail-filter\nrules:\n  - when: message.«subjct» == 'x'\n    then: flag\n",
    "kind: mail-filter\nrules:\n  - when: «message.size»\n    then: flag\n",
    "kind: mail-filter\nrules:\n  - when: \"{{ message.«subjct» == 'x' }}\"\n    then: [flag]\n",
    "kind: mail-filter\nrules:\n  - then: [«flagg»]\n",
    "kind: mail-filter\nrules:\n  - then: [stop, «flag»]\n",
    "kind: mail-filter\nrules:\n  - then: [{ move: A }, { «move»: B }]\n",
    "kind: mail-filter\nfolder: \"{{ inputs.«foldr» }}\"\nrules:\n  - then: [flag, { copy: A }]\n",
    "kind: mail-filter\nrules:\n  - then: [{ run: «nothing» }]\n",
    "kind: mail-filter\nrules:\n  - then: [mark_seen, flag, «mark_unseen»]\n",
    "kind: mail-filter\nrules:\n  - then: [unflag, «flag», stop]\n",
    "kind: mail-filter\nrules:\n  - then: [delete, «mark_seen», «{ copy: A }», stop]\n",
    "kind: mail-filter\nrules:\n  - then: [{ delete: { permanently: true } }, «flag»]\n",
    "kind: mail-filter\nrules:\n  - { name: a, then: flag }\n  - { name: b, then: flag }\n"
      + "  - { name: «a», then: flag }\n",
    "kind: reminder\ntext: x\ndeliver: [{ mail: «me» }, { mail: [a@b.c, «\"@c\"»] }, { mail: { to: «me@» } }]\n",
    "kind: reminder\ntext: x\ndeliver: { mail: \"{{ recipe.name }}\" }\n",
    "kind: send\nmail: { from: «me», to: «a b@c.d», cc: [a@b.c], bcc: «x», subject: s, text: t }\n",
    "kind: chain\nprompts:\n  - prompt: \"{{ «previous» }}\"\n",
    "kind: chain\ninput: string\nprompts:\n  - use: «notes/corection»\n  - prompt: \"{{ previous.«foo»() }}\"\n",
    "kind: chain\nprompts:\n  - { use: notes/correction, «prompt»: x }\n",
    "kind: reminder\ntext: x\ndeliver:\n  - { mail: a@b.c, «command»: [x] }\n",
    "kind: reminder\ntext: \"{{ «Anrede» }}\"\ndeliver: { command: [say, \"{{ «txt» }}\"] }\n",
    "kind: reminder\ntext: x\ndeliver: { command: [say] }\nrepeat: { every: 1h, until: «never» }\n",
    "kind: reminder\ntext: x\nat: «tomorrow»\ndeliver: { command: [say] }\n",
    "kind: reminder\ntext: x\nlead: «[1d]»\n",
    "kind: reminder\ntext: x\ndeliver: { command: [say], otherwise: { «comand»: [say] } }\n",
    "kind: reminder\ntext: x\ndeliver: { command: [say], otherwise: «{ otherwise: { command: [x] } }» }\n",
    "kind: send\nmail: { to: a@b.c, subject: s, text: t, «atachments»: [] }\n",
  ])
  func everyMistakeHasItsPlace(_ marked: String) {
    let text = MarkedText(marked)
    let planning = Planner.forKinds().plan(text.source)
    #expect(planning.diagnostics.map(\.range) == text.ranges, "\(planning.summary)")
  }

  @Test func contradictionsOfARuleNameBothPlaces() {
    let text = MarkedText(
      """
      kind: mail-filter
      rules:
        - name: «one»
          then: [«mark_seen», mark_unseen]
        - then: [«stop», flag]
        - then: [«delete», flag]
        - name: one
          then: flag

      """)
    let planning = Planner.forKinds().plan(text.source)
    let related = planning.diagnostics.flatMap(\.related).map(\.range)
    #expect(Set(related.map(\.start.offset)) == Set(text.ranges.map(\.start.offset)), "\(planning.summary)")
    #expect(planning.diagnostics.map(\.severity) == [.error, .error, .warning, .warning], "\(planning.summary)")
  }

  @Test(arguments: [
    "kind: chain\nprompts: [{ prompt: x }]\n«save»: { title: y, note: \"{{ result }}\" }\n",
    "kind: reminder\ntext: x\ndeliver:\n  - { mail: a@b.c }\n  - { «notify»: true }\n",
    "steps: [{ uses: «note.save», with: { text: x } }]\n",
  ])
  func whatNobodyProvidesHasAPlace(_ marked: String) {
    let text = MarkedText(marked)
    let planning = Planner.standard().plan(text.source)
    #expect(planning.diagnostics.isEmpty && planning.plan == nil, "\(planning.summary)")
    #expect(planning.providerProblems.map(\.code) == [.noneForContract])
    #expect(planning.providerProblems.map(\.diagnostic?.range) == text.ranges, "\(planning.summary)")
  }

  @Test func aProblemOfEachContractIsKept() {
    let planner = Planner.standard(FakeProviders([]), defaults: [:])
    let planning = planner.plan(
      "steps: [{ uses: note.save, with: { text: x } }, { uses: mail.folders }, { uses: mail.folders }]\n")
    #expect(planning.providerProblems.map(\.range?.start.column) == [17, 57])
  }
}
