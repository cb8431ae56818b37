import AccountSignIn
import ArgumentParser
import Expressions
import Localization
import UseCases

/// `sous auth list`: the accounts, whether they are signed in, and the providers that use them.
struct AuthListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list",
      abstract: say(
        "List accounts, and which providers use them.", de: "Konten auflisten, und welche Provider sie verwenden."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let rows = try Accounts(try Project(try Workspace(global))).rows()
    if format.json {
      writeJSON(.list(rows.map(\.json)))
    } else if rows.isEmpty {
      write(
        say(
          "No accounts. 'auth' in sous.yaml names them, and 'sous auth login' signs in (docs/sign-in.md).\n",
          de: "Keine Konten. 'auth' in sous.yaml nennt sie, und 'sous auth login' meldet an (docs/sign-in.md).\n"))
    } else {
      let terminal = Terminal()
      var table = TextTable([
        .init(say("account", de: "Konto")), .init(say("service", de: "Dienst")),
        .init(say("address", de: "Adresse")), .init(say("state", de: "Zustand"), .below),
        .init(say("used by", de: "verwendet von"), .below),
      ])
      for row in rows {
        let users = row.uses.isEmpty ? say("not used", de: "nicht verwendet") : row.uses.joined(separator: ", ")
        table.append([row.mark(terminal) + " " + row.name, row.service, row.address ?? "–", row.stateText, users])
      }
      write(table.text())
    }
  }
}

/// `sous auth status`: the state of accounts.
struct AuthStatusCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "status",
      abstract: say(
        "Show the state of accounts; fails if a sign-in is needed.",
        de: "Zeigen, wie es um Konten steht; scheitert, wo sich jemand anmelden muss."))
  }

  @Argument(
    help: ArgumentHelp(say("Only these accounts.", de: "Nur diese Konten."), valueName: "account"))
  var names: [String] = []

  @Flag(
    help: ArgumentHelp(
      say(
        "Get a token as a run would; it is refreshed if that is due.",
        de: "Ein Token holen, wie ein Lauf es täte; es wird erneuert, wo das fällig ist.")))
  var check = false

  @Flag(
    help: ArgumentHelp(
      say("Refresh the token, also if that is not due.", de: "Das Token erneuern, auch wo das nicht fällig ist.")))
  var refresh = false

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let accounts = Accounts(try Project(try Workspace(global)))
    let names = try self.names.isEmpty ? accounts.rows().map(\.name) : self.names
    var results: [Value] = []
    var isFailed = false
    for name in names {
      let (row, problem) = try await look(name, accounts)
      results.append(row.json(problem))
      if problem != nil || row.state == .notSignedIn || row.state == .signInAgain { isFailed = true }
      if !format.json { write(row.description(problem)) }
    }
    if format.json { writeJSON(.list(results)) }
    if isFailed { throw CommandError(ExitStatus.environment) }
  }

  private func look(_ name: String, _ accounts: Accounts) async throws -> (Accounts.Row, UseCaseError?) {
    let row = try accounts.row(name)
    guard (check || refresh) && row.state != .notSignedIn else { return (row, nil) }
    do throws(UseCaseError) {
      return (try await accounts.check(name, isForced: refresh), nil)
    } catch {
      return (try accounts.row(name), error)
    }
  }
}

/// `sous auth logout`: signs out of an account.
struct AuthLogoutCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "logout",
      abstract: say(
        "Sign out: take the tokens out of the vault, and back at the server where it can do that.",
        de: "Abmelden: die Tokens aus dem Tresor nehmen, und beim Server zurück, wo er das kann."))
  }

  @Argument(help: ArgumentHelp(say("The account's name.", de: "Der Name des Kontos."), valueName: "account"))
  var name: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let problem = try await Accounts(try Project(try Workspace(global))).signOut(name)
    if format.json {
      writeJSON(["name": .string(name), "server_problem": problem.map { .string($0.spoken) } ?? .null])
      return
    }
    write(Terminal().styled("✓", .green) + say(" signed out of \(name)\n", de: " abgemeldet von \(name)\n"))
    guard let problem else { return }
    writeError(
      Terminal(descriptor: 2).styled(say("warning: ", de: "Warnung: "), .yellow)
        + say(
          "the server did not take the tokens back; remove Sous there among the applications of the account: ",
          de: "der Server hat die Tokens nicht zurückgenommen; Sous dort aus den Anwendungen des Kontos entfernen: ")
        + problem.spoken + "\n")
  }
}
