import Access
import ArgumentParser
import Engine
import Expressions
import Localization
import Schemas
import UseCases

/// `sous tokens`: the API tokens of the server.
struct TokensCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "tokens",
      abstract: say(
        "Make, list and remove API tokens of the server for programs.",
        de: "API-Tokens des Servers für Programme anlegen, auflisten und entfernen."),
      subcommands: [TokensListCommand.self, TokensAddCommand.self, TokensRemoveCommand.self],
      defaultSubcommand: TokensListCommand.self)
  }
}

/// `sous tokens list`
struct TokensListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list", abstract: say("List the tokens.", de: "Die Tokens auflisten."))
  }

  @Option(
    help: ArgumentHelp(say("Those of this user.", de: "Die dieses Benutzers."), valueName: "user"),
    completion: Completions.users)
  var user: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let user = user
    let tokens = try Workspace(global).readingAccess(
      { store in
        if let user { _ = try store.user(user) }
        return try store.tokens(user: user)
      }, ifMissing: { if let user { throw AccessError.noUsers(user) } else { [] } })
    if format.json { return writeJSON(.list(tokens.map(\.json))) }
    guard !tokens.isEmpty else {
      return write(
        say(
          "No tokens. 'sous tokens add NAME --user USER' makes one.\n",
          de: "Keine Tokens. 'sous tokens add NAME --user BENUTZER' legt eines an.\n"))
    }
    let now = SystemTime().now
    var table = TextTable([
      .init("ID"), .init(say("name", de: "Name"), .cut(to: 12)), .init(say("user", de: "Benutzer"), .cut(to: 12)),
      .init(say("scopes", de: "Umfang"), .below), .init(say("expires", de: "läuft ab"), .below),
      .init(say("last used", de: "zuletzt"), .below),
    ])
    for token in tokens { table.append(token.cells(now)) }
    write(table.text())
  }
}

extension AccessToken {
  fileprivate func cells(_ now: Timestamp) -> [String] {
    let expiry =
      isExpired(now)
      ? Terminal().styled(say("expired", de: "abgelaufen"), .yellow)
      : expires.map { say("until \($0.minute)", de: "bis \($0.minute)") } ?? say("never", de: "nie")
    return [
      id, name, user,
      scopes.isEmpty ? say("all rights of the user", de: "alle Rechte des Benutzers") : scopes.joined(separator: ", "),
      expiry, lastUsed.map { say("used \($0.minute)", de: "benutzt \($0.minute)") } ?? say("not used", de: "unbenutzt"),
    ]
  }
}

/// `sous tokens add`
struct TokensAddCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "add",
      abstract: say(
        "Make a token and print it, once.", de: "Ein Token anlegen und ausgeben, nur dieses eine Mal."))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "The purpose: the name of the script or the machine.", de: "Der Zweck: der Name des Skripts oder der Maschine."),
      valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      say("The user whose rights it has at most.", de: "Der Benutzer, dessen Rechte es höchstens hat."),
      valueName: "user"),
    completion: Completions.users)
  var user: String

  @Option(
    help: ArgumentHelp(
      say(
        "A limit: a role, or a right such as runs:create; may be repeated. Default: all rights of the user.",
        de:
          "Eine Grenze: eine Rolle oder ein Recht wie runs:create; mehrfach möglich. Vorgabe: alle Rechte des Benutzers."
      ),
      valueName: "scope"), completion: Completions.roles)
  var scope: [String] = []

  @Option(
    help: ArgumentHelp(
      say("When it expires: after 90d, 12h. Default: never.", de: "Wann es abläuft: nach 90d, 12h. Vorgabe: nie."),
      valueName: "duration"))
  var expires: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard let expires, (DurationText.seconds(expires) ?? 0) < 1 else { return }
    throw ValidationError(
      say(
        "--expires takes a duration such as 90d or 12h, not '\(expires)'",
        de: "--expires nimmt eine Dauer wie 90d oder 12h, nicht '\(expires)'"))
  }

  func run() async throws {
    let (name, user, scope, now) = (name, user, scope, SystemTime().now)
    let expiry = expires.flatMap { DurationText.seconds($0) }.map { now.adding(seconds: $0) }
    let made = try Workspace(global).readingAccess(
      { try $0.addToken(name: name, user: user, scopes: scope, expires: expiry, by: .ofCommand, now: now) },
      ifMissing: { throw AccessError.noUsers(user) })
    if format.json {
      guard case .map(var map) = made.token.json else { return }
      map["token"] = .string(made.text)
      return writeJSON(.map(map))
    }
    write(made.text + "\n")
    writeError(
      say(
        "The token \(made.token.id) is shown once and cannot be read again.\n",
        de: "Das Token \(made.token.id) wird nur einmal gezeigt und lässt sich nicht noch einmal lesen.\n"))
  }
}

/// `sous tokens remove`
struct TokensRemoveCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "remove",
      abstract: say(
        "Remove a token, which is refused from then on.", de: "Ein Token entfernen, das dann abgelehnt wird."))
  }

  @Argument(
    help: ArgumentHelp(
      say("The id of the token, or its name.", de: "Die ID des Tokens oder sein Name."), valueName: "token"))
  var token: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let reference = token
    // A token itself is not an argument: it would be in the list of processes, and must not be in an error.
    guard !reference.hasPrefix("sous_") else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "give the id of the token, not the token itself; 'sous tokens' lists the ids",
          de: "die ID des Tokens angeben, nicht das Token selbst; 'sous tokens' zählt die IDs auf"),
        code: "secret_in_argument")
    }
    let removed = try Workspace(global).readingAccess(
      { try $0.removeToken(reference, by: .ofCommand, now: SystemTime().now) },
      ifMissing: {
        throw AccessError(
          .unknownToken, LocalizedText("no token '\(reference)'", de: "kein Token '\(reference)'"))
      })
    if format.json { return writeJSON(removed.json) }
    write(
      Terminal().styled("✓", .green)
        + say(" token \(removed.name) is removed\n", de: " Token \(removed.name) ist entfernt\n"))
  }
}
