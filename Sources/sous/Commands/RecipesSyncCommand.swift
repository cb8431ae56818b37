import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import RecipeHistory
import RecipeModel
import RecordJSON
import UseCases

/// `sous recipes sync`
struct RecipesSyncCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sync",
      abstract: say(
        "Take the recipes of a Git repository over: all files, or none.",
        de: "Die Rezepte eines Git-Repositorys übernehmen: alle Dateien oder keine."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The repository: a URL, or the path of a clone (default: 'recipes.sync' in sous.yaml).",
        de: "Das Repository: eine URL oder der Pfad eines Klons (Vorgabe: 'recipes.sync' in sous.yaml)."),
      valueName: "repository"))
  var repository: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The branch (default: the one that the repository shows first).",
        de: "Der Branch (Vorgabe: der, den das Repository zuerst zeigt)."),
      valueName: "name"))
  var branch: String?

  @Option(
    help: ArgumentHelp(
      say("The folder in the repository (default: the whole).", de: "Der Ordner im Repository (Vorgabe: das ganze)."),
      valueName: "path"))
  var folder: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Refuse commits that are not signed by a signer whom your Git settings trust.",
        de: "Commits ablehnen, deren Unterzeichner die eigenen Git-Einstellungen nicht vertrauen.")))
  var verifySignatures = false

  @Option(
    help: ArgumentHelp(
      say(
        "Refuse commits that are not signed by one of the SSH signers in this file.",
        de: "Commits ablehnen, die keiner der SSH-Unterzeichner in dieser Datei signiert hat."),
      valueName: "file"), completion: .file())
  var signers: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Replace files that were changed here, and take a branch that was rewritten.",
        de: "Dateien ersetzen, die hier geändert wurden, und einen neu geschriebenen Branch nehmen.")))
  var force = false

  @Flag(
    name: .customLong("dry-run"),
    help: ArgumentHelp(say("Only show what would change.", de: "Nur zeigen, was sich ändern würde.")))
  var dryRun = false

  @Flag(
    help: ArgumentHelp(
      say("Do not ask before files are written.", de: "Nicht fragen, bevor Dateien geschrieben werden.")))
  var yes = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    var order = try order(project)
    (order.isForced, order.isDryRun) = (force, dryRun)
    let (asks, isJSON) = (!yes && !dryRun && !format.json && isatty(STDIN_FILENO) == 1, format.json)
    let report = try await project.syncRecipes(order) { report in
      if !isJSON { write(Self.text(report)) }
      guard asks else { return true }
      write(say("Write these files? [y/N] ", de: "Diese Dateien schreiben? [j/N] "))
      let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
      return ["y", "yes", "j", "ja"].contains(answer)
    }
    if report.isApplied, !report.changes.isEmpty { project.workspace.audit("recipe.sync", "recipes", report.change) }
    if format.json { return writeJSON(report.json(in: Speech.language)) }
    if dryRun { write(Self.text(report)) }
    write(Self.end(report))
  }

  /// The sync of the configuration, with what the options say instead.
  private func order(_ project: Project) throws -> RecipeSyncOrder {
    var settings: ConfiguredRecipeSync
    if let repository {
      settings = ConfiguredRecipeSync(url: repository)
    } else if let configured = try project.configuredSync() {
      settings = configured.settings
    } else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "no repository: name one, or set 'recipes: { sync: { url: … } }' in sous.yaml",
          de: "kein Repository: eines angeben, oder in sous.yaml 'recipes: { sync: { url: … } }' setzen"))
    }
    if let branch { settings.branch = branch }
    if let folder { settings.folder = folder }
    if verifySignatures, settings.signatures == nil { settings.signatures = .trusted }
    if let signers { settings.signatures = .signers(URL(fileURLWithPath: signers).path) }
    return RecipeSyncOrder(settings)
  }

  private static func text(_ report: RecipeSyncReport) -> String {
    var lines = ["\(report.commit.prefix(12)) \(report.author.singleLine): \(report.subject.singleLine)"]
    for change in report.changes {
      let mark =
        switch change.action {
        case .add: "+"
        case .update: "~"
        case .delete: "-"
        }
      let conflict = change.conflict.map { " (\($0.words.spoken))" } ?? ""
      lines.append("\(mark) \(change.path.singleLine)\(conflict)")
    }
    lines += report.problems.map { "! " + $0.message.spoken.singleLine }
    return lines.flatMap { $0.fitted(to: Terminal()) }.map { $0 + "\n" }.joined()
  }

  private static func end(_ report: RecipeSyncReport) -> String {
    let count = LocalizedText.count(report.changes.count, "file", "files", de: "Datei", "Dateien").spoken
    let folder = report.folder.shownPath
    guard report.isApplied else { return say("nothing was written\n", de: "nichts wurde geschrieben\n") }
    guard !report.changes.isEmpty else {
      return say("\(folder) is up to date\n", de: "\(folder) ist auf dem neuesten Stand\n")
    }
    return say("\(count) written in \(folder)\n", de: "\(count) geschrieben in \(folder)\n")
  }
}
