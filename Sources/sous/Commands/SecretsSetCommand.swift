import ArgumentParser
import Expressions
import Glibc
import Localization
import Secrets
import UseCases

/// `sous secrets set`: puts a secret into the vault.
struct SecretsSetCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "set",
      abstract: say(
        "Put a secret into the vault; its value is typed, or read from standard input.",
        de: "Ein Geheimnis in den Tresor legen; sein Wert wird eingetippt oder von der Standardeingabe gelesen."))
  }

  @Argument(help: ArgumentHelp(say("The secret's name.", de: "Der Name des Geheimnisses."), valueName: "name"))
  var name: String

  /// Whatever else is on the command line; taken so that no message repeats it.
  @Argument(parsing: .allUnrecognized, help: .hidden)
  var surplus: [String] = []

  @OptionGroup var vault: NewVaultOptions

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    guard surplus.isEmpty else {
      throw CommandError(
        ExitStatus.wrongInput,
        LocalizedText(
          "a secret is never an argument: every user of this machine can read those, and the shell remembers them. "
            + "Change it where it was used, and call 'sous secrets set NAME' with nothing more; the value is asked for, "
            + "or read from standard input",
          de:
            "ein Geheimnis ist nie ein Argument: die kann jeder Benutzer dieser Maschine lesen, und die Shell merkt sie "
            + "sich. Ändere es dort, wo es galt, und rufe 'sous secrets set NAME' ohne weiteres auf; nach dem Wert wird "
            + "gefragt, oder er kommt von der Standardeingabe"),
        code: "secret_in_argument")
    }
    let secrets = try Project(try Workspace(global)).secrets
    tell(try secrets.set(name, newVault: vault.lock, value: Self.value), secrets.vault.path)
  }

  private static func value(of name: SecretName) throws(SecretError) -> SecureBytes {
    guard isatty(STDIN_FILENO) == 1 else { return try HiddenEntry.readStandardInput() }
    return try HiddenEntry.askTwice(
      say("Value of \(name): ", de: "Wert von \(name): "), again: say("Once more: ", de: "Noch einmal: "))
  }

  private func tell(_ secret: KeptSecret, _ vault: String) {
    let name = secret.name
    if format.json {
      writeJSON([
        "name": .string(name.text), "vault": .string(vault), "created": .bool(secret.isNewVault),
        "replaced": .bool(secret.isReplaced),
      ])
    } else {
      let mark = Terminal().styled("✓", .green)
      if secret.isNewVault {
        write(
          say(
            "\(mark) \(vault) is a new vault; without its key nobody can open it, you neither\n",
            de: "\(mark) \(vault) ist ein neuer Tresor; ohne seinen Schlüssel kann ihn niemand öffnen, auch Sie nicht\n"
          )
        )
      }
      write(
        secret.isReplaced
          ? say("\(mark) \(name) has a new value\n", de: "\(mark) \(name) hat einen neuen Wert\n")
          : say("\(mark) \(name) is set\n", de: "\(mark) \(name) ist gesetzt\n"))
    }
    for warning in secret.warnings {
      writeError(Terminal(descriptor: 2).styled(say("warning: ", de: "Warnung: "), .yellow) + warning.spoken + "\n")
    }
  }
}
