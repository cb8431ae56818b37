import Access
import ArgumentParser
import Engine
import Expressions
import Localization
import UseCases

/// `sous users`: the users of the server.
struct UsersCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "users",
      abstract: say(
        "Add, list, change and remove users of the server.",
        de: "Benutzer des Servers anlegen, auflisten, ändern und entfernen."),
      subcommands: [
        UsersListCommand.self, UsersAddCommand.self, UsersChangeCommand.self, UsersPasswordCommand.self,
        UsersDisableCommand.self, UsersEnableCommand.self, UsersRemoveCommand.self, UsersSessionsCommand.self,
        UsersExportCommand.self, UsersEraseCommand.self,
      ],
      defaultSubcommand: UsersListCommand.self)
  }
}

/// `sous users list`
struct UsersListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say(
        "List the users with their roles and groups.", de: "Die Benutzer mit ihren Rollen und Gruppen auflisten."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let users = try Workspace(global).readingAccess({ try $0.users() }, ifMissing: { [] })
    if format.json { return writeJSON(.list(users.map(\.json))) }
    guard !users.isEmpty else {
      return write(
        say(
          "No users. 'sous users add NAME' adds the first one, who becomes administrator.\n",
          de: "Keine Benutzer. 'sous users add NAME' legt den ersten an, der Administrator wird.\n"))
    }
    var table = TextTable([
      .init(say("user", de: "Benutzer"), .cut(to: 16)), .init(say("sign-in", de: "Anmeldung")),
      .init(say("name", de: "Name"), .cut(to: 12)), .init(say("roles", de: "Rollen")),
      .init(say("groups", de: "Gruppen")),
    ])
    for user in users { table.append(user.cells) }
    write(table.text())
  }
}

extension AccessUser {
  fileprivate var cells: [String] {
    let signIn =
      disabled != nil
      ? Terminal().styled(say("disabled", de: "gesperrt"), .yellow)
      : hasPassword
        ? say("password", de: "Passwort")
        : identity == nil ? say("none", de: "keine") : say("external", de: "extern")
    return [name, signIn, fullName, roles.joined(separator: ", "), groups.joined(separator: ", ")]
  }
}

/// `sous users add`
struct UsersAddCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "add",
      abstract: say(
        "Add a user. The first one becomes administrator.",
        de: "Einen Benutzer anlegen. Der erste wird Administrator."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The user name: lower case letters, digits, '.', '-', '_', '@'.",
        de: "Der Benutzername: Kleinbuchstaben, Ziffern, '.', '-', '_', '@'."), valueName: "name"))
  var name: String

  /// Surplus arguments; read here so that no message repeats a password.
  @Argument(parsing: .allUnrecognized, help: .hidden)
  var surplus: [String] = []

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp(say("The full name.", de: "Der volle Name."), valueName: "name"))
  var fullName = ""

  @Option(
    help: ArgumentHelp(say("A role; may be repeated.", de: "Eine Rolle; mehrfach möglich."), valueName: "role"),
    completion: Completions.roles)
  var role: [String] = []

  @Option(
    help: ArgumentHelp(say("A group; may be repeated.", de: "Eine Gruppe; mehrfach möglich."), valueName: "group"))
  var group: [String] = []

  @Flag(
    help: ArgumentHelp(
      say(
        "Read the password from standard input, one line.",
        de: "Das Passwort von der Standardeingabe lesen, eine Zeile.")
    ))
  var passwordStdin = false

  @Flag(
    help: ArgumentHelp(
      say("Without a password: the user has tokens only.", de: "Ohne Passwort: der Benutzer hat nur Tokens.")))
  var noPassword = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard !passwordStdin || !noPassword else {
      throw ValidationError(
        say("--password-stdin or --no-password, not both", de: "--password-stdin oder --no-password, nicht beides"))
    }
  }

  func run() async throws {
    try PasswordEntry.refuse(surplus)
    let workspace = try Workspace(global)
    let isFirst = try workspace.readingAccess({ try $0.users().isEmpty }, ifMissing: { true })
    var draft = UserDraft(name: name, fullName: fullName, groups: Set(group), roles: Set(role))
    if !noPassword { draft.password = try PasswordEntry.read(fromInput: passwordStdin, user: name) }
    let user = try workspace.changingAccess { try $0.addUser(draft, by: .ofCommand, now: SystemTime().now) }
    if format.json { return writeJSON(user.json) }
    write(
      Terminal().styled("✓", .green) + say(" user \(user.name) is added\n", de: " Benutzer \(user.name) ist angelegt\n")
    )
    if isFirst, role.isEmpty, user.roles == [AccessRole.administrator.name] {
      write(
        say(
          "  The first user is administrator and may do everything.\n",
          de: "  Der erste Benutzer ist Administrator und darf alles.\n"))
    } else if user.roles.isEmpty {
      write(
        say(
          "  Without a role the user may do nothing: sous users change \(user.name) --role viewer\n",
          de: "  Ohne Rolle darf der Benutzer nichts: sous users change \(user.name) --role viewer\n"))
    }
  }
}

/// `sous users change`
struct UsersChangeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "change",
      abstract: say(
        "Change a user's name, language, roles or groups. Other roles end the user's sessions.",
        de: "Name, Sprache, Rollen oder Gruppen ändern. Andere Rollen beenden die Sitzungen des Benutzers."))
  }

  @OptionGroup var named: NamedUser

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp(say("The full name.", de: "Der volle Name."), valueName: "name"))
  var fullName: String?

  @Option(
    help: ArgumentHelp(
      say(
        "A role; may be repeated. All former ones go.", de: "Eine Rolle; mehrfach möglich. Alle früheren entfallen."),
      valueName: "role"), completion: Completions.roles)
  var role: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "A group; may be repeated. All former ones go.", de: "Eine Gruppe; mehrfach möglich. Alle früheren entfallen."),
      valueName: "group"))
  var group: [String] = []

  @Flag(help: ArgumentHelp(say("Remove all roles.", de: "Alle Rollen entfernen.")))
  var noRole = false

  @Flag(help: ArgumentHelp(say("Remove all groups.", de: "Alle Gruppen entfernen.")))
  var noGroup = false

  @Option(
    help: ArgumentHelp(
      say("The language of the user: en or de.", de: "Die Sprache des Benutzers: en oder de."), valueName: "tag"))
  var language: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard fullName != nil || !role.isEmpty || !group.isEmpty || noRole || noGroup || language != nil else {
      throw ValidationError(
        say(
          "name what to change: --name, --role, --no-role, --group, --no-group, --language",
          de: "angeben, was sich ändert: --name, --role, --no-role, --group, --no-group, --language"))
    }
    guard !noRole || role.isEmpty, !noGroup || group.isEmpty else {
      throw ValidationError(
        say(
          "--role or --no-role, --group or --no-group", de: "--role oder --no-role, --group oder --no-group"))
    }
    guard language.map({ Language(rawValue: $0) != nil }) ?? true else {
      throw ValidationError(say("--language takes en or de", de: "--language nimmt en oder de"))
    }
  }

  func run() async throws {
    let (name, change) = (
      named.user,
      UserChange(
        fullName: fullName, language: language.map { Language(rawValue: $0) },
        groups: noGroup ? [] : group.isEmpty ? nil : Set(group), roles: noRole ? [] : role.isEmpty ? nil : Set(role))
    )
    let user = try named.changing(global) { try $0.changeUser(name, change, by: .ofCommand, now: SystemTime().now) }
    if format.json { return writeJSON(user.json) }
    write(Terminal().styled("✓", .green) + say(" user \(name) is changed\n", de: " Benutzer \(name) ist geändert\n"))
  }
}

/// `sous users password`
struct UsersPasswordCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "password",
      abstract: say(
        "Give a user a new password. Its sessions end.",
        de: "Einem Benutzer ein neues Passwort geben. Seine Sitzungen enden."))
  }

  @OptionGroup var named: NamedUser

  /// Surplus arguments; read here so that no message repeats a password.
  @Argument(parsing: .allUnrecognized, help: .hidden)
  var surplus: [String] = []

  @Flag(
    help: ArgumentHelp(
      say(
        "Read the password from standard input, one line.",
        de: "Das Passwort von der Standardeingabe lesen, eine Zeile.")
    ))
  var passwordStdin = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    try PasswordEntry.refuse(surplus)
    let name = named.user
    // Before the password is asked for.
    _ = try named.changing(global) { try $0.user(name) }
    let password = try PasswordEntry.read(fromInput: passwordStdin, user: name)
    try named.changing(global) { try $0.setPassword(password, of: name, by: .ofCommand, now: SystemTime().now) }
    if format.json { return writeJSON(["name": .string(name)]) }
    write(
      Terminal().styled("✓", .green)
        + say(" \(name) has a new password\n", de: " \(name) hat ein neues Passwort\n"))
  }
}

/// The user that a command is about.
struct NamedUser: ParsableArguments {
  @Argument(
    help: ArgumentHelp(say("The user name.", de: "Der Benutzername."), valueName: "user"),
    completion: Completions.users)
  var user: String

  /// Works with the users, of which one must exist.
  func changing<Answer>(
    _ global: GlobalOptions, _ body: (AccessStore) throws -> Answer
  ) throws -> Answer {
    try Workspace(global).readingAccess(body, ifMissing: { throw AccessError.noUsers(user) })
  }

  /// Works with the users and something else, of which one must exist.
  func withUsers<Answer>(
    _ global: GlobalOptions, _ body: (AccessStore) async throws -> Answer
  ) async throws -> Answer {
    try await Workspace(global).withAccess(body, ifMissing: { throw AccessError.noUsers(user) })
  }
}
