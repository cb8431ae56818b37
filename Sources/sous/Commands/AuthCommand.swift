import ArgumentParser
import Localization

/// `sous auth`: signing in to accounts by OAuth 2.0.
struct AuthCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "auth",
      abstract: say(
        "Sign in to accounts; their tokens are kept in the vault and refreshed.",
        de: "Bei Konten anmelden; ihre Tokens liegen im Tresor und werden erneuert."),
      discussion: say(
        """
        sous.yaml names accounts under 'auth'; a provider's setting refers to one: token: { oauth: work }.
        docs/sign-in.md shows how for Gmail, Microsoft and a server of your own.
        """,
        de: """
          sous.yaml nennt Konten unter 'auth'; eine Einstellung eines Providers verweist darauf: token: { oauth: work }.
          docs/sign-in.md zeigt, wie es bei Gmail, Microsoft und einem eigenen Server geht.
          """),
      subcommands: [
        AuthLoginCommand.self, AuthListCommand.self, AuthStatusCommand.self, AuthLogoutCommand.self,
      ],
      defaultSubcommand: AuthListCommand.self)
  }
}
