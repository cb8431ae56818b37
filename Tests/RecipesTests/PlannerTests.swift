import Expressions
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Testing

/// Plans a recipe that must be right.
private func plan(_ text: String, _ planner: Planner = .standard()) throws -> Plan {
  let planning = planner.plan(text)
  #expect(planning.diagnostics.isEmpty && planning.providerProblems.isEmpty, "\(planning.summary)")
  return try #require(planning.plan)
}

private let digest = """
  name: inbox-digest
  description: Summarise unread mail and send the digest
  keywords: { Anrede: Du, Stil: knapp }
  inputs:
    folder: { type: string, default: INBOX }
    limit:  { type: integer, default: 50, minimum: 1 }
  on:
    - schedule: { cron: "0 7 * * 1-5", timezone: Europe/Zurich, overlap: skip, catch_up: last }
  retry: { attempts: 4, backoff: 1s, factor: 2, max: 30s, jitter: 0.2 }
  steps:
    - id: unread
      uses: mail.search
      with: { folder: "{{ inputs.folder }}", unseen: true, limit: "{{ inputs.limit }}" }
    - id: summarise
      for_each: "{{ steps.unread.output.messages.filter(m, !m.bulk && size(m.text) >= 350) }}"
      as: message
      parallel: 4
      uses: chat.complete
      with:
        prompt: mail/summary                      # from the catalog; keywords are inherited and overridden
        keywords: { Absender: "{{ message.from.name }}" }
        input: "{{ message.text }}"
        schema: { type: object, required: [summary, needs_reply], properties: { summary: { type: string }, needs_reply: { type: boolean } } }
      timeout: 60s
      on_error: continue
    - id: digest
      uses: template
      with: { text: "{{ steps.summarise.items.map(i, '- ' + i.output.summary).join('\\n') }}" }
    - id: send
      when: "{{ size(steps.summarise.items) > 0 }}"
      uses: mail.send
      with: { to: [me@example.com], subject: "Digest", text: "{{ steps.digest.output.text }}" }
  """

@Suite struct PlannerTests {
  @Test func theDigestIsPlanned() throws {
    let plan = try plan(digest)
    #expect(plan.name == "inbox-digest")
    #expect(plan.summary == "Summarise unread mail and send the digest")
    #expect(plan.inputs.map(\.name) == ["folder", "limit"])
    #expect(plan.inputs.map(\.isRequired) == [false, false])
    #expect(plan.keywords.map(\.name) == ["Anrede", "Stil"])
    #expect(plan.steps.map(\.id) == ["unread", "summarise", "digest", "send"])
    #expect(plan.steps.map(\.needs) == [[], [0], [1], [2]])
    #expect(plan.steps.map(\.providers) == [["home"], ["local"], [], ["home"]])
    #expect(plan.steps[1].loop?.parallel == 4)
    #expect(plan.steps[1].loop?.variable == "message")
    #expect(plan.steps[1].timeout == 60)
    #expect(plan.steps[1].onError == .continue)
    #expect(plan.steps[3].condition?.source.trimmed == "size(steps.summarise.items) > 0")
    #expect(plan.fingerprint.count == 64)
    #expect(plan.triggers.count == 1)
    #expect(plan.keywordNames == ["Anrede", "Stil", "Sprache", "Absender"])
  }

  @Test func aWholePlanIsChecked() throws {
    let broken = digest.replacing("steps.unread.output.messages", with: "steps.unraed.output.messages")
    let planning = Planner.standard().plan(broken)
    #expect(planning.plan == nil)
    #expect(
      planning.summary == """
        recipe.yaml:15:25: error: unknown step 'unraed' — did you mean 'unread'?
           15 |     for_each: "{{ steps.unraed.output.messages.filter(m, !m.bulk && size(m.text) >= 350) }}"
              |                         ^^^^^^

        """)
  }

  // MARK: Order

  @Test(
    arguments: [
      ("a; b; c", [[], [0], [1]]),
      ("a; b needs=[]; c", [[], [], [0]]),
      ("a; b needs=[a]; c; d needs=[b, c]", [[], [0], [0], [1, 2]]),
      ("a needs=[b]; b; c", [[1], [], [1]]),
      ("a needs=[]; b needs=[]; c", [[], [], []]),
      ("a; b needs=[]; c ref=b", [[], [], [0, 1]]),
      ("a; b needs=[]; c ref=b; d ref=b", [[], [], [0, 1], [2]]),
      ("a; b ref=a; c ref=a", [[], [0], [1]]),
    ] as [(String, [[Int]])])
  func stepsFormALineUnlessTheySayWhatTheyNeed(text: String, needs: [[Int]]) throws {
    #expect(try plan(Self.recipe(text)).steps.map(\.needs) == needs)
  }

  /// A recipe out of `id needs=[…] ref=ID` parts.
  static func recipe(_ text: String) -> String {
    var yaml = "steps:\n"
    for part in text.split(separator: "; ") {
      var rest = part[...]
      let id = rest.prefix { $0 != " " }
      rest = rest.dropFirst(id.count)
      yaml += "  - id: \(id)\n    uses: template\n"
      if let range = rest.firstRange(of: "needs=") {
        yaml += "    needs: \(rest[range.upperBound...].prefix { $0 != "]" })]\n"
      }
      let reference = rest.firstRange(of: "ref=").map { "{{ steps.\(rest[$0.upperBound...]).output.text }}" }
      yaml += "    with: { text: \"\(reference ?? "x")\" }\n"
    }
    return yaml
  }

  @Test func aThousandStepsAreChecked() throws {
    var yaml = "steps:\n"
    for index in 0..<1000 {
      yaml += "  - id: s\(index)\n    uses: template\n"
      yaml += "    with: { text: \"{{ \(index > 0 ? "steps.s\(index - 1).output.text" : "'x'") }}\" }\n"
    }
    #expect(try plan(yaml).steps.count == 1000)
  }

  // MARK: Details

  @Test func namesAndIdsHaveDefaults() throws {
    let source = SourceText(
      path: "some/where/tidy.yaml", text: "steps:\n  - { uses: template, with: { text: x } }\n")
    let plan = try #require(Planner.standard().plan(source).plan)
    #expect(plan.name == "tidy")
    #expect(plan.steps[0].id == "step_1")
    #expect(plan.steps[0].retry == .standard)
  }

  @Test func retriesAreInheritedFieldByField() throws {
    let plan = try plan(
      """
      retry: { attempts: 2, backoff: 500ms }
      steps:
        - { uses: template, with: { text: x }, retry: { backoff: 1m30s, within: 1h } }
        - { uses: template, with: { text: x }, retry: 7 }
        - { uses: template, with: { text: x } }
      """)
    #expect(plan.steps[0].retry == RetryPolicy(attempts: 2, backoff: 90, within: 3600))
    #expect(plan.steps[1].retry == RetryPolicy(attempts: 7, backoff: 0.5))
    #expect(plan.steps[2].retry == RetryPolicy(attempts: 2, backoff: 0.5))
  }

  @Test(arguments: [
    ("string", true, "x"), ("{ type: string, required: false }", false, "x"),
    ("{ type: string, default: a }", false, "x"),
    ("", true, "x"), ("{ type: string, required: true }", true, "x"),
  ])
  func inputsWithoutADefaultAreRequired(declaration: String, isRequired: Bool, name: String) throws {
    let plan = try plan("inputs:\n  x: \(declaration)\nsteps:\n  - { uses: template, with: { text: a } }\n")
    #expect(plan.inputs.map(\.isRequired) == [isRequired])
  }

  @Test func whenTakesBracesOrNot() throws {
    for text in ["inputs.n > 1", "\"{{ inputs.n > 1 }}\"", "true", "'  {{ inputs.n > 1 }} '"] {
      let plan = try plan(
        "inputs: { n: { type: integer, default: 1 } }\nsteps:\n  - { uses: template, when: \(text), with: { text: a } }\n"
      )
      #expect(plan.steps[0].condition != nil)
    }
  }

  @Test func forEachTakesBracesListsAndMaps() throws {
    for (text, use) in [
      ("\"{{ [1, 2] }}\"", "string(item + index)"), ("\"[1, 2]\"", "string(item)"), ("[a, \"{{ 'b' }}\"]", "item"),
      ("{ a: 1 }", "item.key + string(item.value)"),
    ] {
      let plan = try plan(
        "steps:\n  - { uses: template, for_each: \(text), with: { text: \"{{ \(use) }}\" } }\n")
      #expect(plan.steps[0].loop != nil)
    }
  }

  @Test func concurrencyHasAGroup() throws {
    let tail = "\nsteps:\n  - { uses: template, with: { text: a } }\n"
    #expect(try plan("concurrency: mail" + tail).concurrency?.policy == .queue)
    let skipping = try plan("concurrency: { group: \"x-{{ recipe.name }}\", policy: skip }" + tail)
    #expect(skipping.concurrency?.policy == .skip)
  }

  @Test func warningsDoNotStopAPlan() {
    let planning = Planner.standard().plan(
      "inputs: { a: { type: string, default: x, required: true } }\nsteps:\n  - { uses: template, with: { text: a } }\n"
    )
    #expect(planning.plan != nil)
    #expect(planning.diagnostics.map(\.severity) == [.warning])
  }

  @Test func literalsStayLiteral() throws {
    let plan = try plan("steps:\n  - { uses: mail.search, with: { limit: 3, unseen: true } }\n")
    guard case .literal(let value) = plan.steps[0].input else {
      Issue.record("not literal")
      return
    }
    #expect(value == .map(["limit": .int(3), "unseen": .bool(true)]))
  }

  @Test func outputsSeeEveryStep() throws {
    let plan = try plan(
      "steps:\n  - { id: a, uses: template, with: { text: x } }\noutputs: { text: \"{{ steps.a.output.text }}\" }\n")
    #expect(plan.outputs.map(\.name) == ["text"])
  }

  @Test(arguments: ["answer"])
  func otherKindsAreNotYetSupported(kind: String) {
    let planning = Planner.standard().plan("kind: \(kind)\nanything: 1\n")
    #expect(planning.diagnostics.map(\.code) == [.notSupported])
    #expect(planning.plan == nil)
  }

  @Test func theFingerprintFollowsRecipeAndPrompts() throws {
    let text = "steps:\n  - { uses: chat.complete, with: { prompt: own/one, input: x } }\n"
    let one = PromptFiles(["own/one.yaml": "prompt: A"])
    let two = PromptFiles(["own/one.yaml": "prompt: B"])
    let first = try plan(text, .standard(prompts: PromptCatalog([one]))).fingerprint
    #expect(try plan(text, .standard(prompts: PromptCatalog([one]))).fingerprint == first)
    #expect(try plan(text, .standard(prompts: PromptCatalog([two]))).fingerprint != first)
    #expect(try plan(text + "# note\n", .standard(prompts: PromptCatalog([one]))).fingerprint != first)
  }
}

extension String {
  fileprivate var trimmed: String {
    String(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
