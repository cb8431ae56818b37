import Expressions
import RecipePlanning
import Testing

@Suite struct ValidationTimeTests {
  /// A recipe of steps, each of which speaks of another one.
  static func recipe(steps: Int, isWrong: Bool) -> String {
    var text = "steps:\n"
    for step in 0..<steps {
      let other = isWrong ? "stap_\(step)_of_many" : "step_\(max(0, step - 1))_of_many"
      let body = step == 0 && !isWrong ? "x" : "{{ steps.\(other).output.text }}"
      text += "  - { id: step_\(step)_of_many, uses: template, with: { text: \"\(body)\" } }\n"
    }
    return text
  }

  @Test(arguments: [false, true])
  func checkingTakesTimeInProportionToTheSteps(isWrong: Bool) {
    func time(steps: Int) -> Double {
      let text = Self.recipe(steps: steps, isWrong: isWrong)
      return processorTime {
        let planning = Planner.standard().plan(text)
        #expect(planning.diagnostics.count == (isWrong ? steps : 0))
      }
    }
    _ = time(steps: 10)
    let few = time(steps: 250)
    // Four times as many steps; comparing each with each would take sixteen times as long.
    #expect(time(steps: 1000) < few * 9)
  }
}
