import Expressions
import Localization
import RecipeModel
import RecipeSyntax
import RecipeTesting

/// The results of tests for machines, and their coverage for people.
struct TestResults {
  let reports: [SuiteReport]

  /// `{passed, failed, suites: [{path, diagnostics, tests: [{name, line, passed, seconds, diagnostics}], coverage}]}`.
  var value: Value {
    let tests = reports.flatMap(\.tests)
    let failed = tests.count { !$0.hasPassed }
    return [
      "passed": .int(Int64(tests.count - failed)), "failed": .int(Int64(failed)),
      "suites": .list(
        reports.map { report in
          [
            "path": .string(report.path), "diagnostics": .list(report.diagnostics.map(\.json)),
            "tests": .list(
              report.tests.map { test in
                [
                  "name": .string(test.name.value), "line": .int(Int64(test.name.range.start.line)),
                  "passed": .bool(test.hasPassed), "seconds": .double(test.duration),
                  "diagnostics": .list(test.diagnostics.map(\.json)),
                ]
              }), "coverage": report.coverage.map(Self.value) ?? .null,
          ]
        }),
    ]
  }

  private static func value(_ coverage: Coverage) -> Value {
    [
      "recipe": .string(coverage.recipe), "percent": .double((coverage.percent * 10).rounded() / 10),
      "steps": .list(
        coverage.steps.map { step in
          [
            "id": .string(step.id),
            "covered": .list(step.branches.filter { step.covered.contains($0) }.map { .string($0.rawValue) }),
            "missing": .list(step.branches.filter { !step.covered.contains($0) }.map { .string($0.rawValue) }),
          ]
        }),
    ]
  }

  /// A line for each recipe and each of its steps: `✓` for what ran, `·` for what did not.
  var coverageTable: String {
    var table = TextTable([
      .init(say("recipe and step", de: "Rezept und Schritt")), .number(say("covered", de: "abgedeckt")), .number("%"),
      .init(say("branches", de: "Zweige"), .below),
    ])
    for coverage in reports.compactMap(\.coverage) {
      table.append([
        coverage.recipe, "\(coverage.coveredCount)/\(coverage.total)", "\(Int(coverage.percent)) %",
      ])
      for step in coverage.steps {
        let branches = step.branches.map { (step.covered.contains($0) ? "✓ " : "· ") + $0.words }
        table.append(["  " + step.id, "", "", branches.joined(separator: "  ")])
      }
    }
    return "\n" + table.text() + "\n"
  }
}

extension Coverage.Branch {
  /// The branch for people.
  fileprivate var words: String {
    switch self {
    case .ran: say("ran", de: "lief")
    case .whenTrue: say("when true", de: "when wahr")
    case .whenFalse: say("when false", de: "when falsch")
    case .items: say("items", de: "Elemente")
    case .noItems: say("no items", de: "ohne Elemente")
    case .failed: say("failed", de: "gescheitert")
    }
  }
}
