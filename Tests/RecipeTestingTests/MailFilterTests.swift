import Builtins
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RecipeTesting
import Schemas
import Testing

/// Filters as people test them: they say what messages there are, and the rules decide.
@Suite(.timeLimit(.minutes(5))) struct MailFilterTests {
  private static func report(_ rules: String, _ tests: String) async -> SuiteReport {
    let builtins = BuiltinActions()
    let tester = RecipeTester(
      planner: Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all)), builtins: builtins)
    let recipe = "kind: mail-filter\nname: sample\nrules:\n" + rules
    let source = SourceText(path: "sample.test.yaml", text: "recipe: sample.yaml\ntests:\n" + tests)
    return await tester.run(source) { path throws(Diagnostic) in SourceText(path: path, text: recipe) }
  }

  private static func problems(_ report: SuiteReport) -> [Diagnostic] {
    report.diagnostics + report.tests.flatMap(\.diagnostics)
  }

  private static let messages = """
        steps:
          found:
            output:
              total: 3
              messages:
                - &one
                  uid: "1"
                  folder: INBOX
                  message_id: "<1@example.com>"
                  date: 2026-11-20T18:30:00Z
                  from: { name: Shop, address: news@shop.example }
                  to: [{ name: "", address: me@example.com }]
                  cc: []
                  reply_to: []
                  subject: Sale
                  size: 900
                  flags: []
                  seen: false
                  flagged: false
                  answered: false
                  text: Everything must go.
                  truncated: false
                  snippet: Everything must go.
                  attachments: []
                  bulk: true
                  human: false
                  category: newsletter
                  list_id: null
                  in_reply_to: null
                  references: []
                  thread: "<1@example.com>"
                - { <<: *one, uid: "2", to: [], category: people }
                - { <<: *one, uid: "3", category: invoice }
    """

  @Test func oneMessageThatCannotBeJudgedHoldsUpNoOther() async {
    let report = await Self.report(
      """
        - name: old
          when: message.to[0].address == "me@example.com" && message.category != "invoice"
          then: { move: Old }
        - name: rest
          then: flag
      """,
      """
        - name: the others go on
      \(Self.messages)
            old_move: { output: { moved: 1, uids: ["7"] } }
            rest_flag: { output: { changed: 1 } }
          expect:
            status: failed
            steps:
              old_move: { input: { contains: { uids: ["1"], to: Old } } }
              rest_flag: { input: { contains: { uids: ["3"], add: ['\\Flagged'] } } }
              found:
                output:
                  cel: >-
                    value.kept == 1 && value.errors[0].uid == "2" && value.errors[0].rule == "old"
                    && value.decisions[0].actions == ["move Old"] && size(value.decisions) == 2
      """)
    #expect(Self.problems(report) == [])
    #expect(report.tests.map(\.hasPassed) == [true])
  }

  /// Its answers are those of version 1 of the contract.
  @Test func theBundledFilterPassesItsTests() async {
    let builtins = BuiltinActions()
    let tester = RecipeTester(
      planner: Planner(catalog: ActionCatalog(builtins.signatures, contracts: BundledContract.all)), builtins: builtins)
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let report = await tester.run(root + "/workflows/tidy.test.yaml")
    #expect(Self.problems(report) == [])
    #expect(report.tests.map(\.hasPassed) == [true, true, true, true])
  }

  @Test func aRecipeGetsTheFieldsThatItIsGiven() async {
    let report = await Self.report(
      """
        - name: notice
          when: message.category == "invoice"
          then: { notify: { title: "{{ message.from.name }}", text: "{{ message.subject }}" } }
      """,
      """
        - name: one notification
      \(Self.messages)
            notice_notify: { output: {} }
          expect:
            steps:
              notice_notify: { calls: 1, inputs: [{ contains: { title: Shop, text: Sale } }] }
              found: { output: { cel: 'value.rules.notice.uids == ["3"]' } }
      """)
    #expect(Self.problems(report) == [])
    #expect(report.tests.map(\.hasPassed) == [true])
  }
}
