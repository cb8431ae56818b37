import ArgumentParser
import Expressions
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import UseCases

/// `sous validate`: finds everything that is wrong with recipes, before anything runs.
struct ValidateCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "validate",
      abstract: say("Check recipes without running them.", de: "Rezepte prüfen, ohne sie auszuführen."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "Recipes, test files (*.test.yaml), configurations (sous.yaml), or folders of recipes and tests.",
        de: "Rezepte, Testdateien (*.test.yaml), Konfigurationen (sous.yaml), oder Ordner mit Rezepten und Tests."),
      valueName: "recipe"), completion: Completions.recipes)
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
    // A configuration that is to be checked may be wrong, and is read only for what needs it.
    var project: Project?
    let files = try recipes.map { name in
      if !name.isRecipeName { return name }
      let known = try project ?? Project(workspace)
      project = known
      return try known.recipeFile(name).shownPath
    }
    let checked = try CheckedFiles(files)
    let form = format ?? (machine.json ? .json : .text)
    let report = DiagnosticReport(terminal: Terminal(descriptor: 2))
    var findings = Findings(checked)
    var worst = ExitStatus.success
    var neighbours: TriggerNeighbours?
    var plannings: [Planning] = []
    for file in checked.files {
      if file.kind == .recipe, project == nil { project = try Project(workspace) }
      plannings.append(workspace.planning(file, project))
    }
    for (file, first) in zip(checked.files, plannings) {
      var planning = first
      if TriggerNeighbours.matter(to: planning.plan), let project {
        let known = neighbours ?? Self.neighbours(of: project, checked.files, plannings)
        neighbours = known
        known.check(&planning, path: file.path, others: planning.plan.map { [$0.name] } ?? [])
      }
      if planning.hasErrors {
        worst = ExitStatus.wrongInput
      } else if !planning.providerProblems.isEmpty, worst == ExitStatus.success {
        worst = ExitStatus.environment
      }
      let fresh = findings.add(planning, path: file.path)
      guard form == .text else { continue }
      writeError(report.text(fresh))
      if !planning.hasErrors, planning.providerProblems.isEmpty {
        write("\(file.path): \(say("valid", de: "gültig"))\n")
      }
    }
    switch form {
    case .text: break
    case .json: writeJSON(.list(findings.values))
    case .sarif:
      writeJSON(DiagnosticFormat.sarif(findings.diagnostics, version: Version.current, language: Speech.language))
    case .github: writeVerbatim(DiagnosticFormat.github(findings.diagnostics, language: Speech.language))
    }
    if worst != ExitStatus.success { throw CommandError(worst) }
  }

  /// The served recipes and the checked ones.
  private static func neighbours(
    of project: Project, _ files: [CheckedFiles.File], _ plannings: [Planning]
  ) -> TriggerNeighbours {
    var neighbours = TriggerNeighbours(project)
    for (file, planning) in zip(files, plannings) where file.kind == .recipe {
      if let plan = planning.plan { neighbours.add(plan, path: file.path) }
    }
    return neighbours
  }
}
