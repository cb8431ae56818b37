import ArgumentParser
import Localization
import Secrets
import UseCases

/// `sous secrets`: the secrets of the configured providers, and the vault.
struct SecretsCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "secrets",
      abstract: say(
        "Set, list and test secrets; they are kept in a vault.",
        de: "Geheimnisse setzen, auflisten und prüfen; sie liegen in einem Tresor."),
      subcommands: [
        SecretsListCommand.self, SecretsSetCommand.self, SecretsDeleteCommand.self, SecretsRotateCommand.self,
        SecretsTestCommand.self, SecretsExecCommand.self,
      ],
      defaultSubcommand: SecretsListCommand.self)
  }

  /// Asks for the passphrase of a vault that is new, or that gets another, twice.
  @Sendable static func newPassphrase(of vault: Vault) throws(SecretError) -> SecureBytes {
    guard HiddenEntry.isPossible else {
      throw SecretError(
        .noTerminal,
        LocalizedText(
          "there is no terminal to ask for a new passphrase on; use a key file: --key-file",
          de:
            "es gibt kein Terminal, auf dem nach einer neuen Passphrase gefragt werden kann; nimm eine Schlüsseldatei: "
            + "--key-file"))
    }
    return try HiddenEntry.askTwice(
      say("New passphrase of the vault \(vault.path): ", de: "Neue Passphrase des Tresors \(vault.path): "),
      again: say("Once more: ", de: "Noch einmal: "))
  }
}

/// How a vault is locked that a command makes.
struct NewVaultOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      say(
        "Lock a new vault with a key file instead of a passphrase.",
        de: "Einen neuen Tresor mit einer Schlüsseldatei statt einer Passphrase verschließen.")))
  var keyFile = false

  var lock: NewLock { keyFile ? .keyFile : .passphrase(SecretsCommand.newPassphrase) }
}
