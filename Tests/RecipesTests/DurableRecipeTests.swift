import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipePlanning
@testable import RecipeSyntax

@Suite struct DurableRecipeTests {
  private static let recipe = """
    name: durable
    priority: -7
    inputs: { order: string }
    keywords: { Stil: knapp }
    concurrency: "{{ inputs.order }}-{{ Stil }}"
    steps:
      - { id: end, uses: template, finally: true, with: { text: "ended: {{ failure == null }}" } }
      - id: book
        uses: template
        with: { text: a }
        cache: { key: "{{ inputs.order }}", for: 1d }
        undo: { uses: template, with: { text: "{{ steps.book.output.text }}" }, retry: 2 }
      - id: pay
        uses: template
        with: { text: b }
        undo: { uses: template, with: { text: "{{ steps.pay.status }}" } }
    on_failure:
      - { id: tell, uses: template, with: { text: "{{ failure.kind + failure.message + failure.step }}" } }
      - { uses: template, with: { text: "{{ steps.tell.status }}" } }
    """

  @Test func phasesBecomeStepsThatWaitForAllBefore() throws {
    let planning = Planner.standard().plan(Self.recipe)
    let plan = try #require(planning.plan, "\(planning.summary)")
    #expect(
      plan.steps.map(\.id) == ["end", "book", "pay", "pay_undo", "book_undo", "tell", "on_failure_2"])
    #expect(
      plan.steps.map(\.phase) == [
        .finally, .main, .main, .undo(of: 2), .undo(of: 1), .onFailure, .onFailure,
      ])
    #expect(
      plan.steps.map { $0.needs.sorted() } == [
        [1, 2, 3, 4, 5, 6], [], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4, 5],
      ])
    #expect(plan.steps[4].retry.attempts == 2)
    #expect(plan.steps[1].cache?.seconds == 86_400)
    #expect(plan.priority == -7)
    #expect(plan.source == Self.recipe)
  }

  @Test func engineSettingsAreRead() {
    let text = """
      engine:
        parallel: 8
        limits: { text: 4MB }
        retention: { age: 90d, runs: 10, size: 1GB, recipes: { ping: { age: 2d, runs: 100 }, pong: { runs: 1 } } }
        breaker: { open: 5s }
        prices: { gpt: { input: 0.15, output: 2 } }

      """
    let (configuration, diagnostics) = Configuration.parse(SourceText(path: "sous.yaml", text: text))
    #expect(diagnostics.isEmpty)
    #expect(configuration.engine.parallel == 8)
    #expect(configuration.engine.textLimit == 4 << 20)
    #expect(configuration.engine.retention.age == 7_776_000)
    #expect(configuration.engine.retention.runs == 10)
    #expect(configuration.engine.retention.size == 1 << 30)
    #expect(configuration.engine.retention.recipes["ping"] == .init(age: 172_800, runs: 100))
    #expect(configuration.engine.retention.recipes["pong"] == .init(runs: 1))
    #expect(configuration.engine.prices["gpt"] == .init(input: 0.15, output: 2))
    #expect(configuration.engine.breaker.failures == 3)
    #expect(configuration.engine.breaker.openSeconds == 5)
  }

  /// Each with marks round the place, and the code.
  private static let mistakes: [(text: String, code: Diagnostic.Code)] = [
    ("steps: [{ uses: sleep, with: { for: 1h }, «timeout»: 3s }]\n", .conflictingKeys),
    ("steps: [{ uses: approve, with: { message: x }, «timeout»: 3s }]\n", .conflictingKeys),
    ("steps: [{ uses: sleep, with: { for: 1h }, «retry»: 3 }]\n", .conflictingKeys),
    ("steps: [{ uses: sleep, with: { for: 1h }, «cache»: { for: 1h } }]\n", .conflictingKeys),
    ("steps: [{ uses: sleep, with: { for: «PT1H» } }]\n", .invalidDuration),
    ("steps: [{ uses: until, with: { time: «tomorrow» } }]\n", .invalidValue),
    ("steps: [{ uses: approve, with: { message: x, form: { type: «array» } } }]\n", .invalidSchema),
    (
      "steps: [{ uses: mail.send, with: { to: [a@b.ch], subject: x, text: y }, «cache»: { for: 1h } }]\n",
      .conflictingKeys
    ),
    ("steps: [{ uses: template, with: { text: x }, cache: { for: «400d» } }]\n", .invalidValue),
    ("steps: [{ uses: template, with: { text: x }, finally: true, «undo»: { uses: sleep } }]\n", .conflictingKeys),
    ("priority: «101»\nsteps: [{ uses: sleep, with: { for: 1 } }]\n", .invalidValue),
    (
      "steps:\n  - { id: a, uses: template, with: { text: x }, «undo»: { uses: template, with: { text: x } } }\n"
        + "  - { id: a_undo, uses: template, with: { text: x } }\n", .duplicateStep
    ),
    (
      "steps:\n  - { id: a, uses: template, with: { text: x }, undo: { uses: template, with: { text: x } } }\n"
        + "  - { id: b, uses: template, with: { text: \"{{ steps.«a_undo».status }}\" } }\n", .stepNotReached
    ),
    (
      "steps: [{ uses: template, with: { text: \"{{ steps.«tell».status }}\" } }]\n"
        + "on_failure: [{ id: tell, uses: template, with: { text: x } }]\n", .stepNotReached
    ),
    (
      "steps: [{ uses: sleep, with: { for: 1 } }]\n"
        + "on_failure: [{ id: tell, uses: template, «needs»: [], with: { text: x } }]\n", .conflictingKeys
    ),
  ]

  @Test(arguments: mistakes.indices)
  func mistakesAreReportedAtTheirPlace(_ index: Int) {
    let mistake = Self.mistakes[index]
    let marked = MarkedText(mistake.text)
    let planning = Planner.standard().plan(marked.source)
    let expected = marked.ranges.map { Finding(mistake.code.rawValue, $0) }
    #expect(planning.diagnostics.map { Finding($0) } == expected, "\(planning.summary)")
  }
}
