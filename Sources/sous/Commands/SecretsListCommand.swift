import ArgumentParser
import Expressions
import Localization
import Providers
import RecipeModel
import RecipeSyntax
import RecordJSON
import Schemas
import Secrets
import UseCases

/// `sous secrets list`: the names of secrets, where they come from and who uses them; never a value.
struct SecretsListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say(
        "List secrets, where they come from and which providers use them.",
        de: "Geheimnisse auflisten, woher sie kommen und welche Provider sie verwenden."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let literals = project.providers.names.flatMap(project.providers.literalSecrets)
    writeError(literals.map { ($0.message.spoken + "\n").withPlace($0) }.joined())
    var list = SecretList(project)
    list.look()
    if format.json {
      writeJSON(Value.list(list.rows.map(\.json)))
    } else if list.rows.isEmpty && list.problems.isEmpty {
      write(
        say(
          "No secrets. A provider's setting names one, '{ secret: NAME }', and 'sous secrets set NAME' sets it.\n",
          de: "Keine Geheimnisse. Eine Einstellung eines Providers nennt eines, '{ secret: NAME }', und "
            + "'sous secrets set NAME' setzt es.\n"))
    } else {
      let terminal = Terminal()
      var table = TextTable([
        .init(say("secret", de: "Geheimnis")), .init(say("source", de: "Quelle"), .below),
        .init(say("used by", de: "verwendet von"), .below),
      ])
      for row in list.rows { table.append(row.cells(terminal)) }
      write(table.text())
    }
    if let problem = list.problems.first { throw problem }
  }
}

/// `sous secrets test`: whether the secrets can be had.
struct SecretsTestCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "test",
      abstract: say(
        "Get every secret that providers use, as a run would, and say whether that works.",
        de: "Jedes Geheimnis holen, das Provider verwenden, wie ein Lauf es täte, und sagen, ob das geht."))
  }

  @Argument(
    help: ArgumentHelp(
      say("Only these secrets, by name.", de: "Nur diese Geheimnisse, nach ihrem Namen."), valueName: "name"))
  var names: [String] = []

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let project = try Project(try Workspace(global))
    let tests = try SecretList(project).test(names)
    let terminal = Terminal()
    var results: [Value] = []
    var table = TextTable([
      .init(say("secret", de: "Geheimnis")), .init(say("used by, or problem", de: "Verwendung oder Problem"), .below),
    ])
    for (row, problem) in tests {
      var map: ValueMap = [
        "name": .string(row.name), "ok": .bool(problem == nil), "uses": .list(row.uses.map { .string($0) }),
      ]
      if let problem {
        map["error"] = ["code": .string(problem.code.rawValue), "message": .string(problem.message.spoken)]
        table.append([terminal.styled("✗", .red) + " " + row.name, problem.message.spoken])
      } else {
        table.append([terminal.styled("✓", .green) + " " + row.name, row.uses.joined(separator: ", ")])
      }
      results.append(.map(map))
    }
    if format.json { writeJSON(.list(results)) } else { write(table.text()) }
    if tests.contains(where: { $0.problem != nil }) { throw CommandError(ExitStatus.environment) }
  }
}

extension SecretList.Row {
  /// The row for people.
  func cells(_ terminal: Terminal) -> [String] {
    let mark =
      switch isThere {
      case true?: terminal.styled("✓", .green)
      case false?: terminal.styled("✗", .red)
      case nil: terminal.styled("?", .yellow)
      }
    let source =
      isThere == false
      ? say("missing", de: "fehlt")
      : origin?.text.spoken ?? say("not known", de: "nicht bekannt")
    let users = uses.isEmpty ? say("not used", de: "nicht verwendet") : uses.joined(separator: ", ")
    return [mark + " " + name, source, users]
  }
}

extension String {
  /// The text behind the place of a diagnostic: `sous.yaml:4:51: …`.
  fileprivate func withPlace(_ diagnostic: Diagnostic) -> String {
    diagnostic.range.map { "\(diagnostic.path):\($0.start.line):\($0.start.column): \(self)" } ?? self
  }
}
