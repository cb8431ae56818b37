import Access
import ArgumentParser
import Engine
import Expressions
import Localization
import UseCases

/// `sous roles`: what users of the server may do.
struct RolesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "roles",
      abstract: say(
        "List and make roles, and show who may do what on the server.",
        de: "Rollen auflisten und anlegen; zeigen, wer auf dem Server was darf."),
      subcommands: [
        RolesListCommand.self, RolesShowCommand.self, RolesAddCommand.self, RolesRemoveCommand.self,
        RolesOverviewCommand.self,
      ],
      defaultSubcommand: RolesListCommand.self)
  }
}

/// `sous roles list`
struct RolesListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "list", abstract: say("List the roles.", de: "Die Rollen auflisten."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let (roles, users) = try Workspace(global).readingAccess(
      { (try $0.roles(), try $0.users()) }, ifMissing: { (AccessRole.builtIn, []) })
    if format.json { return writeJSON(.list(roles.map(\.json))) }
    var table = TextTable([
      .init(say("role", de: "Rolle"), .cut(to: 16)), .number(say("users", de: "Benutzer")),
      .init(say("what for", de: "wofür"), .below),
    ])
    for role in roles {
      table.append([role.name, String(users.count { $0.roles.contains(role.name) }), role.title.spoken])
    }
    write(table.text())
  }
}

/// `sous roles show`
struct RolesShowCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show", abstract: say("Show the rights of a role.", de: "Die Rechte einer Rolle zeigen."))
  }

  @Argument(
    help: ArgumentHelp(say("The name of the role.", de: "Der Name der Rolle."), valueName: "role"),
    completion: Completions.roles)
  var role: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = role
    let role = try Workspace(global).readingAccess(
      { try $0.role(name) },
      ifMissing: {
        if let role = AccessRole.builtIn(name) { return role }
        throw AccessError(.unknownRole, LocalizedText("no role '\(name)'", de: "keine Rolle '\(name)'"))
      })
    if format.json { return writeJSON(role.json) }
    write(Terminal().styled(role.name, .bold) + " – " + role.title.spoken + "\n")
    let holder = Actor(user: "", roles: [role])
    write(RightsTable.text(AccessOverview.rows([holder]), withUsers: false))
  }
}

/// `sous roles overview`
struct RolesOverviewCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "overview", abstract: say("Show who may do what.", de: "Zeigen, wer was darf."))
  }

  @Option(
    help: ArgumentHelp(say("The rights of this user.", de: "Die Rechte dieses Benutzers."), valueName: "user"),
    completion: Completions.users)
  var user: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let user = user
    let rows = try Workspace(global).readingAccess(
      { store in
        if let user { _ = try store.user(user) }
        return try store.overview().filter { user == nil || $0.user == user }
      }, ifMissing: { if let user { throw AccessError.noUsers(user) } else { [] } })
    if format.json { return writeJSON(.list(rows.map(\.json))) }
    guard !rows.isEmpty else { return write(say("No rights.\n", de: "Keine Rechte.\n")) }
    write(RightsTable.text(rows, withUsers: true))
  }
}

/// Rights as a table.
enum RightsTable {
  static func text(_ rows: [AccessOverview.Row], withUsers: Bool) -> String {
    let subject: [TextTable.Column] = withUsers ? [.init(say("user", de: "Benutzer"), .cut(to: 10))] : []
    let verbs = [
      say("read", de: "lesen"), say("create", de: "anlegen"), say("update", de: "ändern"), say("delete", de: "löschen"),
    ]
    let end: [TextTable.Column] = withUsers ? [.init(say("by", de: "durch"), .below)] : []
    var table = TextTable(
      subject + [.init(say("object", de: "Gegenstand"), .cut(to: 13))] + verbs.map { TextTable.Column($0) } + end)
    for row in rows {
      let place = row.object.rawValue + (row.folder.map { "/" + $0 } ?? "")
      let scopes = AccessVerb.allCases.map { word(row.scopes[$0] ?? .none) }
      table.append(
        (withUsers ? [row.user] : []) + [place] + scopes + (withUsers ? [row.roles.joined(separator: ", ")] : []))
    }
    return table.text()
  }

  private static func word(_ scope: AccessScope) -> String {
    switch scope {
    case .none: "–"
    case .my: say("own", de: "eigene")
    case .group: say("group", de: "Gruppe")
    case .all: say("all", de: "alle")
    }
  }
}
/// `sous roles add`
struct RolesAddCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "add",
      abstract: say("Make a role of rules.", de: "Eine Rolle aus Regeln anlegen."),
      discussion: say(
        "A rule names an object and the scope of read, create, update and delete: 'runs: read=all create=my'. The scopes are "
          + "none, my, group and all. 'recipes/invoices: read=all' is about a folder of recipes, 'runs/invoices: read=all' "
          + "about the runs of these recipes.",
        de:
          "Eine Regel nennt einen Gegenstand und den Umfang von read, create, update und delete: 'runs: read=all create=my'. "
          + "Die Umfänge sind none, my, group und all. 'recipes/rechnungen: read=all' gilt für einen Ordner von Rezepten, "
          + "'runs/rechnungen: read=all' für die Läufe dieser Rezepte."))
  }

  @Argument(help: ArgumentHelp(say("The name of the role.", de: "Der Name der Rolle."), valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      say("A rule; may be repeated.", de: "Eine Regel; mehrfach möglich."), valueName: "rule"))
  var rule: [String]

  @Option(help: ArgumentHelp(say("A text for people.", de: "Ein Text für Menschen."), valueName: "text"))
  var title = ""

  @Flag(
    help: ArgumentHelp(
      say("Replace the role of this name.", de: "Die Rolle dieses Namens ersetzen.")))
  var replace = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let role = try mapErrors {
      try AccessRole(name: name, title: LocalizedText(verbatim: title), rules: try rule.map { try AccessRule($0) })
    }
    let replaces = replace
    try Workspace(global).changingAccess {
      try $0.saveRole(role, replaces: replaces, by: .ofCommand, now: SystemTime().now)
    }
    if format.json { return writeJSON(role.json) }
    write(Terminal().styled("✓", .green) + say(" role \(name) is stored\n", de: " Rolle \(name) ist gespeichert\n"))
  }
}

/// `sous roles remove`
struct RolesRemoveCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "remove",
      abstract: say(
        "Remove a role that no user and no token has.",
        de: "Eine Rolle entfernen, die kein Benutzer und kein Token hat."))
  }

  @Argument(
    help: ArgumentHelp(say("The name of the role.", de: "Der Name der Rolle."), valueName: "role"),
    completion: Completions.roles)
  var role: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let name = role
    try Workspace(global).changingAccess { try $0.removeRole(name, by: .ofCommand, now: SystemTime().now) }
    if format.json { return writeJSON(["name": .string(name), "removed": true]) }
    write(Terminal().styled("✓", .green) + say(" role \(name) is removed\n", de: " Rolle \(name) ist entfernt\n"))
  }
}
