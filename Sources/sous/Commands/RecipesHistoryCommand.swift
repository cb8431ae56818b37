import Access
import ArgumentParser
import Expressions
import Localization
import RecipeHistory
import RecordJSON
import RunStore
import UseCases

/// `sous recipes history`
struct RecipesHistoryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "history",
      abstract: say(
        "List the versions of a recipe, also of one that was deleted.",
        de: "Die Fassungen eines Rezepts auflisten, auch eines gelöschten."))
  }

  @OptionGroup var named: NamedRecipe

  @Option(help: ArgumentHelp(say("At most so many.", de: "Höchstens so viele."), valueName: "count"))
  var limit = 50

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    if limit < 1 { throw ValidationError(say("--limit must be at least 1", de: "--limit muss mindestens 1 sein")) }
  }

  func run() async throws {
    let project = try Project(try Workspace(global))
    let file = try await project.historyFile(of: named.name)
    let versions = try await project.recipeVersions(of: file, limit: limit)
    let current = try await project.currentVersion(of: file)
    if format.json {
      return writeJSON(.list(versions.map { $0.json(isCurrent: $0.number == current) }))
    }
    guard !versions.isEmpty else {
      return write(
        say(
          "No versions of \(file.shownPath) yet: 'sous serve' keeps those that it serves.\n",
          de:
            "Noch keine Fassungen von \(file.shownPath): 'sous serve' behält die Fassungen der Rezepte, die es ausführt.\n"
        ))
    }
    write(Self.table(versions, current).text())
  }

  private static func table(_ versions: [RecipeVersion], _ current: Int?) -> TextTable {
    var table = TextTable([
      .number(say("version", de: "Fassung")), .time(say("time", de: "Zeit")), .init(say("by", de: "von"), .cut(to: 10)),
      .init(say("how", de: "wie")), .number(say("size", de: "Größe")), .init(say("remark", de: "Bemerkung"), .below),
    ])
    for version in versions {
      var remarks = version.remarks.map(\.spoken)
      if version.number == current { remarks.append(say("the file now", de: "die Datei jetzt")) }
      table.append([
        "\(version.number)", version.at.minute, version.source.actor ?? "–", version.source.words.spoken,
        version.digest == nil ? "–" : version.bytes.spokenSize, remarks.joined(separator: ", "),
      ])
    }
    return table
  }
}

/// `sous recipes diff`
struct RecipesDiffCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "diff",
      abstract: say(
        "Show what differs between two versions of a recipe.",
        de: "Zeigen, worin sich zwei Fassungen eines Rezepts unterscheiden."))
  }

  @OptionGroup var named: NamedRecipe

  @Argument(
    help: ArgumentHelp(
      say(
        "The version before (default: the newest with another text).",
        de: "Die Fassung davor (Vorgabe: die neueste mit anderem Text)."),
      valueName: "from"))
  var from: Int?

  @Argument(
    help: ArgumentHelp(
      say(
        "The version after (default: the file as it is now).",
        de: "Die Fassung danach (Vorgabe: die Datei, wie sie jetzt ist)."),
      valueName: "to"))
  var to: Int?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let file = try await project.historyFile(of: named.name)
    let difference = try await project.recipeDifference(of: file, from: from, to: to)
    if format.json { return writeJSON(difference.json) }
    guard !difference.lines.isEmpty else { return write(say("no difference\n", de: "kein Unterschied\n")) }
    Self.show(difference)
  }

  /// The difference as `diff -u` writes it, with colours on a terminal.
  private static func show(_ difference: RecipeDifference) {
    let terminal = Terminal()
    let after = difference.to.map { say("version \($0)", de: "Fassung \($0)") } ?? difference.path.shownPath
    write("--- " + say("version \(difference.from)", de: "Fassung \(difference.from)") + "\n+++ \(after)\n")
    for hunk in difference.lines.hunks {
      writeVerbatim(terminal.styled(hunk.header, .cyan) + "\n")
      for line in hunk.lines {
        switch line {
        case .same: writeVerbatim(line.marked + "\n")
        case .removed: writeVerbatim(terminal.styled(line.marked, .red) + "\n")
        case .added: writeVerbatim(terminal.styled(line.marked, .green) + "\n")
        }
      }
    }
  }
}

/// `sous recipes rollback`
struct RecipesRollbackCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "rollback",
      abstract: say(
        "Give a recipe the text of an earlier version; that is a new version.",
        de: "Einem Rezept den Text einer früheren Fassung geben; das ist eine neue Fassung."))
  }

  @OptionGroup var named: NamedRecipe

  @Argument(help: ArgumentHelp(say("The version.", de: "Die Fassung."), valueName: "version"))
  var version: Int

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let file = try await project.historyFile(of: named.name)
    let before = project.recipeDigest(of: file)
    let new: RecipeVersion
    do {
      new = try await project.rollBackRecipe(file, to: version, by: .ofCommand)
    } catch {
      // The diagnostics follow, which alone would not say that nothing was changed.
      if error.planning != nil, !format.json { writeError(error.message.spoken + "\n") }
      throw error
    }
    project.workspace.audit(
      "recipe.rollback", "recipes/" + new.recipe, await project.recipeChange(of: file, from: before, to: new.digest))
    if format.json { return writeJSON(new.json(isCurrent: true)) }
    write(
      say(
        "\(file.shownPath) has the text of version \(version); this is version \(new.number)\n",
        de: "\(file.shownPath) hat den Text der Fassung \(version); das ist Fassung \(new.number)\n"))
  }
}

/// `sous recipes forget`
struct RecipesForgetCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "forget",
      abstract: say(
        "Remove versions of a recipe for good, for example because one has a secret.",
        de: "Fassungen eines Rezepts endgültig löschen, etwa weil eine ein Geheimnis enthält."))
  }

  @OptionGroup var named: NamedRecipe

  @Argument(
    help: ArgumentHelp(
      say(
        "The version (default: all except for the text of the file now).",
        de: "Die Fassung (Vorgabe: alle außer dem jetzigen Text der Datei)."), valueName: "version"))
  var version: Int?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let file = try await project.historyFile(of: named.name)
    let forgotten = try await project.forgetRecipeVersions(of: file, number: version)
    if !forgotten.numbers.isEmpty {
      project.workspace.audit("recipe.forget", "recipes/" + named.name, (forgotten.json, nil))
    }
    if format.json { return writeJSON(forgotten.json) }
    let count = forgotten.numbers.count
    write(
      count == 1
        ? say("1 version of \(file.shownPath) is removed\n", de: "1 Fassung von \(file.shownPath) ist gelöscht\n")
        : say(
          "\(count) versions of \(file.shownPath) are removed\n",
          de: "\(count) Fassungen von \(file.shownPath) sind gelöscht\n"))
    guard forgotten.held > 0 else { return }
    write(
      say(
        "texts that are still stored, because runs or other versions have them: \(forgotten.held)\n",
        de: "Texte, die gespeichert bleiben, weil Läufe oder andere Fassungen sie haben: \(forgotten.held)\n"))
  }
}

extension RecipeVersion.Source {
  /// The user of the operating system who runs the command.
  static var ofCommand: RecipeVersion.Source {
    let source = AuditSource.ofCommand
    return RecipeVersion.Source(origin: source.origin, actor: source.actor)
  }
}
