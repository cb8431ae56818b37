import Expressions
import Plans
import RecipePlanning
import RecipeSyntax
import Testing

/// Steps that hold steps: what they lower to, and what is refused.
@Suite struct BlockTests {
  private func plan(_ text: String) throws -> Plan {
    let planning = Planner.standard().plan(text)
    return try #require(planning.plan, "\(planning.summary)")
  }

  @Test func aBlockIsAPlanOfItsOwn() throws {
    let plan = try plan(
      """
      inputs: { names: { type: array, default: [a] } }
      steps:
        - { id: first, uses: template, with: { text: x } }
        - id: each
          for_each: inputs.names
          steps:
            - { id: one, uses: template, with: { text: "{{ item }} {{ steps.first.output.text }}" } }
            - { id: two, uses: template, with: { text: "{{ steps.one.output.text }}" } }
        - { uses: template, with: { text: "{{ steps.each.output.map(entry, entry.two.text).join(' ') }}" } }
      """)
    let block = try #require(plan.steps[1].child)
    #expect(block.block == "each")
    #expect(block.steps.map(\.id) == ["one", "two"])
    #expect(block.outputs.map(\.name) == ["one", "two"])
    #expect(block.inputs.map(\.name) == ["item", "steps"])
    #expect(plan.steps[1].loop?.variable == "item")
  }

  @Test func theStepsOfBranchesStandInTheRecipe() throws {
    let plan = try plan(
      """
      inputs: { kind: { type: string, default: a } }
      steps:
        - id: choose
          if: inputs.kind == 'a'
          then:
            - { id: yes, uses: template, when: "inputs.kind != 'b'", with: { text: x } }
            - id: inner
              switch: inputs.kind
              cases:
                a: [{ id: deep, uses: template, with: { text: x } }]
              default: [{ id: other, uses: template, with: { text: x } }]
          else:
            - { id: no, uses: template, with: { text: x } }
        - { id: last, uses: template, needs: [choose], with: { text: "{{ steps.no.status }}" } }
      """)
    #expect(plan.steps.map(\.id) == ["choose", "yes", "inner", "deep", "other", "no", "last"])
    #expect(plan.steps[1].condition?.source.contains("steps.choose.output.branch == 'then'") == true)
    #expect(plan.steps[3].condition?.source.contains("steps.inner.output.branch == 'a'") == true)
    #expect(plan.steps[6].needs == [0, 1, 2, 3, 4, 5])
  }

  @Test func aDecisionWithNeedsTakesItsBranchesAlong() throws {
    let plan = try plan(
      """
      steps:
        - { id: a, uses: template, with: { text: x } }
        - { id: b, uses: template, with: { text: x } }
        - id: choose
          needs: [a]
          if: "true"
          then:
            - { id: one, uses: template, with: { text: x } }
            - { id: two, uses: template, with: { text: x } }
            - { id: three, needs: [one], uses: template, with: { text: x } }
        - { id: c, uses: template, with: { text: x } }
      """)
    #expect(plan.steps.map(\.needs) == [[], [0], [0], [2], [3], [2, 3], [1]])
  }

  @Test(arguments: [
    "- { «with»: {}, steps: [{ uses: template, with: { text: x } }] }",
    "- { «uses»: template, steps: [{ uses: template, with: { text: x } }] }",
    "- { «retry»: 3, steps: [{ uses: template, with: { text: x } }] }",
    "- { steps: «[]» }",
    "- { «if»: \"true\" }",
    "- { if: \"true\", then: [{ uses: template, with: { text: x } }], «for_each»: [1] }",
    "- { if: \"true\", then: [{ uses: template, with: { text: x } }], «when»: \"true\" }",
    "- { if: «\"1 + 1\"», then: [{ uses: template, with: { text: x } }] }",
    "- { «switch»: \"'a'\" }",
    "- { switch: \"'a'\", cases: { «default»: [{ uses: template, with: { text: x } }] } }",
    "- { uses: template, with: { text: x }, «then»: [] }",
    "- { id: a, steps: [{ id: «a», uses: template, with: { text: x } }] }",
    "- { steps: [{ uses: template, with: { text: \"{{ steps.«b».output }}\" } }] }",
    "- { steps: [{ uses: template, with: { text: \"{{ steps.«b».output.text }}\" } }] }\n"
      + "- { id: b, uses: template, with: { text: x } }",
    "- { id: a, steps: [{ id: b, uses: template, with: { text: x } }] }\n"
      + "- { uses: template, with: { text: \"{{ steps.a.output.«c» }}\" } }",
    "- { id: a, steps: [{ id: b, uses: template, with: { text: x } }] }\n"
      + "- { uses: template, with: { text: \"{{ steps.«b».output.text }}\" } }",
    "- { for_each: [a], steps: [{ uses: template, with: { text: \"{{ «itm» }}\" } }] }",
    "- { steps: [{ uses: «templat», with: { text: x } }] }",
  ])
  func aWrongBlockHasItsPlace(_ marked: String) {
    let text = MarkedText("steps:\n" + marked)
    let planning = Planner.standard().plan(text.source)
    #expect(planning.plan == nil)
    #expect(planning.diagnostics.count == 1, "\(planning.summary)")
    let range = planning.diagnostics.first?.range
    #expect(range?.start.line == text.ranges.first?.start.line, "\(planning.summary)")
    #expect(abs((range?.start.column ?? 0) - (text.ranges.first?.start.column ?? 0)) <= 1, "\(planning.summary)")
  }

  @Test func anotherVersionOfABlockIsAnotherRecipe() throws {
    func fingerprints(_ text: String) throws -> (String, String?) {
      let plan = try plan("steps: [{ id: a, steps: [{ id: b, uses: template, with: { text: \(text) } }] }]\n")
      return (plan.fingerprint, plan.steps[0].child?.fingerprint)
    }
    let (one, two) = (try fingerprints("x"), try fingerprints("y"))
    #expect(one.0 != two.0)
    #expect(one.1 != two.1)
    #expect(one.1 != one.0)
  }
}
