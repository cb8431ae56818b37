package import Expressions

/// A request that failed.
package struct ProblemPage: PageView {
  private let problem: Value

  /// Creates the page from a problem document.
  package init(_ problem: Value) { self.problem = problem }

  package func title(_ context: PageContext) -> String { problem.text("title") }

  package func contents(_ context: PageContext) -> HTML {
    tag(.div, .class("card")) {
      tag(.p, text: problem.text("detail"))
      tag(.p) { tag(.a, .href("/"), text: context.say("To the overview", de: "Zur Übersicht")) }
      tag(.small) {
        "\(problem.number("status")) · \(problem.text("code")) · "
        tag(.code, text: problem.text("request"))
      }
    }
  }
}
