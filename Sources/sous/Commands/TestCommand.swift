import ArgumentParser
import Builtins
import Expressions
import Foundation
import Localization
import RecipeModel
import RecipeTesting
import UseCases

/// `sous test`: runs the tests of recipes, offline and on a clock of their own.
struct TestCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "test",
      abstract: say("Run the tests of recipes.", de: "Die Tests von Rezepten ausführen."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "Test files (*.test.yaml), or folders of them (default: the current folder).",
        de: "Testdateien (*.test.yaml), oder Ordner damit (Vorgabe: der aktuelle Ordner)."), valueName: "path"))
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      say("Only tests whose name contains this text.", de: "Nur Tests, deren Name diesen Text enthält."),
      valueName: "text"))
  var filter: String?

  @Flag(help: ArgumentHelp(say("Show which steps and branches ran.", de: "Zeigen, welche Schritte und Zweige liefen.")))
  var coverage = false

  @Option(
    help: ArgumentHelp(
      say("Fail when less than so many percent are covered.", de: "Scheitern, wenn weniger Prozent abgedeckt sind."),
      valueName: "percent"))
  var minCoverage: Double?

  @Option(
    name: .customLong("junit"),
    help: ArgumentHelp(
      say("Write the results as JUnit XML.", de: "Die Ergebnisse als JUnit-XML schreiben."), valueName: "file"))
  var junit: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if let minCoverage, !(0...100).contains(minCoverage) {
      throw ValidationError(
        say("--min-coverage is a number from 0 to 100", de: "--min-coverage ist eine Zahl von 0 bis 100"))
    }
  }

  func run() async throws {
    let workspace = try Workspace(global)
    let tester = RecipeTester(workspace)
    var reports: [SuiteReport] = []
    for file in try RecipeTester.testFiles(paths.map { try testFile($0, workspace) }) {
      let report = await tester.run(file) { name in filter.map { name.contains($0) } ?? true }
      if !format.json { tell(report) }
      reports.append(report)
    }
    if filter != nil, reports.allSatisfy({ $0.tests.isEmpty && !$0.hasErrors }) {
      throw CommandError(
        ExitStatus.wrongInput,
        .init("no test's name contains '\(filter ?? "")'", de: "kein Testname enthält '\(filter ?? "")'"))
    }
    if let junit { try write(JUnitReport(reports, language: Speech.language).xml, to: junit) }
    let isCovered = reports.allSatisfy { ($0.coverage?.percent ?? 100) >= (minCoverage ?? 0) }
    if format.json {
      writeVerbatim(TestResults(reports: reports).value.jsonString + "\n")
    } else {
      if coverage || !isCovered { write(TestResults(reports: reports).coverageTable) }
      write(summary(reports))
      if !isCovered {
        writeError(
          say(
            "error: less than \((minCoverage ?? 0).formatted()) % are covered\n",
            de: "Fehler: weniger als \((minCoverage ?? 0).formatted()) % sind abgedeckt\n"))
      }
    }
    if reports.contains(where: \.hasErrors) { throw CommandError(ExitStatus.wrongInput) }
    if !isCovered || reports.contains(where: { $0.tests.contains { !$0.hasPassed } }) {
      throw CommandError(ExitStatus.runFailed)
    }
  }

  /// The test file of an argument: the name of a recipe, or else a path.
  private func testFile(_ name: String, _ workspace: Workspace) throws -> String {
    guard name.isRecipeName else { return name }
    let recipe = try Project(workspace).recipeFile(name).shownPath
    return (recipe as NSString).deletingPathExtension + ".test.yaml"
  }

  private func tell(_ report: SuiteReport) {
    let terminal = Terminal()
    let problems = DiagnosticReport(terminal: terminal)
    write(terminal.styled(report.path, .bold) + "\n" + problems.text(report.diagnostics, sources: report.sources))
    for test in report.tests {
      let mark = test.hasPassed ? terminal.styled("✓", .green) : terminal.styled("✗", .red)
      write("  \(mark) \(test.name.value)\n" + problems.text(test.diagnostics, sources: report.sources))
    }
  }

  private func summary(_ reports: [SuiteReport]) -> String {
    let tests = reports.flatMap(\.tests)
    let failed = tests.count { !$0.hasPassed }
    let broken = reports.count(where: \.hasErrors)
    var text = say(
      "\(tests.count - failed) passed, \(failed) failed", de: "\(tests.count - failed) bestanden, \(failed) gescheitert"
    )
    if broken > 0 {
      text +=
        ", "
        + LocalizedText.count(broken, "file is wrong", "files are wrong", de: "Datei ist falsch", "Dateien sind falsch")
        .spoken
    }
    return text + "\n"
  }

  private func write(_ text: String, to path: String) throws {
    try OutputFile.write(text, to: path, in: try Workspace(global), mode: 0o666)
  }

  private func write(_ text: String) {
    sous.write(text)
  }
}
