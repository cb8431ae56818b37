import Expressions
import Recipes
import Testing

@Suite struct ValidationTimeTests {
  /// A recipe of 1000 steps, each of which speaks of another one.
  static func recipe(isWrong: Bool) -> String {
    var text = "steps:\n"
    for step in 0..<1000 {
      let other = isWrong ? "stap_\(step)_of_many" : "step_\(max(0, step - 1))_of_many"
      let body = step == 0 && !isWrong ? "x" : "{{ steps.\(other).output.text }}"
      text += "  - { id: step_\(step)_of_many, uses: template, with: { text: \"\(body)\" } }\n"
    }
    return text
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func aThousandStepsAreCheckedInTime(isWrong: Bool) {
    let text = Self.recipe(isWrong: isWrong)
    var planning = Planner.standard().plan("steps: []\n")
    let time = ContinuousClock().measure { planning = Planner.standard().plan(text) }
    #expect(planning.diagnostics.count == (isWrong ? 1000 : 0))
    // A debug build on a loaded machine; a release build takes a tenth of it.
    #expect(time < .seconds(3), "\(time)")
  }
}
