import ArgumentParser
import Expressions
import Foundation
import Localization
import Recipes

/// `sous validate`: finds everything that is wrong with recipes, before anything runs.
struct ValidateCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "validate",
      abstract: say("Check recipes without running them.", de: "Rezepte prüfen, ohne sie auszuführen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("Recipes, or folders of recipes.", de: "Rezepte, oder Ordner mit Rezepten."), valueName: "recipe"))
  var recipes: [String]

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let project = try Project(try Workspace(global))
    var diagnostics: [Value] = []
    var worst = ExitStatus.success
    for path in try files() {
      let planning = project.planning(path)
      if planning.hasErrors {
        worst = ExitStatus.wrongInput
      } else if !planning.providerProblems.isEmpty, worst == ExitStatus.success {
        worst = ExitStatus.environment
      }
      if format.json {
        diagnostics += planning.diagnostics.map(\.json) + planning.providerProblems.map { $0.json(recipe: path) }
      } else {
        writeError(DiagnosticReport(terminal: Terminal(descriptor: 2)).text(planning))
        if planning.plan != nil { write("\(path): \(say("valid", de: "gültig"))\n") }
      }
    }
    if format.json { writeJSON(Value.list(diagnostics)) }
    if worst != ExitStatus.success { throw CommandError(worst) }
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
