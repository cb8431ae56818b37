import Expressions
import Hashing
public import Localization
import PluginHost
import Recipes

/// One thing that a configuration runs, connects to or reads and that the user has to allow.
public struct TrustItem: Sendable, Hashable {
  /// The kind of an item, with the part of it that decisions need.
  enum Subject: Sendable {
    /// The path of a library.
    case library(String)
    case command
    case file
    case credential
    /// The name of an account.
    case account(String)
    /// The name of a provider.
    case provider(String)
  }

  /// The item in a grant: its place and a digest of its content, so that changed content is another key.
  public let key: String
  /// The item in words, such as `reads secrets from the file /etc/x`.
  public let text: LocalizedText
  let subject: Subject

  private init(_ subject: Subject, key: String, text: LocalizedText) {
    (self.subject, self.key, self.text) = (subject, key, text)
  }

  /// Two items are equal if their keys are.
  public static func == (left: TrustItem, right: TrustItem) -> Bool { left.key == right.key }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// A library that the folder brings or names, with its contents.
  static func library(_ path: String, digest: String) -> TrustItem {
    TrustItem(
      .library(path), key: "library \(path) \(digest)",
      text: LocalizedText(
        "runs the library \(path) (SHA-256 \(digest))", de: "führt die Bibliothek \(path) aus (SHA-256 \(digest))"))
  }

  /// A program that prints a secret.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - files: Those among them that are files of the folder, such as a script, with the SHA-256 of each.
  static func command(_ arguments: [String], files: [(path: String, digest: String)]) -> TrustItem {
    let text =
      arguments.joined(separator: " ") + files.map { " (\($0.path): SHA-256 \($0.digest))" }.joined()
    let contents: [Value] = files.map { [.string($0.path), .string($0.digest)] }
    return TrustItem(
      .command, key: "command \(digest(.list(arguments.map(Value.string) + contents)))",
      text: LocalizedText(
        "runs a program to get a secret: \(text)", de: "führt ein Programm aus, um ein Geheimnis zu lesen: \(text)"))
  }

  /// A file with secrets outside the folder.
  static func file(_ path: String) -> TrustItem {
    TrustItem(
      .file, key: "file \(path)",
      text: LocalizedText("reads secrets from the file \(path)", de: "liest Geheimnisse aus der Datei \(path)"))
  }

  /// A secret that requests of `http.*` carry to a host.
  static func credential(_ credential: ConfiguredHTTP.Credential) -> TrustItem {
    let content: Value = .list([
      .string(credential.host.value), .string("\(credential.form)"), credential.secret.document,
    ])
    return TrustItem(
      .credential, key: "credential \(credential.host.value) \(digest(content))",
      text: LocalizedText(
        "sends the secret \(credential.secret.name) to \(credential.host.value)",
        de: "sendet das Geheimnis \(credential.secret.name) an \(credential.host.value)"))
  }

  /// An account whose sign-in takes a secret of the client; `nil` for an account without one.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - hosts: The servers that the secret goes to.
  static func account(_ account: ConfiguredAccount, hosts: [String]) -> TrustItem? {
    guard let secret = account.clientSecret else { return nil }
    let authorities = [account.trust.authorities, account.trust.certificate].map { Value.string($0 ?? "") }
    let content: Value = .list(
      [.string(account.service.rawValue), .string(account.tenant ?? ""), secret.document]
        + hosts.map(Value.string) + authorities)
    let list = hosts.joined(separator: ", ")
    return TrustItem(
      .account(account.name), key: "account \(account.name) \(digest(content))",
      text: LocalizedText(
        "signs in to the account \(account.name); sends the secret \(secret.name) to \(list)",
        de: "meldet sich beim Konto \(account.name) an; sendet das Geheimnis \(secret.name) an \(list)"))
  }

  /// A provider with all its settings; of secrets only the places.
  ///
  /// - Parameters:
  ///   - hosts: The hosts that it connects to, for the text.
  ///   - path: Returns the canonical spelling of a path in the configuration.
  static func provider(_ provider: ConfiguredProvider, hosts: [String], path: (String) -> String) -> TrustItem {
    let plugin =
      switch provider.plugin {
      case .id(let id): id
      case .file(let file): path(file)
      }
    let authorities = [provider.trust.authorities, provider.trust.certificate].map { $0.map(path) ?? "" }
    let limits = provider.limits
    let content: Value = .list([
      .string(provider.name), .string(plugin), .string(provider.isolation?.rawValue ?? ""), provider.settings.redacted,
      .list(provider.hosts.map { .string($0.value) }),
      .list(authorities.map(Value.string)),
      .string("\(limits.memory ?? 0) \(limits.processorSeconds ?? 0) \(limits.threads ?? 0) \(limits.files ?? 0)"),
    ])
    var english = "uses the plugin \(plugin) as '\(provider.name)'"
    var german = "verwendet das Plugin \(plugin) als '\(provider.name)'"
    if !hosts.isEmpty {
      let list = hosts.joined(separator: ", ")
      english += "; connects to \(list)"
      german += "; verbindet sich mit \(list)"
    }
    let secrets = provider.settings.secrets.map(\.name)
    if !secrets.isEmpty {
      let list = secrets.joined(separator: ", ")
      english += "; with the secrets \(list)"
      german += "; mit den Geheimnissen \(list)"
    }
    if provider.isolation == .inProcess {
      english += "; inside Sous, without isolation"
      german += "; innerhalb von Sous, ohne Abgrenzung"
    }
    return TrustItem(
      .provider(provider.name), key: "provider \(provider.name) \(digest(content))",
      text: LocalizedText(english, de: german))
  }

  private static func digest(_ value: Value) -> String { ContentHash.hexadecimal(of: value.json()) }
}
