import ArgumentParser
import Expressions
import Localization
import Secrets
import UseCases

/// `sous secrets delete`: takes a secret out of the vault.
struct SecretsDeleteCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete",
      abstract: say("Take a secret out of the vault.", de: "Ein Geheimnis aus dem Tresor nehmen."))
  }

  @Argument(help: ArgumentHelp(say("The secret's name.", de: "Der Name des Geheimnisses."), valueName: "name"))
  var name: String

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws {
    let secrets = try Project(try Workspace(global)).secrets
    let name = try secrets.delete(self.name)
    if format.json {
      writeJSON(["name": .string(name.text), "vault": .string(secrets.vault.path)])
    } else {
      write(Terminal().styled("✓", .green) + say(" \(name) is gone\n", de: " \(name) ist weg\n"))
    }
  }
}

/// `sous secrets rotate`: locks the vault with another key.
struct SecretsRotateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "rotate",
      abstract: say(
        "Lock the vault with a new key of the same sort, or of another.",
        de: "Den Tresor mit einem neuen Schlüssel derselben oder der anderen Art verschließen."))
  }

  @Flag(
    help: ArgumentHelp(
      say(
        "With a key file: SOUS_VAULT_KEY_FILE, or vault.key in the user's configuration.",
        de: "Mit einer Schlüsseldatei: SOUS_VAULT_KEY_FILE, oder vault.key in der Konfiguration des Benutzers.")))
  var keyFile = false

  @Flag(
    help: ArgumentHelp(
      say("With a passphrase, which is asked for.", de: "Mit einer Passphrase, nach der gefragt wird.")))
  var passphrase = false

  @Option(
    help: ArgumentHelp(
      say("With the passphrase in this file.", de: "Mit der Passphrase in dieser Datei."), valueName: "file"))
  var passphraseFile: String?

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard !keyFile || (!passphrase && passphraseFile == nil) else {
      throw ValidationError(
        say("--key-file or a passphrase, not both", de: "--key-file oder eine Passphrase, nicht beides"))
    }
  }

  func run() async throws {
    let secrets = try Project(try Workspace(global)).secrets
    let (vault, file) = (secrets.vault, secrets.keyFile)
    var wanted: NewLock?
    if keyFile { wanted = .keyFile }
    if passphrase { wanted = .passphrase(SecretsCommand.newPassphrase) }
    if let passphraseFile { wanted = .passphraseFile(passphraseFile) }
    let lock = try secrets.rotate(to: wanted, passphrase: SecretsCommand.newPassphrase)
    if format.json {
      writeJSON([
        "vault": .string(vault.path), "lock": .string(lock == .keyFile ? "key_file" : "passphrase"),
        "key_file": lock == .keyFile ? .string(file.path) : .null,
      ])
      return
    }
    let mark = Terminal().styled("✓", .green)
    write(say("\(mark) \(vault.path) has a new key\n", de: "\(mark) \(vault.path) hat einen neuen Schlüssel\n"))
    if lock == .keyFile {
      write(
        say(
          "  The key is in \(file.path). Without this file the vault cannot be opened: keep a copy of it, and not beside "
            + "copies of the vault.\n",
          de:
            "  Der Schlüssel ist in \(file.path). Ohne diese Datei lässt sich der Tresor nicht öffnen: eine Kopie davon "
            + "aufbewahren, und nicht bei den Kopien des Tresors.\n"))
      if secrets.hasFormerKeys {
        write(
          say(
            "  Former keys stay in \(file.formerPath), for vaults of other projects. Run 'sous secrets rotate' in each of "
              + "them, which gives them this key; then delete that file.\n",
            de:
              "  Frühere Schlüssel bleiben in \(file.formerPath), für Tresore anderer Projekte. Dort je 'sous secrets "
              + "rotate' ausführen, das ihnen diesen Schlüssel gibt; danach kann die Datei gelöscht werden.\n"))
      }
    }
    write(
      say(
        "  Copies of the vault in backups still open with the old one. If that one is known to others, change the secrets "
          + "themselves.\n",
        de: "  Kopien des Tresors in Sicherungen öffnet weiterhin der alte. Kennt ihn jemand, sind die Geheimnisse "
          + "selbst zu ändern.\n"))
  }
}
