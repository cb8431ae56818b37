import Expressions
import Testing

@testable import Plans
@testable import RecipePlanning
@testable import RecipeSyntax

@Suite struct TriggerTextTests {
  private static let now = Timestamp(rfc3339: "2026-06-15T12:00:00Z") ?? Timestamp(seconds: 0)

  @Test func aRuleThatIsOverIsAWarning() {
    var planner = Planner.standard()
    planner.now = { Self.now }
    let marked = MarkedText(
      "on: { schedule: { rrule: \"FREQ=DAILY;«UNTIL=20250101»\", at: \"09:00\" } }\n"
        + "steps: [{ uses: template, with: { text: x } }]\n")
    let planning = planner.plan(marked.source)
    #expect(planning.diagnostics.map(Finding.init) == [Finding("invalid_trigger", marked.ranges.first)])
    #expect(planning.diagnostics.map(\.severity) == [.warning])
    #expect(planning.plan?.triggers.count == 1)
  }

  @Test(
    arguments: [
      ("09:00", "09:00"), ("23:59:30", "23:59:30"), ("07:05:00", "07:05"), ("24:00", nil), ("9:00", nil),
      ("+9:00", nil),
      ("09:60", nil), ("09", nil), ("", nil),
    ] as [(String, String?)])
  func timesOfDayAreRead(text: String, expected: String?) {
    #expect(TimeOfDay(text)?.description == expected)
  }
}
