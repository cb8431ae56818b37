import ArgumentParser
import Expressions
import Foundation
import Localization
import RecipeTesting
import Recipes

/// `sous validate`: finds everything that is wrong with recipes, before anything runs.
struct ValidateCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "validate",
      abstract: say(
        "Check recipes and their tests without running them.",
        de: "Rezepte und ihre Tests prüfen, ohne sie auszuführen."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "Recipes and test files, or folders of recipes.", de: "Rezepte und Testdateien, oder Ordner mit Rezepten."),
      valueName: "recipe"))
  var recipes: [String]

  @Option(
    help: ArgumentHelp(
      say(
        "How to answer: text, json, sarif (2.1.0) or github (workflow commands).",
        de: "Wie geantwortet wird: text, json, sarif (2.1.0) oder github (Workflow-Befehle)."), valueName: "form"))
  var format: Form?

  @OptionGroup var machine: FormatOptions
  @OptionGroup var global: GlobalOptions

  /// The forms of an answer.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
    case sarif
    case github
  }

  func run() throws {
    let workspace = try Workspace(global)
    let project = try Project(workspace)
    let form = format ?? (machine.json ? .json : .text)
    var findings = Findings()
    var worst = ExitStatus.success
    for path in try files() {
      if RecipeTester.isTestFile(path) {
        let report = try RecipeTester(workspace).check(path)
        if report.hasErrors { worst = ExitStatus.wrongInput }
        if form == .text {
          writeError(
            DiagnosticReport(terminal: Terminal(descriptor: 2)).text(report.diagnostics, sources: report.sources))
          if !report.hasErrors { write("\(path): \(say("valid", de: "gültig"))\n") }
        } else {
          findings.add(report.diagnostics)
        }
        continue
      }
      let planning = project.planning(path)
      if planning.hasErrors {
        worst = ExitStatus.wrongInput
      } else if !planning.providerProblems.isEmpty, worst == ExitStatus.success {
        worst = ExitStatus.environment
      }
      if form == .text {
        writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(planning))
        if planning.plan != nil { write("\(path): \(say("valid", de: "gültig"))\n") }
      } else {
        findings.add(planning, recipe: path)
      }
    }
    switch form {
    case .text: break
    case .json: writeJSON(.list(findings.values))
    case .sarif:
      writeJSON(DiagnosticFormat.sarif(findings.diagnostics, version: Version.current, language: Speech.language))
    case .github: write(DiagnosticFormat.github(findings.diagnostics, language: Speech.language))
    }
    if worst != ExitStatus.success { throw CommandError(worst) }
  }

  /// What was found in several recipes; a recipe that others run is named once.
  private struct Findings {
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var values: [Value] = []
    private var seen: Set<String> = []

    mutating func add(_ found: [Diagnostic]) {
      for diagnostic in found {
        let value = diagnostic.json
        guard seen.insert(value.jsonString).inserted else { continue }
        diagnostics.append(diagnostic)
        values.append(value)
      }
    }

    mutating func add(_ planning: Planning, recipe: String) {
      add(planning.diagnostics)
      for problem in planning.providerProblems {
        values.append(problem.json(recipe: recipe))
        let place = problem.provider.map { LocalizedText("provider '\($0)': ", de: "Provider '\($0)': ") }
        diagnostics.append(
          Diagnostic(
            Diagnostic.Code(rawValue: problem.code.rawValue),
            (place ?? LocalizedText(verbatim: "")) + problem.message, path: recipe, range: nil))
      }
    }
  }

  /// The recipes that were named, and those in folders that were; tests and configurations are no recipes.
  private func files() throws -> [String] {
    var files: [String] = []
    for path in recipes {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
        files.append(path)
        continue
      }
      let found = (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
        .filter { name in
          (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !name.hasSuffix(".test.yaml")
            && !name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "catalog" || $0 == "sous.yaml" }
        }
      if found.isEmpty {
        throw CommandError(
          ExitStatus.wrongInput, .init("no recipe in \(path)", de: "kein Rezept in \(path)"))
      }
      files += found.sorted().map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
    }
    return files
  }
}
