public import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import Schemas

/// Test results in the XML form that build servers read: <https://github.com/testmoapp/junitxml>.
public struct JUnitReport: Sendable {
  private let suites: [SuiteReport]
  private let language: Language

  /// Creates a report.
  public init(_ suites: [SuiteReport], language: Language) {
    self.suites = suites
    self.language = language
  }

  /// The document.
  public var xml: String {
    let tests = suites.reduce(0) { $0 + $1.tests.count }
    let failures = suites.reduce(0) { $0 + $1.tests.count { !$0.hasPassed } }
    let errors = suites.count { $0.hasErrors }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text +=
      "<testsuites name=\"sous test\" tests=\"\(tests + errors)\" failures=\"\(failures)\" errors=\"\(errors)\">\n"
    for suite in suites { text += self.text(suite) }
    return text + "</testsuites>\n"
  }

  private func text(_ suite: SuiteReport) -> String {
    let name = suite.path.xmlText
    let errors = suite.hasErrors ? 1 : 0
    let time = suite.tests.reduce(0) { $0 + $1.duration }
    var text =
      "  <testsuite name=\"\(name)\" tests=\"\(suite.tests.count + errors)\" "
      + "failures=\"\(suite.tests.count { !$0.hasPassed })\" errors=\"\(errors)\" time=\"\(time.seconds)\">\n"
    if suite.hasErrors {
      let problems = suite.diagnostics.filter { $0.severity == .error }
      text += "    <testcase classname=\"\(name)\" name=\"\(name)\">\n"
      text += element("error", problems) + "    </testcase>\n"
    }
    for test in suite.tests {
      text +=
        "    <testcase classname=\"\(name)\" name=\"\(test.name.value.xmlText)\" file=\"\(name)\" "
        + "line=\"\(test.name.range.start.line)\" time=\"\(test.duration.seconds)\""
      text += test.hasPassed ? "/>\n" : ">\n" + element("failure", test.diagnostics) + "    </testcase>\n"
    }
    return text + "  </testsuite>\n"
  }

  private func element(_ name: String, _ diagnostics: [Diagnostic]) -> String {
    let lines = diagnostics.map { diagnostic in
      let place = diagnostic.range.map { ":\($0.start.line):\($0.start.column)" } ?? ""
      return "\(diagnostic.path)\(place): \(diagnostic.message.string(in: language))"
    }
    let message = diagnostics.first?.message.string(in: language) ?? ""
    let type = diagnostics.first?.code.rawValue ?? ""
    return "      <\(name) message=\"\(message.xmlText)\" type=\"\(type.xmlText)\">"
      + lines.joined(separator: "\n").xmlText + "</\(name)>\n"
  }
}

extension Double {
  fileprivate var seconds: String { "\((self * 1e6).rounded() / 1e6)" }
}
