import ArgumentParser
import Expressions
import Localization
import Recipes
import Secrets

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
      var table = TextTable()
      for row in list.rows { table.append(row.cells(terminal)) }
      write(table.lines().map { $0 + "\n" }.joined())
    }
    if let problem = list.problems.first { throw CommandError(problem) }
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
    let names = try withSecrets { () throws(SecretError) in
      var checked: [SecretName] = []
      for name in self.names { checked.append(try SecretName(checking: name)) }
      return checked
    }
    var references = SecretList(project).rows
    if !names.isEmpty {
      references = names.map { name in
        references.first { $0.place == .name(name.text) }
          ?? SecretList.Row(place: .name(name.text), name: name.text, uses: [])
      }
    }
    let terminal = Terminal()
    var results: [Value] = []
    var table = TextTable()
    var isGood = true
    for row in references {
      var map: ValueMap = ["name": .string(row.name), "ok": .bool(true), "uses": .list(row.uses.map { .string($0) })]
      do throws(SecretError) {
        _ = try project.secrets.store.value(
          of: try project.secrets.request(row.place))
        table.append([terminal.styled("✓", .green) + " " + row.name, row.uses.joined(separator: ", ")])
      } catch {
        isGood = false
        map["ok"] = .bool(false)
        map["error"] = ["code": .string(error.code.rawValue), "message": .string(error.message.spoken)]
        table.append([terminal.styled("✗", .red) + " " + row.name, error.message.spoken])
      }
      results.append(.map(map))
    }
    if format.json { writeJSON(.list(results)) } else { write(table.lines().map { $0 + "\n" }.joined()) }
    if !isGood { throw CommandError(ExitStatus.environment) }
  }
}

/// The secrets that are used or kept somewhere, without their values.
struct SecretList {
  /// A secret.
  struct Row {
    let place: SecretReference.Place
    let name: String
    /// The settings that use it: `work.password`.
    var uses: [String]
    /// Where it is; `nil` where it was not found, or not looked for.
    var origin: SecretOrigin?
    /// Whether it is there; `nil` where only asking would tell, a command or a vault that is locked.
    var isThere: Bool?

    init(place: SecretReference.Place, name: String, uses: [String], origin: SecretOrigin? = nil, isThere: Bool? = nil)
    {
      self.place = place
      self.name = name
      self.uses = uses
      self.origin = origin
      self.isThere = isThere
    }
  }

  private let project: Project
  /// The secrets, those that are used first, in the order of `sous.yaml`.
  private(set) var rows: [Row] = []
  /// What went wrong while looking.
  private(set) var problems: [SecretError] = []

  /// The secrets that providers use; looks nothing up.
  init(_ project: Project) {
    self.project = project
    for provider in project.configuration.providers {
      for (reference, setting) in provider.settings.secretPlaces {
        let use = provider.name + "." + setting
        if let index = rows.firstIndex(where: { $0.place == reference.place }) {
          rows[index].uses.append(use)
        } else {
          rows.append(Row(place: reference.place, name: reference.name, uses: [use]))
        }
      }
    }
  }

  /// Finds out where they are, and which others there are. No command runs.
  mutating func look() {
    let sources = project.secrets.store.sources
    var broken: Set<Int> = []
    for index in rows.indices { look(at: index, in: sources, &broken) }
    for (index, source) in sources.enumerated() where !broken.contains(index) {
      for name in attempt({ () throws(SecretError) in try source.names() ?? [] }) ?? [] {
        guard !rows.contains(where: { $0.place == .name(name.text) }) else { continue }
        rows.append(
          Row(place: .name(name.text), name: name.text, uses: [], origin: source.origin, isThere: true))
      }
    }
  }

  private mutating func look(at index: Int, in sources: [any SecretSource], _ broken: inout Set<Int>) {
    switch rows[index].place {
    case .name(let text):
      guard let name = SecretName(text) else { return }
      var isSure = true
      for (number, source) in sources.enumerated() {
        guard !broken.contains(number), let has = attempt({ () throws(SecretError) in try source.has(name) }) else {
          // What a source that is locked or broken would say is not known.
          broken.insert(number)
          isSure = false
          continue
        }
        guard let has else {
          if isSure { rows[index].origin = source.origin }
          return
        }
        guard has else { continue }
        rows[index].origin = source.origin
        rows[index].isThere = isSure ? true : nil
        return
      }
      rows[index].isThere = isSure ? false : nil
    case .command(let arguments):
      rows[index].origin = SecretOrigin(.command, detail: arguments.first)
    case .environment, .file:
      let secrets = project.secrets
      let place = rows[index].place
      let isThere = attempt { () throws(SecretError) in
        do throws(SecretError) {
          _ = try secrets.store.value(of: try secrets.request(place))
          return true
        } catch {
          guard error.code == .missing else { throw error }
          return false
        }
      }
      rows[index].isThere = isThere
      if case .file(let path, _) = place {
        rows[index].origin = SecretOrigin(.file, detail: path)
      } else {
        rows[index].origin = SecretOrigin(.environment)
      }
    }
  }

  private mutating func attempt<Result>(_ body: () throws(SecretError) -> Result) -> Result? {
    do throws(SecretError) {
      return try body()
    } catch {
      problems.append(error)
      return nil
    }
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

  /// The row for `--json`: `{name, source, place?, found, uses}`; `found` is null where only asking would tell.
  var json: Value {
    var map: ValueMap = [
      "name": .string(name), "source": origin.map { .string($0.kind.rawValue) } ?? .null,
      "found": isThere.map { .bool($0) } ?? .null, "uses": .list(uses.map { .string($0) }),
    ]
    if let detail = origin?.detail { map["place"] = .string(detail) }
    return .map(map)
  }
}

extension String {
  /// The text behind the place of a diagnostic: `sous.yaml:4:51: …`.
  fileprivate func withPlace(_ diagnostic: Diagnostic) -> String {
    diagnostic.range.map { "\(diagnostic.path):\($0.start.line):\($0.start.column): \(self)" } ?? self
  }
}
