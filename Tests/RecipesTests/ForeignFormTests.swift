import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Schemas
import Testing

/// Forms of other products: what is reported names the form of Sous, at the place, in both languages.
@Suite struct ForeignFormTests {
  private static let cases: [(recipe: String, line: Int, words: String)] = [
    ("on: workflow_dispatch\nsteps: [{ uses: mail.search }]", 1, "sous run"),
    ("on: [push, pull_request]\nsteps: [{ uses: mail.search }]", 1, "signature: github"),
    ("on:\n  push: { branches: [main] }\nsteps: [{ uses: mail.search }]", 2, "signature: github"),
    ("on:\n  workflow_run: { workflows: [build] }\nsteps: [{ uses: mail.search }]", 2, "recipe: NAME"),
    ("on: schedule\nsteps: [{ uses: mail.search }]", 1, "cron:"),
    ("on: { schedule: [] }\nsteps: [{ uses: mail.search }]", 1, "schedule"),
    ("steps:\n  - id: a\n    uses: mail.search\n    repeat: { until: output.total > 0, every: 0s }", 4, "1ms"),
    (
      "steps:\n  - id: a\n    uses: mail.search\n    repeat: { until: output.total > 0, every: 1s, limit: 0s }", 4,
      "1ms"
    ),
    ("steps:\n  - matrix: { os: linux }\n    uses: mail.search", 2, "os: [linux]"),
    ("steps:\n  - matrix: { version: 3 }\n    uses: mail.search", 2, "version: [3]"),
    ("steps:\n  - switch: 1\n    cases: { a: [{ uses: mail.search }] }", 2, "inputs.kind"),
    (
      "steps:\n  - id: each\n    steps:\n      - { id: in, uses: mail.search }\n  - { uses: mail.search, needs: [in] }",
      5,
      "needs: [each]"
    ),
    (
      "steps:\n  - { id: out, uses: mail.search }\n  - steps:\n      - { uses: mail.search, needs: [out] }", 4,
      "'needs'"
    ),
    (
      "steps:\n  - uses: template\n    with: { text: \"={{ $json.name }}\" }", 3, "steps.ID.output"
    ),
    ("steps:\n  - uses: exec\n    working-directory: a\n    with: { command: [ls] }", 3, "with: { folder:"),
    ("steps:\n  - uses: exec\n    continue-on-error: true\n    with: { command: [ls] }", 3, "on_error: continue"),
    ("steps:\n  - uses: mail.search\n    on_error: true", 3, "write 'on_error: continue'"),
    ("defaults: { on_error: true }\nsteps: [{ uses: mail.search }]", 1, "write 'on_error: continue'"),
    ("steps:\n  - uses: mail.search\n    when: always()", 3, "finally: true"),
    ("steps:\n  - uses: mail.search\n    when: failure()", 3, "on_failure"),
    ("steps:\n  - uses: mail.search\n    when: success()", 3, "leave it out"),
    ("steps:\n  - uses: mail.search\n    when: cancelled()", 3, "no condition"),
    ("steps:\n  - uses: mail.search\n    when: \"${{ always() }}\"", 3, "leave out the '$'"),
    ("steps:\n  - uses: mail.search\n    when: \"${{ always() }}\"", 3, "finally: true"),
    ("steps:\n  - uses: template\n    with: { text: \"{{ secrets.KEY }}\" }", 3, "{ secret: NAME }"),
    ("steps:\n  - uses: template\n    with: { text: \"{{ github.sha }}\" }", 3, "event"),
    ("steps:\n  - uses: template\n    with: { text: \"{{ env.HOME }}\" }", 3, "env: {"),
    ("steps:\n  - uses: template\n    with: { text: \"{{ needs.a.outputs.b }}\" }", 3, "steps.ID.output"),
    (
      "steps:\n  - { id: a, uses: mail.search }\n  - uses: mail.search\n    when: steps.a.outcome == 'success'", 4,
      "steps.ID.status"
    ),
    ("steps:\n  - uses: template\n    with: { text: \"{{ hashFiles('a') }}\" }", 3, "sha256"),
    ("steps:\n  - uses: actions/checkout@v4", 2, "your folders"),
    ("concurrency: { group: a, cancel-in-progress: true }\nsteps: [{ uses: mail.search }]", 1, "policy: cancel"),
  ]

  @Test(arguments: cases)
  func theRightFormIsNamed(_ example: (recipe: String, line: Int, words: String)) throws {
    let planning = Planner.standard().plan(example.recipe)
    let found = planning.diagnostics.filter { $0.message.english.contains(example.words) }
    #expect(!found.isEmpty, "\(planning.summary)")
    #expect(found.allSatisfy { $0.range?.start.line == example.line }, "\(planning.summary)")
    #expect(found.allSatisfy { $0.message.german != $0.message.english })
    #expect(planning.hasErrors)
  }

  @Test func aListOfSchedulesIsSeveralTriggers() throws {
    let planning = Planner.standard().plan(
      """
      on:
        schedule:
          - cron: "0 3 * * *"
          - every monday at 8
      steps: [{ uses: mail.search }]
      """)
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(plan.triggers.count == 2)
    #expect(planning.diagnostics.isEmpty, "\(planning.summary)")
  }

  @Test func aWholeWorkflowHasNoWarningAboutItsVariables() {
    let planning = Planner.standard().plan("on: push\nenv: { A: b }\njobs: { build: { steps: [] } }")
    #expect(planning.hasErrors)
    #expect(planning.diagnostics.allSatisfy { $0.severity == .error }, "\(planning.summary)")
  }

  @Test func aTruthValueForAWordIsNotToBePutInQuotes() {
    let planning = Planner.standard().plan("steps:\n  - uses: mail.search\n    on_error: true")
    #expect(!planning.diagnostics.contains { $0.message.english.contains("quotes") }, "\(planning.summary)")
  }
}
