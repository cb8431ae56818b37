import Localization
import RecipePlanning
import Testing

@testable import RecipeSyntax

@Suite struct TypeOriginTests {
  @Test func aWrongTypeNamesTheSchemaItComesFrom() {
    let planning = Planner.standard().plan(
      """
      steps:
        - { id: count, uses: mail.search }
        - { uses: template, with: { text: "{{ size(steps.count.output.total) }}" } }
        - { uses: template, with: { text: "{{ steps.count.output.totl }}" } }

      """)
    #expect(
      planning.diagnostics.flatMap(\.related).map(\.message.english) == [
        "in the output of mail.search, 'total' is an integer",
        "the output of mail.search has messages, total, cursor, unreadable",
      ])
    #expect(planning.diagnostics.flatMap(\.related).map(\.range.start.line) == [2, 2])
  }

  @Test func aWrongTypeLeadsToTheDeclaration() {
    let text = MarkedText(
      """
      inputs: { «limit»: integer }
      steps:
        - { uses: template, with: { text: "{{ size(inputs.limit) }}" } }
        - id: answer
          uses: chat.complete
          with: { prompt: x, input: y, schema: { type: object, properties: { «good»: { type: boolean } } } }
        - { uses: template, with: { text: "{{ size(steps.answer.output.good) }}" } }

      """)
    let planning = Planner.standard().plan(text.source)
    #expect(planning.diagnostics.map(\.code) == [.wrongType, .wrongType], "\(planning.summary)")
    #expect(planning.diagnostics.flatMap(\.related).map(\.range) == text.ranges, "\(planning.summary)")
  }

  @Test func anUnknownPropertyLeadsToTheSchemaThatListsTheOthers() {
    let text = MarkedText(
      """
      steps:
        - id: p
          uses: chat.complete
          with: { prompt: x, schema: { «properties»: { summary: { type: string } } } }
        - { uses: template, with: { text: "{{ steps.p.output.sumary }}" } }

      """)
    let planning = Planner.standard().plan(text.source)
    #expect(planning.diagnostics.map(\.suggestion) == ["summary"], "\(planning.summary)")
    #expect(planning.diagnostics.flatMap(\.related).map(\.range) == text.ranges, "\(planning.summary)")
  }
}
