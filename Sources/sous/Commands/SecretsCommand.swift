import ArgumentParser
import Localization
import Secrets

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
        SecretsTestCommand.self,
      ],
      defaultSubcommand: SecretsListCommand.self)
  }

  /// The passphrase of a vault that is new, or that gets another, asked for twice.
  static func newPassphrase(of vault: Vault) throws(SecretError) -> VaultKey {
    guard HiddenEntry.isPossible else {
      throw SecretError(
        .noTerminal,
        LocalizedText(
          "there is no terminal to ask for a new passphrase on; use a key file: --key-file",
          de:
            "es gibt kein Terminal, auf dem nach einer neuen Passphrase gefragt werden kann; nimm eine Schlüsseldatei: "
            + "--key-file"))
    }
    return try VaultKeyring.checkedNew(
      try HiddenEntry.askTwice(
        say("New passphrase of the vault \(vault.path): ", de: "Neue Passphrase des Tresors \(vault.path): "),
        again: say("Once more: ", de: "Noch einmal: ")))
  }
}

extension CommandError {
  /// What is wrong with a secret: what the user has typed is the command line's, all else the surroundings'.
  init(_ error: SecretError) {
    let status =
      switch error.code {
      case .nameInvalid, .valueInvalid, .entry, .missing: ExitStatus.wrongInput
      case .interrupted: ExitStatus.interrupted
      default: ExitStatus.environment
      }
    self.init(status, error.message, code: error.code.rawValue)
  }
}

/// Runs what may go wrong with secrets, and says so as commands do.
func withSecrets<Result>(_ body: () throws(SecretError) -> Result) throws(CommandError) -> Result {
  do throws(SecretError) {
    return try body()
  } catch {
    throw CommandError(error)
  }
}
