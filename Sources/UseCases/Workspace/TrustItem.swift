import Expressions
import Hashing
public import Localization
import Plans
import PluginHost
import RecipeModel
import Schemas

/// One thing that a configuration runs, connects to, reads or writes and that the user has to allow.
public struct TrustItem: Sendable, Hashable {
  /// The item in a grant: its place and a digest of its content, so that changed content is another key.
  public let key: String
  /// The item for people: what the configuration does, without a subject.
  public let text: LocalizedText
  /// Whether a command that acts may do it without trust, as it stays on this machine.
  var isLocal = false
  /// The path of a library; `nil` for every other item.
  let library: String?

  private init(key: String, text: LocalizedText, library: String? = nil) {
    (self.key, self.text, self.library) = (key, text, library)
  }

  /// Two items are equal if their keys are.
  public static func == (left: TrustItem, right: TrustItem) -> Bool { left.key == right.key }

  /// Hashes the key.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// A library that the folder brings or names, with its contents.
  static func library(_ path: String, digest: String) -> TrustItem {
    TrustItem(
      key: "library \(path) \(digest)",
      text: LocalizedText(
        "runs the library \(path) (SHA-256 \(digest))", de: "führt die Bibliothek \(path) aus (SHA-256 \(digest))"),
      library: path)
  }

  /// An index that plugins are installed from, with the key that signs them.
  static func index(_ index: ConfiguredPluginIndex) -> TrustItem {
    let key = index.key.map { (" (key \($0))", " (Schlüssel \($0))") } ?? ("", "")
    return TrustItem(
      key: "index \(index.location) \(index.key ?? "")",
      text: LocalizedText(
        "installs plugins from \(index.location)\(key.0)", de: "installiert Plugins aus \(index.location)\(key.1)"))
  }

  /// A place that the lock of the folder names for plugins.
  static func lockedSource(_ location: String) -> TrustItem {
    TrustItem(
      key: "locked source \(location)",
      text: LocalizedText(
        "installs plugins of sous.lock from \(location)", de: "installiert Plugins aus sous.lock von \(location)"))
  }

  /// A program that prints a secret.
  ///
  /// - Parameter files: The files of the folder that its command line names, with their contents' digests.
  static func command(_ arguments: [String], files: [String]) -> TrustItem {
    let text = quoted(arguments)
    return TrustItem(
      key: "command \(digest(.list((arguments + files).map(Value.string))))",
      text: LocalizedText(
        "runs a program to get a secret: \(text)", de: "führt ein Programm aus, um ein Geheimnis zu lesen: \(text)")
        + words(of: files))
  }

  /// The ways in which reminders are delivered.
  static func reminders(_ ways: [Value], programs: [[String]], files: [String]) -> TrustItem {
    let content: Value = .list([.list(ways), .list(files.map(Value.string))])
    let text =
      programs.isEmpty
      ? LocalizedText("sends reminders by mail", de: "sendet Erinnerungen per Mail")
      : LocalizedText("runs a program for each reminder: ", de: "führt für jede Erinnerung ein Programm aus: ")
        + LocalizedText(verbatim: programs.map(quoted).joined(separator: "; "))
    return TrustItem(key: "reminders \(digest(content))", text: text + words(of: files))
  }

  /// The addresses that notices of failures go to.
  static func notices(_ addresses: [String]) -> TrustItem {
    let list = addresses.joined(separator: ", ")
    return TrustItem(
      key: "notices \(digest(.list(addresses.map(Value.string))))",
      text: LocalizedText("mails notices of failures to \(list)", de: "sendet Meldungen von Fehlschlägen an \(list)"))
  }

  /// An account that is signed in to.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - hosts: Its servers, as far as they are known.
  ///   - certificates: Files of authorities with the digests of those that are in the folder.
  static func account(_ account: ConfiguredAccount, hosts: [String], certificates: [String]) -> TrustItem {
    let content: Value = .list([
      .string(account.service.rawValue), .string(account.clientID ?? ""), .string(account.tenant ?? ""),
      account.clientSecret?.document ?? .null, .string(account.issuer ?? ""),
      .list(account.endpoints.sorted { $0.key < $1.key }.map { .string($0.key + " " + $0.value) }),
      .list((account.scopes ?? []).map(Value.string)), .list(certificates.map(Value.string)),
    ])
    let places = hosts.isEmpty ? account.service.rawValue : hosts.joined(separator: ", ")
    var english = "signs in to the account '\(account.name)' at \(places)"
    var german = "meldet sich beim Konto '\(account.name)' an: \(places)"
    if let secret = account.clientSecret {
      english += "; sends the secret \(secret.name) there"
      german += "; sendet das Geheimnis \(secret.name) dorthin"
    }
    if !certificates.isEmpty {
      english += "; trusts authorities of its own"
      german += "; mit eigenen Zertifizierungsstellen"
    }
    return TrustItem(key: "account \(account.name) \(digest(content))", text: LocalizedText(english, de: german))
  }

  /// The hosts that requests of `http.*` may reach.
  static func hosts(_ hosts: [String], certificates: [String]) -> TrustItem {
    let list = hosts.joined(separator: ", ")
    return TrustItem(
      key: "hosts \(digest(.list((hosts + certificates).map(Value.string))))",
      text: LocalizedText("lets recipes connect to \(list)", de: "lässt Rezepte sich verbinden mit \(list)"))
  }

  /// The folders that actions on files may work in.
  static func folders(_ folders: [String]) -> TrustItem {
    let list = folders.joined(separator: ", ")
    return TrustItem(
      key: "folders \(digest(.list(folders.map(Value.string))))",
      text: LocalizedText("lets recipes read and write \(list)", de: "lässt Rezepte lesen und schreiben: \(list)"))
  }

  /// The folders whose recipes are served.
  static func recipes(_ folders: [String]) -> TrustItem {
    let list = folders.joined(separator: ", ")
    return TrustItem(
      key: "recipes \(digest(.list(folders.map(Value.string))))",
      text: LocalizedText("serves the recipes in \(list)", de: "führt die Rezepte aus: \(list)"))
  }

  /// The Git repository that recipes come from.
  ///
  /// - Parameter signers: The file of signers, with the digest of one in the folder; `nil` if any commit is taken.
  static func sync(_ sync: ConfiguredRecipeSync, signers: String?) -> TrustItem {
    let content: Value = .list([
      .string(sync.url), .string(sync.branch ?? ""), .string(sync.folder), .string(signers ?? ""),
    ])
    let place = [sync.branch, sync.folder.isEmpty ? nil : sync.folder].compactMap(\.self).joined(separator: ", ")
    let source = sync.url + (place.isEmpty ? "" : " (\(place))")
    return TrustItem(
      key: "sync \(digest(content))",
      text: LocalizedText("gets recipes from \(source)", de: "holt Rezepte von \(source)"))
  }

  /// An address that other machines reach.
  static func listening(_ address: String) -> TrustItem {
    TrustItem(
      key: "listen \(address)",
      text: LocalizedText(
        "listens at \(address), which other machines reach", de: "wartet auf \(address), das andere Rechner erreichen"))
  }

  /// A section of which nothing is known.
  static func section(_ name: String, _ content: Value) -> TrustItem {
    TrustItem(
      key: "section \(name) \(digest(content))",
      text: LocalizedText("uses the section '\(name)'", de: "verwendet den Abschnitt '\(name)'"))
  }

  /// A file with secrets outside the folder.
  static func file(_ path: String) -> TrustItem {
    TrustItem(
      key: "file \(path)",
      text: LocalizedText("reads secrets from the file \(path)", de: "liest Geheimnisse aus der Datei \(path)"))
  }

  /// A secret that requests of `http.*` carry to a host.
  static func credential(_ credential: ConfiguredHTTP.Credential, certificates: [String]) -> TrustItem {
    let content: Value = .list(
      [.string(credential.host.value), .string("\(credential.form)"), credential.secret.document]
        + certificates.map(Value.string))
    return TrustItem(
      key: "credential \(credential.host.value) \(digest(content))",
      text: LocalizedText(
        "sends the secret \(credential.secret.name) to \(credential.host.value)",
        de: "sendet das Geheimnis \(credential.secret.name) an \(credential.host.value)"))
  }

  /// A provider with all its settings, of secrets their places.
  ///
  /// - Parameters:
  ///   - hosts: What it connects to, for the text.
  ///   - outside: The paths outside the folder that it uses, for the text.
  ///   - certificates: Files of authorities with the digests of those that are in the folder.
  ///   - path: Gives a path of the configuration one spelling.
  static func provider(
    _ provider: ConfiguredProvider, hosts: [String], outside: [String], path: (String) -> String, certificates: [String]
  ) -> TrustItem {
    let plugin =
      switch provider.plugin {
      case .id(let id): id
      case .file(let file): path(file)
      }
    let limits = provider.limits
    let content: Value = .list([
      .string(provider.name), .string(plugin), .string(provider.isolation?.rawValue ?? ""), provider.settings.redacted,
      .list(provider.hosts.map { .string($0.value) }),
      .list(certificates.map(Value.string)),
      .string("\(limits.memory ?? 0) \(limits.processorSeconds ?? 0) \(limits.threads ?? 0) \(limits.files ?? 0)"),
    ])
    var english = "uses the plugin \(plugin) as '\(provider.name)'"
    var german = "verwendet das Plugin \(plugin) als '\(provider.name)'"
    if !hosts.isEmpty {
      let list = hosts.joined(separator: ", ")
      english += "; connects to \(list)"
      german += "; verbindet sich mit \(list)"
    }
    if !outside.isEmpty {
      let list = outside.joined(separator: ", ")
      english += "; reads and writes \(list)"
      german += "; liest und schreibt \(list)"
    }
    let secrets = provider.settings.secrets
    let named = secrets.filter { if case .command = $0.place { false } else { true } }
    if !named.isEmpty {
      let list = named.map(\.name).joined(separator: ", ")
      english += "; with the secrets \(list)"
      german += "; mit den Geheimnissen \(list)"
    }
    if named.count < secrets.count {
      english += "; with a secret that a program prints"
      german += "; mit einem Geheimnis, das ein Programm ausgibt"
    }
    if !certificates.isEmpty {
      english += "; trusts authorities of its own"
      german += "; mit eigenen Zertifizierungsstellen"
    }
    if provider.isolation == .inProcess {
      english += "; inside Sous, without isolation"
      german += "; innerhalb von Sous, ohne Abgrenzung"
    }
    return TrustItem(
      key: "provider \(provider.name) \(digest(content))", text: LocalizedText(english, de: german))
  }

  /// The files of the folder that a program's command line names.
  private static func words(of files: [String]) -> LocalizedText {
    let words = files.map { file -> String in
      // Of a link that leads out of the folder, its target counts.
      guard !file.contains(" → "), let space = file.lastIndex(of: " ") else { return " (\(file))" }
      return " (\(file[..<space]): SHA-256 \(file[file.index(after: space)...]))"
    }
    return LocalizedText(verbatim: words.joined())
  }

  /// A command line as a shell reads it, so that each argument is told apart; control characters as escapes.
  static func quoted(_ arguments: [String]) -> String {
    arguments.map { argument -> String in
      let isPlain = argument.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7f && !"'\"\\$`;|&()<>*?[]{}#~!^".utf8.contains(byte)
      }
      if isPlain, !argument.isEmpty { return argument }
      guard argument.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
        return "'" + argument.replacing("'", with: "'\\''") + "'"
      }
      let escaped = argument.unicodeScalars.map { scalar -> String in
        switch scalar {
        case "\n": "\\n"
        case "\t": "\\t"
        case "'", "\\": "\\\(scalar)"
        case _ where scalar.value < 0x20 || scalar.value == 0x7f:
          "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: String(scalar)
        }
      }
      return "$'" + escaped.joined() + "'"
    }.joined(separator: " ")
  }

  private static func digest(_ value: Value) -> String { ContentHash.hexadecimal(of: value.json()) }
}
