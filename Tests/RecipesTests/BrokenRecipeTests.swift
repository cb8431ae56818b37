import Localization
import RecipePlanning
import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipeSyntax

/// A recipe with marked mistakes and the codes expected for them, in order.
struct BrokenRecipe: CustomTestStringConvertible {
  let name: String
  let text: String
  let codes: [String]

  init(_ name: String, _ text: String, _ codes: String...) {
    self.name = name
    self.text = text
    self.codes = codes
  }

  var testDescription: String { name }

  /// One line of steps before what is marked.
  private static let search = "  - { id: unread, uses: mail.search }\n"

  static let all: [BrokenRecipe] = [
    // Shape
    BrokenRecipe("no steps", "«name»: x\n", "missing_key"),
    BrokenRecipe("a list", "«- a»\n", "wrong_type"),
    BrokenRecipe("empty steps", "steps: «[]»\n", "invalid_value"),
    BrokenRecipe("steps as map", "steps: «{ a: 1 }»\n", "wrong_type"),
    BrokenRecipe(
      "unknown key", "«stpes»: []\nsteps:\n  - { uses: template, with: { text: x } }\n", "unknown_key"),
    BrokenRecipe("unknown step key", "steps:\n  - { «use»: x, uses: template, with: { text: x } }\n", "unknown_key"),
    BrokenRecipe("no uses", "steps:\n  - id: «a»\n  - «when»: true\n", "missing_key", "missing_key"),
    BrokenRecipe(
      "duplicate id",
      "steps:\n  - { id: a, uses: template, with: { text: x } }\n  - { id: «a», uses: template, with: { text: x } }\n",
      "duplicate_step"),
    BrokenRecipe(
      "hyphen in id", "steps:\n  - { id: «my-step», uses: template, with: { text: x } }\n", "invalid_name"),
    BrokenRecipe("name not a string", "name: «12»\nsteps:\n  - { uses: template, with: { text: x } }\n", "wrong_type"),
    BrokenRecipe("unknown kind", "kind: «chian»\n", "unknown_kind"),
    BrokenRecipe(
      "bad duration", "timeout: «10 sec»\nsteps:\n  - { uses: template, with: { text: x }, timeout: «0» }\n",
      "invalid_duration", "invalid_duration"),
    BrokenRecipe(
      "bad retry",
      "retry: { attempts: «0», «facter»: 2, jitter: «1.5» }\nsteps:\n  - { uses: template, with: { text: x } }\n",
      "invalid_value", "unknown_key", "invalid_value"),
    BrokenRecipe(
      "bad on_error", "steps:\n  - { uses: template, with: { text: x }, on_error: «contineu» }\n", "invalid_value"),
    BrokenRecipe(
      "loop keys without a loop",
      "steps:\n  - { uses: template, with: { text: x }, «as»: m, «parallel»: 2 }\n", "conflicting_keys",
      "conflicting_keys"),
    BrokenRecipe(
      "reserved loop variable",
      "steps:\n  - { uses: template, for_each: [1], as: «inputs», with: { text: x } }\n", "invalid_name"),
    BrokenRecipe(
      "unquoted template", "steps:\n  - uses: template\n    with: { text: «{{ 'x' }}» }\n    «timout»: 1\n",
      "unquoted_template", "unknown_key"),

    // Triggers
    BrokenRecipe(
      "bad cron",
      "on:\n  - schedule: { cron: \"0 «25» * * *\" }\n  - schedule: { cron: \"«0 7 * *»\" }\nsteps:\n"
        + "  - { uses: template, with: { text: x } }\n",
      "invalid_trigger", "invalid_trigger"),
    BrokenRecipe(
      "bad rule",
      "on:\n  - schedule: { rrule: \"FREQ=MONTHLY;«BYDY=MO»\", at: «9h», timezone: «Europe / Zurich» }\nsteps:\n"
        + "  - { uses: template, with: { text: x } }\n",
      "invalid_trigger", "invalid_trigger", "invalid_trigger"),
    BrokenRecipe(
      "unknown triggers",
      "on: [«manuel», { «schedul»: {} }, { mail: «nwe» }, { schedule: «{ timezone: UTC }» }]\nsteps:\n"
        + "  - { uses: template, with: { text: x } }\n",
      "invalid_trigger", "unknown_key", "invalid_value", "invalid_trigger"),

    BrokenRecipe(
      "points that never come",
      "on:\n  - schedule: { cron: \"0 0 «30 2» *\" }\n"
        + "  - schedule: { rrule: 'FREQ=YEARLY;«BYMONTH=2;BYMONTHDAY=30»' }\nsteps:\n"
        + "  - { uses: template, with: { text: x } }\n",
      "invalid_trigger", "invalid_trigger"),

    // Inputs and keywords
    BrokenRecipe(
      "inputs that no value can satisfy",
      """
      inputs:
        a: { type: integer, minimum: 5, maximum: «3» }
        b: { type: string, maxLength: 1, minLength: «2» }
        c: { type: array, minItems: 2, maxItems: «1» }
        d: { type: string, enum: «[]» }
        e: { type: string, enum: [x, «1»] }
        f: { type: string, pattern: «"(?=x)"» }
        g: { type: array, items: { type: integer, default: «x» } }
        h: { type: string, format: email, default: «nobody» }
        i: { type: array, items: { type: integer }, default: [1, «x»] }
      steps:
        - { uses: template, with: { text: x } }

      """,
      "invalid_schema", "invalid_schema", "invalid_schema", "invalid_schema", "invalid_schema", "invalid_schema",
      "wrong_type", "invalid_value", "wrong_type"),
    BrokenRecipe(
      "bad input types",
      "inputs:\n  a: «strnig»\n  b: { type: «int» }\n  c: { «typ»: string }\n  «d-e»: string\nsteps:\n"
        + "  - { uses: template, with: { text: x } }\n",
      "invalid_schema", "invalid_schema", "unknown_key", "invalid_name"),
    BrokenRecipe(
      "default against its own schema",
      "inputs: { n: { type: integer, default: «many» }, m: { type: integer, minimum: 1, default: «0» } }\nsteps:\n"
        + "  - { uses: template, with: { text: x } }\n",
      "wrong_type", "invalid_value"),
    BrokenRecipe(
      "bad pattern",
      "inputs: { n: { type: string, pattern: «\"(\"» } }\nsteps:\n  - { uses: template, with: { text: x } }\n",
      "invalid_schema"),
    BrokenRecipe(
      "unknown input",
      "inputs: { folder: string }\nsteps:\n  - uses: template\n    with: { text: \"{{ inputs.«foldr» }}\" }\n",
      "unknown_input"),
    BrokenRecipe(
      "unknown keyword",
      "keywords: \"Anrede: Du; Länge: kurz\"\nsteps:\n  - uses: template\n"
        + "    with: { text: \"{{ «Anred» }} {{ «Lange» }} {{ keywords.«Stil» }}\" }\n",
      "unknown_keyword", "unknown_keyword", "unknown_keyword"),
    BrokenRecipe(
      "keyword text form",
      "keywords: \"Anrede: Du; «Stil»; «1a»: x; «Anrede»: Sie\"\nsteps:\n"
        + "  - { uses: template, with: { text: x } }\n",
      "invalid_value", "invalid_name", "duplicate_key"),
    BrokenRecipe(
      "steps in recipe keywords",
      "keywords: { a: \"{{ «steps».x.output }}\" }\nsteps:\n  - { id: x, uses: template, with: { text: x } }\n",
      "unknown_name"),

    // Actions and with
    BrokenRecipe("unknown action", "steps:\n  - uses: «mail.serch»\n", "unknown_action"),
    BrokenRecipe(
      "unknown with key", "steps:\n  - { uses: mail.search, with: { «foldr»: x, «unsen»: true } }\n", "unknown_key",
      "unknown_key"),
    BrokenRecipe("missing with", "steps:\n  - uses: «template»\n", "missing_key"),
    BrokenRecipe("missing with key", "steps:\n  - { uses: «template», with: {} }\n", "missing_key"),
    BrokenRecipe(
      "wrong literal types",
      "steps:\n  - uses: mail.search\n    with: { limit: «\"20\"», unseen: «yes», folder: «7» }\n", "wrong_type",
      "wrong_type", "wrong_type"),
    BrokenRecipe(
      "literal out of bounds",
      "steps:\n  - uses: mail.search\n    with: { limit: «0», order: «newst», since: «yesterday» }\n", "invalid_value",
      "invalid_value", "invalid_value"),
    BrokenRecipe(
      "list element of wrong type",
      "steps:\n  - uses: mail.send\n    with: { to: [a@example.com, «3»], subject: x, text: y }\n"
        + "  - uses: mail.send\n    with: { to: «[]», subject: x, text: y }\n",
      "wrong_type", "invalid_value"),
    BrokenRecipe(
      "expression of wrong type",
      "inputs: { n: { type: integer, default: 1 } }\nsteps:\n  - uses: mail.search\n"
        + "    with: { folder: «\"{{ inputs.n }}\"», limit: «\"{{ inputs.n }} mails\"», unseen: «\"{{ [1] }}\"» }\n",
      "wrong_type", "wrong_type", "wrong_type"),
    BrokenRecipe(
      "expression in a key",
      "steps:\n  - uses: mail.send\n    with:\n      to: [a@example.com]\n      subject: x\n"
        + "      text: y\n      headers: { «\"{{ x }}\"»: a }\n",
      "invalid_name"),
    BrokenRecipe(
      "broken answer schema",
      "steps:\n  - uses: chat.complete\n    with: { prompt: p, schema: { type: object, properties: { a: { type: «strin» } } } }\n",
      "invalid_schema"),

    BrokenRecipe(
      "addresses that are none",
      """
      steps:
        - uses: mail.send
          with:
            from: «Me»
            to: [me@example.com, «me@», "Me <me@example.com>", "{{ recipe.name }}"]
            cc: [«"a@example.com, b@example.com"»]
            bcc: [«me@exam ple.com», jörg@müller.example]
            reply_to: «<me>»
            subject: x
            text: y

      """,
      "invalid_value", "invalid_value", "invalid_value", "invalid_value", "invalid_value"),
    BrokenRecipe(
      "properties that an answer has not",
      """
      steps:
        - id: p
          uses: chat.complete
          with:
            prompt: x
            schema:
              type: object
              properties:
                summary: { type: string }
                tasks: { type: array, items: { properties: { who: { type: string } } } }
                rest: { properties: { a: {} }, additionalProperties: true }
        - uses: template
          with:
            text: "{{ steps.p.output.«sumary» }} {{ steps.p.output.text }} {{ steps.p.output.rest.anything }}"
        - uses: template
          with: { text: "{{ steps.p.output.tasks.map(t, t.«whom»).join(', ') }} {{ steps.p.output.summary.«foo» }}" }

      """,
      "unknown_field", "unknown_field", "wrong_type"),

    // References
    BrokenRecipe(
      "unknown step",
      "steps:\n\(search)  - uses: template\n    with: { text: \"{{ steps.«unraed».output.total }}\" }\n",
      "unknown_step"),
    BrokenRecipe(
      "unknown step by index",
      "steps:\n\(search)  - uses: template\n    with: { text: \"{{ steps['«unraed»'].output.total }}\" }\n",
      "unknown_step"),
    BrokenRecipe(
      "later step",
      "steps:\n  - { id: a, uses: template, with: { text: \"{{ steps.«b».output.text }}\" } }\n"
        + "  - { id: b, uses: template, with: { text: \"{{ steps.«b».output.text }}\" } }\n",
      "step_not_reached", "step_not_reached"),
    BrokenRecipe(
      "not among the needs",
      "steps:\n  - { id: a, uses: template, with: { text: x } }\n"
        + "  - { id: b, needs: [], uses: template, with: { text: \"{{ steps.«a».output.text }}\" } }\n",
      "step_not_reached"),
    BrokenRecipe(
      "unknown need", "steps:\n\(search)  - { needs: [«unred»], uses: template, with: { text: x } }\n", "unknown_step"),
    BrokenRecipe(
      "cycle",
      "steps:\n  - { id: a, needs: [«b»], uses: template, with: { text: x } }\n"
        + "  - { id: b, needs: [a], uses: template, with: { text: x } }\n",
      "dependency_cycle"),
    BrokenRecipe(
      "cycle through the line",
      "steps:\n  - { id: a, uses: template, with: { text: x } }\n"
        + "  - { id: b, needs: [«d»], uses: template, with: { text: x } }\n"
        + "  - { id: d, needs: [e], uses: template, with: { text: x } }\n"
        + "  - { id: e, needs: [b], uses: template, with: { text: x } }\n",
      "dependency_cycle"),
    BrokenRecipe(
      "needs itself", "steps:\n  - { id: a, needs: [«a»], uses: template, with: { text: x } }\n", "dependency_cycle"),
    BrokenRecipe(
      "unknown output field",
      "steps:\n\(search)  - uses: template\n    with: { text: \"{{ steps.unread.output.«mesages»[0].subject }}\" }\n",
      "unknown_field"),
    BrokenRecipe(
      "unknown field of an element",
      "steps:\n\(search)  - uses: template\n    for_each: \"{{ steps.unread.output.messages }}\"\n    as: message\n"
        + "    with: { text: \"{{ message.«sbject» }}\" }\n",
      "unknown_field"),
    BrokenRecipe(
      "items without a loop",
      "steps:\n\(search)  - uses: template\n    with: { text: \"{{ size(steps.unread.«items») }}\" }\n", "unknown_field"
    ),
    BrokenRecipe(
      "wrong argument",
      "steps:\n\(search)  - uses: template\n    with: { text: \"{{ size(«steps.unread.output.total») }}\" }\n",
      "wrong_type"),

    // when and for_each
    BrokenRecipe(
      "when is no truth value",
      "steps:\n\(search)  - { uses: template, when: \"«steps.unread.output.total»\", with: { text: x } }\n",
      "wrong_type"),
    BrokenRecipe(
      "when with text around", "steps:\n  - { uses: template, when: «\"not {{ true }}\"», with: { text: x } }\n",
      "invalid_value"),
    BrokenRecipe(
      "when syntax", "steps:\n  - { uses: template, when: \"1 +«»\", with: { text: x } }\n", "expression_syntax"),
    BrokenRecipe(
      "for_each over a number",
      "steps:\n\(search)  - { uses: template, for_each: «\"{{ steps.unread.output.total }}\"», with: { text: x } }\n"
        + "  - { uses: template, for_each: «3», with: { text: x } }\n",
      "wrong_type", "wrong_type"),
    BrokenRecipe(
      "loop variable outside of its step",
      "steps:\n  - { uses: template, for_each: [a], with: { text: \"{{ item }}\" } }\n"
        + "  - { uses: template, with: { text: \"{{ «item» + 'x' }}\" } }\n",
      "unknown_name"),
    BrokenRecipe(
      "unclosed template", "steps:\n  - { uses: template, with: { text: \"a «{{» b\" } }\n", "unclosed_template"),

    // Providers and prompts
    BrokenRecipe("unknown provider", "steps:\n  - { uses: mail.search, provider: «hme» }\n", "unknown_provider"),
    BrokenRecipe(
      "unsuitable provider", "steps:\n  - { uses: mail.search, provider: [home, «local»] }\n", "unsuitable_provider"),
    BrokenRecipe(
      "provider of a built-in action", "steps:\n  - { uses: template, provider: «home», with: { text: x } }\n",
      "conflicting_keys"),
    BrokenRecipe(
      "unknown defaults",
      "defaults: { «mail.stor»: home, chat: [local, «gtp»] }\nsteps:\n  - { uses: template, with: { text: x } }\n",
      "unknown_contract", "unknown_provider"),
    BrokenRecipe(
      "unknown prompt", "steps:\n  - { uses: chat.complete, with: { prompt: «mail/sumary», input: x } }\n",
      "unknown_prompt"),

    // Positions in every style
    BrokenRecipe(
      "block scalar",
      "steps:\n  - uses: template\n    with:\n      text: |\n        Hallo\n\n        {{ «nobody» }} und\n          {{ inputs.«x» }}\n",
      "unknown_keyword", "unknown_input"),
    BrokenRecipe(
      "folded scalar",
      "steps:\n  - uses: template\n    with:\n      text: >-\n        eins\n        zwei {{ keywords.«x» }}\n",
      "unknown_keyword"),
    BrokenRecipe(
      "escapes", "steps:\n  - uses: template\n    with: { text: \"\\u00e4\\t\\\"{{ inputs.«x» }}\\\"\" }\n",
      "unknown_input"),
    BrokenRecipe(
      "single quotes", "steps:\n  - uses: template\n    with: { text: 'it''s {{ inputs.«x» }}' }\n", "unknown_input"),
    BrokenRecipe(
      "plain", "steps:\n  - uses: template\n    with:\n      text: es ist\n        {{ inputs.«x» }}\n", "unknown_input"),
  ]
}

@Suite struct BrokenRecipeTests {
  @Test(arguments: BrokenRecipe.all)
  func everyMistakeIsFoundAtItsPlace(_ broken: BrokenRecipe) {
    let marked = MarkedText(broken.text)
    let planning = Planner.standard().plan(marked.source)
    let expected = zip(broken.codes, marked.ranges).map { Finding($0, $1) }
    #expect(marked.ranges.count == broken.codes.count)
    #expect(planning.diagnostics.map(Finding.init) == expected, "\(planning.summary)")
    #expect(planning.plan == nil)
  }

  @Test(arguments: BrokenRecipe.all)
  func everyMessageHasBothLanguages(_ broken: BrokenRecipe) {
    for diagnostic in Planner.standard().plan(MarkedText(broken.text).source).diagnostics {
      #expect(!diagnostic.message.english.isEmpty)
      #expect(diagnostic.message.english != diagnostic.message.german, "\(diagnostic.message.english)")
    }
  }

  @Test func allMistakesOfAFileAreFoundAtOnce() {
    let marked = MarkedText(
      """
      name: «1»
      inputs: { n: { type: «intger» } }
      steps:
        - id: unread
          uses: «mail.serch»
        - id: «unread»
          uses: mail.send
          provider: «hme»
          with: { to: «nobody», subject: "{{ steps.«unraed».output }}", text: x, «txt»: y }
          «whn»: true
      """)
    let diagnostics = Planner.standard().plan(marked.source).diagnostics
    #expect(diagnostics.map(\.range) == marked.ranges.map(Optional.some))
  }

  @Test func suggestionsAreOffered() {
    let diagnostics = Planner.standard().plan(
      "steps:\n  - { id: unread, uses: mail.search }\n  - { uses: template, with: { text: \"{{ steps.unraed.output }}\" } }\n"
    ).diagnostics
    #expect(diagnostics.map(\.suggestion) == ["unread"])
    #expect(diagnostics.first?.message.english == "unknown step 'unraed' — did you mean 'unread'?")
  }
}
