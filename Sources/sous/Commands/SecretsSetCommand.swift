import ArgumentParser
import Engine
import Expressions
import Glibc
import Localization
import Recipes
import Secrets

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

  /// Whatever else stands on the command line; taken so that no message repeats it.
  @Argument(parsing: .allUnrecognized, help: .hidden)
  var surplus: [String] = []

  @Flag(
    help: ArgumentHelp(
      say(
        "Lock a new vault with a key file instead of a passphrase.",
        de: "Einen neuen Tresor mit einer Schlüsseldatei statt einer Passphrase verschließen.")))
  var keyFile = false

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
    let name = try withSecrets { () throws(SecretError) in try SecretName(checking: self.name) }
    let project = try Project(try Workspace(global))
    let vault = project.secrets.vault
    let keyring = project.secrets.keyring
    let isNew = !vault.exists
    var key: VaultKey?
    var access: VaultAccess?
    try withSecrets { () throws(SecretError) in
      if isNew { key = try newKey(keyring, vault) } else { access = try keyring.unlock(vault) }
    }
    let value = try withSecrets { () throws(SecretError) in try self.value(of: name) }
    let replaced = try withSecrets { () throws(SecretError) in
      if let key {
        try vault.create(key)
        access = try vault.access(with: key)
      }
      guard let access else { return false }
      return try vault.set(name, to: value, at: SystemTime().now.seconds, access)
    }
    tell(name, value, project, isNew: isNew, replaced: replaced)
  }

  private func newKey(_ keyring: VaultKeyring, _ vault: Vault) throws(SecretError) -> VaultKey {
    if keyFile {
      let file = keyring.namedKeyFile ?? keyring.standardKeyFile
      if let key = try file.keys().first { return key }
      return try file.create()
    }
    if let key = try keyring.keyForNewVault() { return key }
    return try SecretsCommand.newPassphrase(of: vault)
  }

  private func value(of name: SecretName) throws(SecretError) -> SecureBytes {
    guard isatty(STDIN_FILENO) == 1 else { return try HiddenEntry.readStandardInput() }
    return try HiddenEntry.askTwice(
      say("Value of \(name): ", de: "Wert von \(name): "), again: say("Once more: ", de: "Noch einmal: "))
  }

  private func tell(_ name: SecretName, _ value: SecureBytes, _ project: Project, isNew: Bool, replaced: Bool) {
    let vault = project.secrets.vault.path
    if format.json {
      writeJSON([
        "name": .string(name.text), "vault": .string(vault), "created": .bool(isNew), "replaced": .bool(replaced),
      ])
    } else {
      let mark = Terminal().styled("✓", .green)
      if isNew {
        write(
          say(
            "\(mark) \(vault) is a new vault; without its key nobody can open it, you neither\n",
            de: "\(mark) \(vault) ist ein neuer Tresor; ohne seinen Schlüssel kann ihn niemand öffnen, auch du nicht\n")
        )
      }
      write(
        replaced
          ? say("\(mark) \(name) has a new value\n", de: "\(mark) \(name) hat einen neuen Wert\n")
          : say("\(mark) \(name) is set\n", de: "\(mark) \(name) ist gesetzt\n"))
    }
    for warning in warnings(name, value, project) {
      writeError(Terminal(descriptor: 2).styled(say("warning: ", de: "Warnung: "), .yellow) + warning.spoken + "\n")
    }
  }

  /// What keeps the secret from being used, or from being masked.
  private func warnings(_ name: SecretName, _ value: SecureBytes, _ project: Project) -> [LocalizedText] {
    var warnings: [LocalizedText] = []
    if value.count < 4 {
      warnings.append(
        LocalizedText(
          "a secret of fewer than 4 characters is not masked in logs and outputs",
          de: "ein Geheimnis mit weniger als 4 Zeichen wird in Protokollen und Ausgaben nicht verdeckt"))
    }
    for source in project.secrets.store.sources {
      if source.origin.kind == .vault { return warnings }
      guard (try? source.has(name)) == true else { continue }
      warnings.append(
        LocalizedText("another '\(name)' comes first: ", de: "ein anderes '\(name)' kommt zuerst: ")
          + source.origin.text)
    }
    warnings.append(
      LocalizedText(
        "'secrets:' in sous.yaml does not list the vault: it is not looked in",
        de: "'secrets:' in sous.yaml nennt den Tresor nicht: in ihm wird nicht gesucht"))
    return warnings
  }
}
