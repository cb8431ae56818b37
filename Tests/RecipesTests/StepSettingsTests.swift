import Localization
import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipePlanning
@testable import RecipeSyntax

/// `repeat` of a step; `defaults` and `env` of a recipe.
@Suite struct StepSettingsTests {
  @Test func aRepetitionIsPlanned() throws {
    let planning = Planner.standard().plan(
      """
      steps:
        - id: poll
          uses: mail.search
          repeat: { until: "output.total > 0 && size(steps.poll.output.messages) > 0", every: 1m, limit: 20 }
        - id: each
          for_each: [1, 2]
          uses: mail.search
          repeat: { until: "{{ output.total == item }}", every: 10, limit: 1h }
      """)
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(planning.diagnostics.isEmpty, "\(planning.summary)")
    let first = try #require(plan.steps[0].repetition)
    #expect(first.every == 60)
    #expect(first.limit == .times(20))
    #expect(plan.steps[1].repetition?.limit == .seconds(3600))
  }

  /// Parts of a step, and what is said about them at which line.
  private static let mistakes: [(step: String, code: Diagnostic.Code, words: String)] = [
    ("uses: mail.search\n    repeat: { every: 1m }", .missingKey, "until"),
    ("uses: mail.search\n    repeat: { until: output.total > 0 }", .missingKey, "every"),
    ("uses: mail.search\n    repeat: { until: output.totl > 0, every: 1m }", .init(rawValue: "unknown_field"), "total"),
    ("uses: mail.search\n    repeat: { until: output.total, every: 1m }", .wrongType, "'until'"),
    ("uses: mail.search\n    repeat: { until: steps.later.output.total > 0, every: 1m }", .unknownStep, "later"),
    ("uses: mail.search\n    repeat: { until: output.total > 0, interval: 1m }", .unknownKey, "every: 10s"),
    ("uses: mail.search\n    repeat: { until: output.total > 0, every: 1m, limit: 0 }", .invalidValue, "limit"),
    (
      "uses: mail.search\n    cache: { for: 1h }\n    repeat: { until: output.total > 0, every: 1m }", .conflictingKeys,
      "cache"
    ),
    (
      "uses: sleep\n    with: { for: 1m }\n    repeat: { until: output.waited > 1.0, every: 1m }", .conflictingKeys,
      "waits once"
    ),
    (
      "repeat: { until: output.a.totl > 0, every: 1m }\n    steps: [{ id: a, uses: mail.search }]",
      .init(rawValue: "unknown_field"), "total"
    ),
    (
      "repeat: { until: output.b.total > 0, every: 1m }\n    steps: [{ id: a, uses: mail.search }]",
      .init(rawValue: "unknown_field"), "b"
    ),
    ("repeat: { until: true, every: 1m }\n    steps: [{ id: a, uses: mail.search }]", .conflictingKeys, "block"),
    ("uses: mail.search\n    repeat: { until: true, every: 1m }", .conflictingKeys, "output"),
  ]

  @Test(arguments: mistakes)
  func mistakesInARepetitionAreReported(mistake: (step: String, code: Diagnostic.Code, words: String)) throws {
    let planning = Planner.standard().plan("steps:\n  - id: poll\n    \(mistake.step)\n")
    let found = planning.diagnostics.filter { $0.message.english.contains(mistake.words) }
    #expect(!found.isEmpty, "\(planning.summary)")
    #expect(found.allSatisfy { $0.range != nil })
  }

  @Test func defaultsHoldForStepsThatSayNothingElse() throws {
    let planning = Planner.standard().plan(
      """
      defaults: { retry: { attempts: 7 }, timeout: 2m, on_error: continue, provider: home }
      steps:
        - { id: a, uses: mail.search }
        - { id: b, uses: mail.search, retry: 2, timeout: 5s, on_error: fail }
        - { id: c, uses: sleep, with: { for: 1m } }
      """)
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(planning.diagnostics.isEmpty, "\(planning.summary)")
    #expect(plan.steps.map(\.timeout) == [120, 5, nil])
    #expect(plan.steps.map(\.retry.attempts) == [7, 2, 4])
    #expect(plan.steps.map(\.onError) == [.continue, .fail, .continue])
    #expect(plan.steps[0].providers == ["home"])
  }

  @Test(arguments: [
    ("defaults: { for_each: [1] }", "cannot be a default"),
    ("defaults: { keywords: { a: b } }", "at the top of the recipe"),
    ("defaults: { provider: nowhere }", "unknown provider 'nowhere'"),
    ("retry: 2\ndefaults: { retry: 3 }", "write one of them"),
    ("kind: chain\ninput: string\nprompts: [ { prompt: hi } ]\ndefaults: { timeout: 1m }", "kind 'general'"),
    ("env: { 1X: a }", "cannot name a variable"), ("env: { X: [a] }", "needs a text"),
    ("env: { X: a }", "has no effect"),
    ("environment: { X: a }", "env: { NAME: value }"),
  ]) func whatCannotBeADefaultIsRefused(text: String, words: String) {
    let planning = Planner.standard().plan(
      text.contains("prompts") ? text : text + "\nsteps: [ { uses: mail.search } ]\n")
    #expect(
      planning.diagnostics.contains { $0.message.english.contains(words) && $0.range != nil }, "\(planning.summary)")
  }
}
