import Expressions
import Foundation
import FoundationXML
import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Testing

@testable import Schemas

@Suite struct PlanGraphTests {
  private static func step(_ id: String, needs: [Int] = [], title: String? = nil, isFinally: Bool = false) -> PlanStep {
    let origin = SourceRange.Position(line: 1, column: 1, offset: 0)
    var step = PlanStep(
      id: id, title: title, action: .values, needs: needs, range: SourceRange(start: origin, end: origin))
    step.isFinally = isFinally
    return step
  }

  private static func graph(_ steps: [PlanStep], name: String = "p") -> PlanGraph {
    PlanGraph(Plan(name: name, path: "p.yaml", fingerprint: "0", steps: steps))
  }

  @Test func arrowsThatOthersImplyAreLeftOut() {
    let graph = Self.graph([
      Self.step("a"), Self.step("b", needs: [0]), Self.step("c", needs: [0, 1]),
      Self.step("end", needs: [0, 1, 2], isFinally: true),
    ])
    #expect(graph.nodes.map(\.needs) == [[], [0], [1], [2]])
    #expect(graph.nodes.map(\.layer) == [0, 1, 2, 3])
  }

  @Test func stepsMayNeedLaterOnes() {
    let graph = Self.graph([Self.step("a", needs: [1]), Self.step("b")])
    #expect(graph.nodes.map(\.layer) == [1, 0])
    #expect(graph.mermaid.contains("s1 --> s0"))
  }

  @Test func aSmallPlanIsDrawn() {
    let graph = Self.graph([Self.step("a"), Self.step("b", needs: [0])])
    #expect(
      graph.mermaid == """
        flowchart TD
          s0["a<br/>values"]
          s1["b<br/>values"]
          s0 --> s1

        """)
    #expect(
      graph.dot == """
        digraph "p" {
          rankdir=TB;
          node [shape=box, style=rounded, fontname="sans-serif"];
          s0 [label="a\\nvalues"];
          s1 [label="b\\nvalues"];
          s0 -> s1;
        }

        """)
  }

  @Test(arguments: ["a \"b\" \\ <c> & ]]>", "{{ x }}", "line\nbreak\u{1}", "Größe; 東京", "\"]; evil[\""])
  func oddNamesStayNames(title: String) throws {
    let graph = Self.graph([Self.step("a", title: title)], name: title)
    #expect(XMLParser(data: Data(graph.svg.utf8)).parse())
    #expect(graph.mermaid.split(separator: "\n").count == 2)
    #expect(graph.mermaid.filter { $0 == "\"" }.count == 2)
    let dot = graph.dot.replacingOccurrences(of: "\\\\", with: "").replacingOccurrences(of: "\\\"", with: "")
    #expect(dot.filter { $0 == "\"" }.count == 6)
  }

  @Test func theScheduleNamesEveryPauseUpToTheLongest() {
    #expect(RetryPolicy(attempts: 8).pauses() == [1, 2, 4, 8, 16, 30, 30])
    #expect(
      RetryPolicy(attempts: 4).schedule.english == "4 attempts, pauses 1 s, 2 s, 4 s (±20 %), together at most 8.4 s")
    #expect(RetryPolicy(attempts: 1).schedule.english == "no repetition")
    #expect(RetryPolicy(attempts: 1000).schedule.english.contains("16 s, 30 s …"))
    #expect(RetryPolicy(attempts: 4, within: 5).longestWait == 5)
  }

  /// Words for people, with every run of blanks and line ends as one blank.
  private static func words(_ plan: Plan, _ breaker: EngineSettings.Breaker) -> String {
    PlanExplanation(plan, breaker: breaker).text(in: .english).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  @Test func whatAnOpenBreakerAddsIsTold() throws {
    var (none, one, two) = (Self.step("none"), Self.step("one"), Self.step("two"))
    one.providers = ["home"]
    two.providers = ["home", "work"]
    two.retry.within = 90
    let plan = Plan(name: "p", path: "p.yaml", fingerprint: "0", steps: [none])
    #expect(!Self.words(plan, .init()).contains("breaker"))
    #expect(PlanExplanation(plan).value["steps"]?.listValue?.first?["breaker"] == .null)
    var breaker = EngineSettings.Breaker()
    none = one
    let single = Self.words(Plan(name: "p", path: "p.yaml", fingerprint: "0", steps: [none]), breaker)
    #expect(single.contains("breaker after 3 failures in a row"))
    #expect(single.contains("breaker opens for 10 s to 50 s; the step then waits for it, once"))
    (breaker.failures, breaker.openSeconds) = (1, 30)
    let several = Plan(name: "p", path: "p.yaml", fingerprint: "0", steps: [two])
    #expect(Self.words(several, breaker).contains("breaker after a failure"))
    #expect(Self.words(several, breaker).contains("30 s to 150 s and the next one asked at once"))
    #expect(Self.words(several, breaker).contains("as part of the 90 s"))
    let value = PlanExplanation(several, breaker: breaker).value["steps"]?.listValue?.first?["breaker"]
    #expect(value == ["failures": 1, "open": 30.0, "longest": 150.0])
  }

  @Test(arguments: Language.allCases)
  func theTextKeepsItsWidth(language: Language) {
    var step = Self.step("a")
    step.input = .literal([
      "text": .string(String(repeating: "many words ", count: 60) + String(repeating: "x", count: 300))
    ])
    let text = PlanExplanation(Plan(name: "p", path: "p.yaml", fingerprint: "0", steps: [step])).text(in: language)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(text.contains("1. a  values"))
  }
}
