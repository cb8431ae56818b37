import AccountSignIn
import ArgumentParser
import Expressions
import Localization
import OAuth
import UseCases

/// `sous auth login`: signs in to an account.
struct AuthLoginCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "login",
      abstract: say("Sign in to an account.", de: "Bei einem Konto anmelden."),
      discussion: say(
        """
        Opens the browser and waits for it to come back; with --device a code is typed in on any other device.
        """,
        de: """
          Öffnet den Browser und wartet, bis er zurückkommt; mit --device wird ein Code auf einem anderen Gerät eingegeben.
          """))
  }

  @Argument(
    help: ArgumentHelp(
      say(
        "google, microsoft, custom, or the name of an account in sous.yaml.",
        de: "google, microsoft, custom oder der Name eines Kontos in sous.yaml."), valueName: "account"))
  var target: String

  @Option(help: ArgumentHelp(say("The account's name.", de: "Der Name des Kontos."), valueName: "name"))
  var account: String?

  @Option(
    help: ArgumentHelp(
      say("The mail address that must be signed in to.", de: "Die Mailadresse, die angemeldet sein muss."),
      valueName: "address"))
  var address: String?

  @Flag(
    help: ArgumentHelp(
      say("Type a code in on another device.", de: "Einen Code auf einem anderen Gerät eingeben.")))
  var device = false

  @Flag(
    help: ArgumentHelp(
      say("Only print the URL; open no browser.", de: "Die URL nur ausgeben; keinen Browser öffnen.")))
  var noBrowser = false

  @Option(
    help: ArgumentHelp(
      say("The seconds to wait for the browser.", de: "Die Sekunden, die auf den Browser gewartet wird."),
      valueName: "seconds"))
  var timeout: Int64 = 300

  @Option(
    help: ArgumentHelp(say("The client's id at the server.", de: "Die ID des Clients beim Server."), valueName: "id"))
  var clientId: String?

  @Option(
    help: ArgumentHelp(
      say(
        "The name of the secret that holds the client's secret.",
        de: "Der Name des Geheimnisses, in dem das Geheimnis des Clients steht."), valueName: "name"))
  var clientSecret: String?

  @Option(
    help: ArgumentHelp(
      say("A scope to ask for; may be given again.", de: "Ein verlangter Scope; mehrfach möglich."), valueName: "scope")
  )
  var scope: [String] = []

  @Option(
    help: ArgumentHelp(
      say(
        "custom: the URL of a server that publishes its endpoints.",
        de: "custom: die URL eines Servers, der seine Endpunkte nennt."), valueName: "url"))
  var issuer: String?

  @Option(
    help: ArgumentHelp(
      say("custom: the URL that the browser opens.", de: "custom: die URL, die der Browser öffnet."), valueName: "url"))
  var authorizationEndpoint: String?

  @Option(
    help: ArgumentHelp(
      say("custom: the URL that gives tokens.", de: "custom: die URL, die Tokens ausgibt."), valueName: "url"))
  var tokenEndpoint: String?

  @Option(
    help: ArgumentHelp(
      say(
        "custom: the URL that begins a sign-in with --device.",
        de: "custom: die URL, mit der eine Anmeldung mit --device beginnt."), valueName: "url"))
  var deviceEndpoint: String?

  @Option(
    help: ArgumentHelp(
      say("custom: the URL that says whose token it is.", de: "custom: die URL, die sagt, wem ein Token gehört."),
      valueName: "url"))
  var userinfoEndpoint: String?

  @OptionGroup var vault: NewVaultOptions

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError(say("--timeout takes 1 to 86400 seconds", de: "--timeout erwartet 1 bis 86400 Sekunden"))
    }
  }

  func run() async throws {
    let accounts = Accounts(try Project(try Workspace(global)))
    let opens = !noBrowser && !device
    let result = try await accounts.signIn(request) { AuthPrompt.tell($0, opensBrowser: opens) }
    if format.json {
      writeJSON(result.account.json)
      return
    }
    let row = result.account
    let who = row.address.map { " (\($0))" } ?? ""
    let mark = Terminal().styled("✓", .green)
    write(say("\(mark) signed in to \(row.name)\(who)\n", de: "\(mark) angemeldet bei \(row.name)\(who)\n"))
    if result.isNewVault {
      write(
        say(
          "  The vault is new; without its key nobody can open it, you neither.\n",
          de: "  Der Tresor ist neu; ohne seinen Schlüssel kann ihn niemand öffnen, auch Sie nicht.\n"))
    }
    if row.state == .ending {
      writeError(
        Terminal(descriptor: 2).styled(say("warning: ", de: "Warnung: "), .yellow)
          + say(
            "the server gave no refresh token; the sign-in ends at \(row.expires?.spokenLocalTime ?? "")\n",
            de: "der Server gab kein Refresh-Token; die Anmeldung endet um \(row.expires?.spokenLocalTime ?? "")\n"))
    }
    if row.uses.isEmpty {
      write(
        say(
          "  No provider uses it yet: token: { oauth: \(row.name) }\n",
          de: "  Noch kein Provider verwendet es: token: { oauth: \(row.name) }\n"))
    }
  }

  private var request: SignInRequest {
    var request = SignInRequest(target)
    request.account = account
    request.address = address
    request.clientID = clientId
    request.clientSecretName = clientSecret
    request.scopes = scope.isEmpty ? nil : scope
    request.issuer = issuer
    request.endpoints = [
      "authorization_endpoint": authorizationEndpoint, "token_endpoint": tokenEndpoint,
      "device_authorization_endpoint": deviceEndpoint, "userinfo_endpoint": userinfoEndpoint,
    ].compactMapValues { $0 }
    request.usesDevice = device
    request.patience = timeout
    request.newVault = vault.lock
    return request
  }
}

/// The instructions on standard error while a sign-in waits.
enum AuthPrompt {
  static func tell(_ prompt: SignIn.Prompt, opensBrowser: Bool) {
    switch prompt {
    case .visit(let url):
      let isOpened = opensBrowser && Browser.open(url)
      writeError(
        (isOpened
          ? say("The browser opens; otherwise visit:\n", de: "Der Browser öffnet sich; sonst diese Seite besuchen:\n")
          : say("Visit this page to sign in:\n", de: "Zum Anmelden diese Seite besuchen:\n"))
          + "  \(url)\n"
          + say("Waiting for the browser to come back …\n", de: "Warten, bis der Browser zurückkommt …\n"))
    case .enter(let code, let url, let complete, let seconds):
      let minutes = max(1, seconds / 60)
      var text = say(
        "Visit \(url) on any device and type in the code:\n\n  \(code)\n\n",
        de: "Auf einem beliebigen Gerät \(url) besuchen und den Code eingeben:\n\n  \(code)\n\n")
      if let complete { text += say("or visit \(complete)\n", de: "oder \(complete) besuchen\n") }
      text += say("Waiting, at most \(minutes) min …\n", de: "Warten, höchstens \(minutes) min …\n")
      writeError(text)
    }
  }
}
