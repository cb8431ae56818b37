import Expressions
import Foundation
import Localization
import RecipePlanning
import RecipeSyntax
import Testing

@testable import Plans
@testable import RecipeModel

@Suite struct TypeMessageTests {
  /// Expressions with a mistake in their types, each in the text of a step.
  private static let mistakes = [
    "steps.unread.outputt", "steps.unread.output.totl", "steps.unread.output.messages[0].subjct",
    "steps.unread.output.messages[0].from.nam", "steps.unread.output.messages.map(m, m.from.adress)",
    "steps.unread.output.messages + 1", "steps.unread.output + 'x'", "steps.unread.output ? 'a' : 'b'",
    "steps.loop.items[0].outpt", "steps.loop.items[0].item.nme", "steps.unread.output.total.x", "inputs.limt",
    "inputs.limit + 'x'", "inputs.person.nme", "inputs.people[0].nme", "inputs.people.map(p, p.nme)",
    "steps.unread['x']", "steps.unread.output.total['x']", "size(steps.unread.output.total)",
    "steps.unread.output.total.filter(x, true)", "true ? steps.unread.output : 3", "{steps.unread.output: 1}",
    "math.greatest(steps.unread.output)", "[1].join(steps.unread.output)", "steps.unread.output.messages.join(1)",
    "steps.unread.output.messages[steps.unread]", "string(steps.unread)", "steps.given.output.lst", "run.strted",
    "recipe.nam", "steps.unread.output.messages.exists(m, m.from)", "{1: 2}.x", "matches(1, 2)", "size(1, 2)",
    "steps.loop.output.map(o, o.txt)", "'a'.contains(steps.unread.output)", "optional.of(1).optMap(x, x.y)",
    "[?steps.unread.output]", "'%s'.format(steps.unread)",
  ]

  /// What only English messages say.
  private static let fragments = [
    " of ", "element of", "output of", "item of", "step '", "input '", "value of", "any value", "entry of", " with ",
    " is ", " has ", " not ", " the ", " here", " wanted", "takes", " does ",
  ]

  @Test(arguments: mistakes) func germanMessagesAreGermanThroughout(_ expression: String) {
    let recipe = """
      name: sample
      inputs:
        limit: { type: integer, default: 3 }
        person: &person { type: object, properties: { name: { type: string } }, additionalProperties: false }
        people: { type: array, items: *person, default: [] }
      steps:
        - { id: unread, uses: mail.search, with: { limit: 3 } }
        - { id: given, uses: values, with: { list: [1] } }
        - { id: loop, for_each: "{{ inputs.people }}", uses: template, with: { text: "{{ item.name }}" } }
        - id: last
          uses: template
          with: { text: \(Value.string("{{ \(expression) }}").jsonString) }
      """
    let planning = Planner.forKinds([:]).plan(SourceText(path: "sample.yaml", text: recipe))
    #expect(planning.hasErrors, "nothing was found")
    for diagnostic in planning.diagnostics {
      let texts = [diagnostic.message] + diagnostic.related.map(\.message)
      for text in texts {
        for fragment in Self.fragments {
          #expect(!text.german.contains(fragment), "\(text.german)")
        }
      }
    }
  }

  @Test func conditionsAndLoopsSpeakGermanToo() {
    let planning = Planner.forKinds([:]).plan(
      """
      steps:
        - { id: unread, uses: mail.search, with: { limit: 3 } }
        - { id: a, when: steps.unread.output, uses: template, with: { text: x } }
        - { id: b, for_each: "{{ steps.unread.output.total }}", uses: template, with: { text: x } }
        - { id: c, uses: template, with: { text: "{{ steps.unread.output.messages }}" } }
        - { id: d, uses: mail.send, with: { to: "{{ steps.unread.output }}", subject: s, text: t } }
      """)
    #expect(planning.diagnostics.count >= 3)
    for diagnostic in planning.diagnostics {
      for fragment in Self.fragments { #expect(!diagnostic.message.german.contains(fragment), "\(diagnostic.message)") }
    }
  }

  @Test func partsOfAValueAreCalledByTheirPath() throws {
    let planning = Planner.forKinds([:]).plan(
      """
      steps:
        - { id: unread, uses: mail.search, with: { limit: 3 } }
        - { uses: template, with: { text: "{{ steps.unread.output.messages[0].from.nam }}" } }
      """)
    let message = try #require(planning.diagnostics.first?.message)
    #expect(message.english.hasPrefix("'messages[].from' of output of step 'unread' "))
    #expect(message.german.hasPrefix("'messages[].from' (Ausgabe von Schritt 'unread') "))
  }
}
