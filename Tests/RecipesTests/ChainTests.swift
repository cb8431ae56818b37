import Expressions
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Testing

@Suite struct ChainTests {
  private func plan(_ text: String, _ files: [String: String] = [:]) throws -> Plan {
    let planning = Planner.forKinds(files).plan(text)
    #expect(planning.diagnostics.isEmpty && planning.providerProblems.isEmpty, "\(planning.summary)")
    return try #require(planning.plan)
  }

  private func codes(_ text: String) -> [String] { Planner.forKinds().plan(text).diagnostics.map(\.code.rawValue) }

  @Test func aPromptThatWorksPartByPartIsARowOfSteps() throws {
    let plan = try plan(
      """
      kind: chain
      input: string
      prompts:
        - id: short
          prompt: Shorten
          provider: [local, gpt]
          parts: { by: headings, size: 100, combine: reduce, parallel: 3 }
        - { id: next, prompt: Translate }
      """)
    #expect(plan.steps.map(\.id) == ["short_parts", "short_map", "short_reduce", "short", "next"])
    #expect(
      plan.steps.map(\.action.name) == ["text.split", "chat.complete", "chat.complete", "values", "chat.complete"])
    #expect(plan.steps[1].loop?.parallel == 3)
    #expect(plan.steps[1].providers == ["local", "gpt"])
    #expect(plan.steps[2].condition != nil)
    #expect(plan.steps.map(\.needs) == [[], [0], [1], [2], [3]])
  }

  @Test func aChoiceIsMadeOnceAndBranchesHaveConditions() throws {
    let plan = try plan(
      """
      kind: chain
      input: string
      prompts:
        - { id: sort, prompt: Sort, schema: { type: object, properties: { kind: { type: string } } } }
        - switch: "{{ steps.sort.output.kind }}"
          cases:
            it's: { id: one, prompt: One }
            b: [ { id: two, prompt: Two, when: "size(previous) > 3" }, { id: three, prompt: Three } ]
          else: { id: other, prompt: Other }
      """)
    #expect(plan.steps.map(\.id) == ["sort", "choice", "one", "two", "three", "other"])
    #expect(plan.steps.map { $0.condition != nil } == [false, false, true, true, true, true])
    #expect(plan.outputs.map(\.name) == ["result"])
  }

  @Test func outputsOfPromptsKnowTheirAnswer() throws {
    let plan = try plan(
      """
      kind: chain
      inputs: { word: string }
      prompts:
        - id: title
          prompt: "{{ word }} and {{ other }}"
          inputs: { word: "{{ inputs.word }}", other: more, third: "{{ inputs.word }}!" }
          schema: { type: object, properties: { title: { type: string } } }
          outputs: { title: "{{ answer.title }}", long: "size(answer.title) > 3" }
      outputs: { words: "{{ steps.title.output.text }}" }
      """)
    #expect(plan.inputs.map(\.name) == ["word"])
    #expect(plan.outputs.map(\.name) == ["title", "long", "words", "result"])
    #expect(plan.steps[0].variables.map(\.name) == ["word", "other", "third"])
    #expect(
      codes(
        "kind: chain\nprompts: [{ id: a, prompt: x, outputs: { t: '{{ answer.nope }}' }, "
          + "schema: { type: object, properties: { title: { type: string } } } }]")
        == ["unknown_field"])
  }

  /// Words that are spelt as the text's name, beside an expression, do not take the text away.
  @Test(arguments: [
    ("Translate the previous text to {{ Sprache }}.", true), ("Say {{ previousOne }}", true),
    ("Say {{ previous }}", false),
    ("Say {{ size(previous) }}", false), ("Translate", true),
  ])
  func aPromptGetsTheTextUnlessItSpeaksOfIt(_ prompt: String, _ getsIt: Bool) throws {
    let plan = try plan(
      """
      kind: chain
      input: string
      keywords: { Sprache: Deutsch, previousOne: x }
      prompts: [{ id: a, prompt: "\(prompt)" }]
      """)
    guard case .map(let members) = plan.steps[0].input else {
      Issue.record("it depends on the run")
      return
    }
    #expect(members.contains { $0.name == "input" } == getsIt)
  }

  @Test(arguments: ["{{ result }}", "{{ input }}", "{{ size(result) }}", "{{ text }}"])
  func tellsHowTheTextIsCalled(_ prompt: String) {
    let found = Planner.forKinds().plan("kind: chain\ninput: string\nprompts: [{ prompt: 'Say \(prompt)' }]\n")
      .diagnostics
    #expect(found.map(\.code.rawValue) == ["unknown_name"])
    #expect(found.first?.message.english.contains("'previous'") == true)
  }

  @Test func aRoundOfCallsIsARowOfSteps() throws {
    let plan = try plan(
      """
      steps:
        - id: ask
          uses: chat.complete
          with:
            prompt: Help
            tools:
              - { run: look, with: { place: here } }
              - { uses: mail.send, approve: true }
            tool_rounds: 1
        - { id: end, uses: values, with: { text: "{{ steps.ask.output.text }}" } }
      """, ["look.yaml": "inputs: { place: string, word: string }\nsteps: [{ uses: values, with: { a: 1 } }]\n"])
    #expect(
      plan.steps.map(\.id) == [
        "ask_1", "ask_1_look_calls", "ask_1_look", "ask_1_mail_send_calls", "ask_1_mail_send_approve",
        "ask_1_mail_send", "ask_1_results", "ask_2", "ask", "end",
      ])
    #expect(plan.steps[5].action.effect == .once)
    #expect(plan.steps[5].onError == .continue)
    guard case .literal(let input) = plan.steps[0].input else {
      Issue.record("nothing of it depends on the run")
      return
    }
    let tools = try #require(input["tools"])
    #expect(tools[0]?["name"] == "look" && tools[1]?["name"] == "mail_send")
    #expect(tools[0]?["parameters"]?["properties"]?["place"] == nil)
    #expect(tools[0]?["parameters"]?["required"] == ["word"])
    #expect(tools[1]?["parameters"]?["properties"]?["subject"] != nil)
  }

  @Test func aModelIsOfferedWhatIsRequiredOrNamed() throws {
    let plan = try plan(
      """
      steps:
        - id: ask
          uses: chat.complete
          with:
            prompt: "Help {{ now() }}"
            tools:
              - { uses: mail.send, with: { to: [me@example.com] } }
              - { uses: mail.send, name: loud, inputs: [subject, text], with: { to: [me@example.com] }, approve: never }
            tool_rounds: 1
      """)
    guard case .map(let input) = plan.steps[0].input,
      case .literal(let tools)? = input.first(where: { $0.name == "tools" })?.value
    else {
      Issue.record("no tools")
      return
    }
    for tool in tools.listValue ?? [] {
      let names = tool["parameters"]?["properties"]?.mapValue?.keys.map(\.text).sorted()
      #expect(names == ["subject", "text"], "\(tool)")
    }
    // The prompt has a value from outside, so a person approves what is sent.
    #expect(plan.steps.contains { $0.id == "ask_1_mail_send_approve" })
    #expect(!plan.steps.contains { $0.id == "ask_1_loud_approve" })
  }

  @Test(arguments: [
    ("tools: [{ uses: mail.send, inputs: [subject, tekst], with: { to: [a@b.ch], text: x } }]", "unknown_key"),
    ("tools: [{ uses: mail.send, inputs: [subject, to], with: { to: [a@b.ch], text: x } }]", "conflicting_keys"),
    ("tools: [{ uses: mail.send, inputs: [subject], with: { to: [a@b.ch] } }]", "missing_key"),
    ("tools: [{ uses: mail.send, approve: sometimes }]", "invalid_value"),
    ("parts: { by: sentences }", "invalid_value"), ("parts: { prompt: x }", "conflicting_keys"),
    ("parts: {}, for_each: [1]", "conflicting_keys"),
    ("tools: [{ uses: mail.send }], for_each: [1]", "conflicting_keys"),
    ("tools: [{}]", "missing_key"), ("tools: [{ uses: a, run: b }]", "conflicting_keys"),
    ("tools: [{ uses: mail.send }, { uses: mail.send }]", "invalid_name"),
    ("tools: [{ uses: mail.send, name: Send it }]", "invalid_name"), ("inputs: { previous: x }", "invalid_name"),
    ("outputs: { a: 'x {{ 1 }}' }", "invalid_value"), ("tools: [{ uses: nothing.there }]", "unknown_action"),
  ])
  func tellsWhatCannotBe(_ keys: String, _ code: String) {
    #expect(codes("kind: chain\ninput: string\nprompts: [{ prompt: x, \(keys) }]\n") == [code])
  }

  @Test func whatOnlyAKindImpliesNoRecipeNames() {
    #expect(codes("steps: [{ uses: tools.results, with: { answer: {}, items: [] } }]") == ["unknown_action"])
    #expect(
      codes("steps: [{ uses: chat.complete, for_each: [1], with: { prompt: x, tools: [{ uses: mail.send }] } }]")
        == ["conflicting_keys"])
  }
}
