import Engine
import Expressions
import Foundation
import Localization
import OAuth
public import PluginHost
import Recipes
import Secrets
import Synchronization

/// Decides what a folder's `sous.yaml` may run, reach and read before the user has trusted it.
///
/// Every entry asks this type: the manifests (a library is opened), the host (a provider is opened) and the secrets (one is
/// read). The rule is in `docs/security.md`:
///
/// - A command that *looks* (`validate`, `explain`, `models`, …) opens no library of the folder, connects nowhere and reads no
///   secret.
/// - A command that *acts* (`run`, `serve`, …) is the user's own decision for the recipe, for the plugins of Sous and for secrets
///   that stay on this machine. Libraries of the folder, `isolation: in-process`, programs that print secrets, files with
///   secrets outside the folder, and secrets for other machines need trust.
public final class WorkspaceTrust: Sendable {
  /// The folder whose configuration applies, absolute and without links: the current one without a configuration.
  public let folder: String
  /// Where plugins are looked for.
  public let searchPath: PluginSearchPath
  /// Where grants are kept.
  public let store: TrustStore

  private let configuration: Configuration
  private let isActing: Bool
  /// Whether the environment or an option trusts the whole folder.
  private let isWhole: Bool
  private let environment: [String: String]
  private let state = Mutex<(grant: TrustGrant?, isRead: Bool, named: Set<String>)>((nil, false, []))

  /// Finds out how a folder is trusted. Reads no grant before one is needed.
  init(_ configuration: Configuration, _ surroundings: Surroundings) {
    self.configuration = configuration
    isActing = surroundings.isActing
    environment = surroundings.environment
    store = TrustStore(environment: environment)
    let place = configuration.path == nil ? surroundings.resolve(".") : configuration.directory
    folder = Self.real(place)
    let folder = folder
    let roots = (surroundings.variable("SOUS_TRUST") ?? "").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }.map(Self.real)
    isWhole = surroundings.trustsFolder || roots.contains { Self.holds($0, folder) }
    searchPath = .standard(project: configuration.pluginPaths, environment: surroundings.environment)
  }

  // MARK: - What is asked

  /// What keeps libraries of the folder from being opened.
  var gate: ManifestDirectory.Gate {
    { [self] (path) throws(PluginError) in try admit(library: path) }
  }

  /// Admits a library that the user has named on the command line, in a worker process.
  ///
  /// - Parameter path: Its canonical path.
  func name(library path: String) { state.withLock { _ = $0.named.insert(path) } }

  /// Refuses a library that the folder brings or names and that is not trusted, and one that others can change.
  private func admit(library path: String) throws(PluginError) {
    let origin = searchPath.origin(ofLibraryAt: path)
    if origin == .bundled { return }
    if let objection = WriteAccess.objection(to: path) {
      throw PluginError(
        .writableByOthers,
        LocalizedText("The plugin \(path) is not used: ", de: "Das Plugin \(path) wird nicht verwendet: ") + objection,
        path: path)
    }
    if origin == .user || origin == .environment || isWhole { return }
    if state.withLock({ $0.named.contains(path) }) || mayChange(library: path) { return }
    guard let digest = PluginSearchPath.digest(ofLibraryAt: path) else { return }
    guard !covers(.library(path, digest: digest)) else { return }
    throw PluginError(
      .untrusted,
      LocalizedText(
        "The library \(path) is not trusted: run 'sous trust' to see and allow what \(name) runs.",
        de: "Der Bibliothek \(path) wird nicht vertraut: 'sous trust' zeigt und erlaubt, was \(name) ausführt."),
      path: path)
  }

  /// Refuses a provider that wants more than may be done without trust.
  ///
  /// - Parameters:
  ///   - provider: The provider.
  ///   - manifest: What its plugin says about itself.
  ///   - library: The canonical path of its library.
  func check(
    _ provider: ConfiguredProvider, _ manifest: PluginManifest, library: String
  ) throws(PluginError) {
    guard !isWhole else { return }
    let hosts = Self.hosts(of: provider, manifest)
    guard let reason = reason(against: provider, library: library, hosts: hosts),
      !covers(item(provider, hosts: hosts))
    else { return }
    throw PluginError(
      .untrusted,
      LocalizedText("The provider '\(provider.name)' ", de: "Der Provider '\(provider.name)' ") + reason
        + LocalizedText(
          ", as \(name) says, and that is not trusted: run 'sous trust' to see and allow it.",
          de: ", so sagt es \(name), und dem wird nicht vertraut: 'sous trust' zeigt und erlaubt es."), path: library)
  }

  /// Refuses the secrets of a provider as ``check(_:_:library:)`` does; where its plugin cannot be looked at, opening it fails.
  func check(_ provider: ConfiguredProvider, in manifests: ManifestDirectory) throws(PluginError) {
    guard !isWhole else { return }
    let reference = ConfiguredProviders.reference(provider.plugin)
    guard let path = try? manifests.searchPath.locate(reference) else { return }
    try check(provider, try manifests.manifest(of: reference), library: path)
  }

  /// Why a provider needs trust; `nil` if it needs none.
  private func reason(against provider: ConfiguredProvider, library: String, hosts: [String]) -> LocalizedText? {
    let origin = searchPath.origin(ofLibraryAt: library)
    if provider.isolation == .inProcess, origin != .bundled {
      return LocalizedText(
        "runs a library inside Sous (isolation: in-process)",
        de: "führt eine Bibliothek in Sous aus (isolation: in-process)")
    }
    if origin == nil || origin == .project, !state.withLock({ $0.named.contains(library) }) {
      return LocalizedText("runs a library of the folder", de: "führt eine Bibliothek des Ordners aus")
    }
    let secrets = provider.settings.secrets
    if isActing {
      guard let secret = secrets.first, let host = hosts.first(where: { !Self.isThisMachine($0) }) else { return nil }
      return LocalizedText(
        "sends the secret \(secret.name) to \(host)", de: "sendet das Geheimnis \(secret.name) an \(host)")
    }
    if let secret = secrets.first {
      return LocalizedText("needs the secret \(secret.name)", de: "braucht das Geheimnis \(secret.name)")
    }
    return hosts.first.map { LocalizedText("connects to \($0)", de: "verbindet sich mit \($0)") }
  }

  /// Refuses a place of a secret: a program, or a file outside the folder; of a command that looks, every place.
  func check(_ request: SecretRequest) throws(SecretError) {
    guard !isWhole else { return }
    let what: LocalizedText
    switch request {
    case .command(let arguments):
      guard !covers(command(arguments)) else { return }
      what = LocalizedText(
        "the program '\(arguments.first ?? "")' is not run", de: "das Programm '\(arguments.first ?? "")' läuft nicht")
    case .file(let path, _):
      guard !isInside(path), !covers(.file(path)) else { return }
      what = LocalizedText("the file \(path) is not read", de: "die Datei \(path) wird nicht gelesen")
    case .named, .environment, .account: return
    }
    throw SecretError(.untrusted, what + Self.remedy(name))
  }

  /// The source that is asked in the place of one that is not trusted; `nil` for a source that may be asked.
  func refusal(of request: SecretRequest, origin: SecretOrigin) -> RefusedSource? {
    do throws(SecretError) {
      try check(request)
      return nil
    } catch {
      return RefusedSource(origin, reason: error.message)
    }
  }

  /// Refuses to read a secret for a command that looks, unless all that uses secrets is trusted.
  func checkReading(in manifests: ManifestDirectory) throws(SecretError) {
    guard !isActing, !isWhole else { return }
    guard items(manifests).contains(where: { !covers($0) }) else { return }
    throw SecretError(
      .untrusted, LocalizedText("no secret is read", de: "kein Geheimnis wird gelesen") + Self.remedy(name))
  }

  /// Refuses the secret of a host that requests of `http.*` would carry off this machine.
  func check(_ credential: ConfiguredHTTP.Credential) throws(SecretError) {
    guard !isWhole, !isActing || !Self.isThisMachine(credential.host.value), !covers(.credential(credential)) else {
      return
    }
    throw SecretError(
      .untrusted,
      LocalizedText(
        "the secret \(credential.secret.name) is not sent to \(credential.host.value)",
        de: "das Geheimnis \(credential.secret.name) wird nicht an \(credential.host.value) gesendet")
        + Self.remedy(name))
  }

  /// Refuses the secret of a client that a sign-in or a refresh of tokens would send off this machine.
  ///
  /// - Parameters:
  ///   - name: The account's name.
  ///   - endpoints: The URLs that the secret goes to.
  func check(clientSecretOf name: String, endpoints: [String]) throws(SecretError) {
    guard !isWhole, !isActing || !endpoints.allSatisfy(Self.isThisMachine) else { return }
    if let account = configuration.account(name) {
      guard let item = item(account), !covers(item) else { return }
    } else {
      // The vault alone has such an account, and a folder may bring a vault along.
      guard configuration.path != nil, current(again: true) == nil else { return }
    }
    let host = endpoints.first { !Self.isThisMachine($0) } ?? ""
    throw SecretError(
      .untrusted,
      LocalizedText(
        "the client secret of the account '\(name)' is not sent to \(host)",
        de: "das Client-Geheimnis des Kontos '\(name)' wird nicht an \(host) gesendet") + Self.remedy(self.name))
  }

  private static func remedy(_ name: String) -> LocalizedText {
    LocalizedText(
      ", as \(name) is not trusted: run 'sous trust' to see and allow it",
      de: ", da \(name) nicht vertraut wird: 'sous trust' zeigt und erlaubt es")
  }

  private var name: String { configuration.path ?? folder }

  // MARK: - What is granted

  /// All that needs trust in this configuration, in its order, whatever the command. Opens nothing and reads no secret.
  ///
  /// - Parameter manifests: The plugins that can be found.
  public func items(_ manifests: ManifestDirectory) -> [TrustItem] {
    var items: [TrustItem] = []
    func add(_ item: TrustItem) { if !items.contains(item) { items.append(item) } }
    func add(placeOf secret: SecretReference) { if let item = place(of: secret) { add(item) } }
    // Libraries in the folders that the configuration names are opened by their ids.
    for path in searchPath.libraries(of: .project) where searchPath.origin(ofLibraryAt: path) == .project {
      if let digest = PluginSearchPath.digest(ofLibraryAt: path) { add(.library(path, digest: digest)) }
    }
    for provider in configuration.providers {
      let reference = ConfiguredProviders.reference(provider.plugin)
      var hosts = provider.hosts.map(\.value)
      if let path = try? searchPath.locate(reference) {
        let origin = searchPath.origin(ofLibraryAt: path)
        if origin == nil || origin == .project, let digest = PluginSearchPath.digest(ofLibraryAt: path) {
          add(.library(path, digest: digest))
        }
        if let manifest = try? manifests.manifest(of: reference) { hosts = Self.hosts(of: provider, manifest) }
        if origin == nil || origin == .project || provider.isolation == .inProcess && origin != .bundled
          || !hosts.isEmpty || !provider.settings.secrets.isEmpty
        {
          add(item(provider, hosts: hosts))
        }
      } else if case .file = provider.plugin {
        // The author has not built it yet.
        add(item(provider, hosts: hosts))
      }
      for secret in provider.settings.secrets { add(placeOf: secret) }
    }
    for source in configuration.secretSources ?? [] {
      switch source {
      case .command(let arguments): add(command(ProjectSecrets.resolve(arguments, configuration, environment)))
      case .file(let path):
        let path = ProjectSecrets.resolve(path, configuration, environment)
        if !isInside(path) { add(.file(path)) }
      case .environment, .credentials, .vault: break
      }
    }
    for credential in configuration.http.credentials {
      add(.credential(credential))
      add(placeOf: credential.secret)
    }
    for account in configuration.accounts {
      if let item = item(account) { add(item) }
      if let secret = account.clientSecret { add(placeOf: secret) }
    }
    return items
  }

  private func item(_ account: ConfiguredAccount) -> TrustItem? {
    TrustItem.account(account, hosts: AuthorizationServer(account).urls)
  }

  /// A program that prints a secret. What it runs is also in the files of the folder that its arguments name.
  private func command(_ arguments: [String]) -> TrustItem {
    var files: [(path: String, digest: String)] = []
    for argument in arguments {
      let value = argument.hasPrefix("-") ? argument.drop { $0 != "=" }.dropFirst() : argument[...]
      guard !value.isEmpty else { continue }
      for path in Set([configuration.resolve(String(value)), String(value)].map(Self.real)).sorted() {
        var facts = stat()
        guard Self.holds(folder, path), stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
          !files.contains(where: { $0.path == path })
        else { continue }
        files.append((path, PluginSearchPath.digest(ofLibraryAt: path) ?? ""))
      }
    }
    return .command(arguments, files: files)
  }

  private func item(_ provider: ConfiguredProvider, hosts: [String]) -> TrustItem {
    TrustItem.provider(provider, hosts: hosts, path: inFolder)
  }

  /// A path of the configuration in one spelling, whichever folder the command is called in: from the folder if it is below.
  private func inFolder(_ path: String) -> String {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
    let (path, folder) = (absolute(path), absolute(configuration.directory))
    return path.hasPrefix(folder + "/") ? "./" + path.dropFirst(folder.count + 1) : path
  }

  private func place(of secret: SecretReference) -> TrustItem? {
    switch secret.place {
    case .command(let arguments): return command(ProjectSecrets.resolve(arguments, configuration, environment))
    case .file(let path, _):
      let path = ProjectSecrets.resolve(path, configuration, environment)
      return isInside(path) ? nil : .file(path)
    case .name, .environment, .account: return nil
    }
  }

  /// What of the items is not trusted.
  public func missing(_ manifests: ManifestDirectory) -> [TrustItem] {
    isWhole ? [] : items(manifests).filter { !covers($0) && !isBuilt($0) }
  }

  /// Whether a command that acts would be refused something.
  func isShort(_ manifests: ManifestDirectory) -> Bool {
    guard !isWhole, isActing else { return false }
    return missing(manifests).contains { item in
      if item.key.hasPrefix("account ") {
        return configuration.accounts.contains { account in
          self.item(account) == item && !AuthorizationServer(account).urls.allSatisfy(Self.isThisMachine)
        }
      }
      guard item.key.hasPrefix("provider ") else {
        guard item.key.hasPrefix("credential ") else { return true }
        return configuration.http.credentials.contains {
          TrustItem.credential($0) == item && !Self.isThisMachine($0.host.value)
        }
      }
      return configuration.providers.contains { provider in
        guard item.key.hasPrefix("provider \(provider.name) ") else { return false }
        do throws(PluginError) {
          try check(provider, in: manifests)
          return false
        } catch {
          return error.code == .untrusted
        }
      }
    }
  }

  /// Keeps what the user has seen and allowed, in place of an earlier grant.
  ///
  /// - Parameters:
  ///   - items: What was shown.
  ///   - builds: Whether libraries in the folder may change, as their author builds them there. They run in processes of
  ///     their own.
  public func grant(_ items: [TrustItem], builds: Bool = false) throws(UseCaseError) {
    let grant = TrustGrant(
      folder: folder, granted: SystemTime().now.seconds, items: Set(items.map(\.key)),
      builds: builds ? Self.identity(of: folder) : nil)
    try store.keep(grant)
    state.withLock { ($0.grant, $0.isRead) = (grant, true) }
  }

  /// Asks the user once, before anything runs, if a command that acts lacks something.
  ///
  /// - Parameters:
  ///   - question: Asks a person; `nil` if nobody can be asked.
  ///   - manifests: The plugins that can be found.
  func ask(_ question: (@Sendable (String, [TrustItem]) -> Bool)?, _ manifests: ManifestDirectory) throws(UseCaseError)
  {
    guard let question, isShort(manifests) else { return }
    let missing = missing(manifests)
    guard question(folder, missing) else { return }
    try grant(items(manifests), builds: current(again: false)?.builds != nil)
  }

  private func covers(_ item: TrustItem) -> Bool {
    if current(again: false)?.items.contains(item.key) == true { return true }
    // The user may have granted it since.
    return current(again: true)?.items.contains(item.key) == true
  }

  private func current(again: Bool) -> TrustGrant? {
    state.withLock { state in
      if again || !state.isRead { (state.grant, state.isRead) = (store.grant(for: folder), true) }
      return state.grant
    }
  }

  /// Whether a library is one that its author builds in this folder.
  private func mayChange(library path: String) -> Bool {
    guard Self.holds(folder, path), let builds = current(again: false)?.builds else { return false }
    return builds == Self.identity(of: folder)
  }

  private func isBuilt(_ item: TrustItem) -> Bool {
    guard item.key.hasPrefix("library ") else { return false }
    let path = item.key.dropFirst("library ".count).split(separator: " ").dropLast().joined(separator: " ")
    return mayChange(library: path)
  }

  /// The identity of a folder: another folder of the same name has another.
  private static func identity(of folder: String) -> String? {
    var facts = stat()
    return stat(folder, &facts) == 0 ? "\(facts.st_dev):\(facts.st_ino)" : nil
  }

  // MARK: - Places and hosts

  /// The hosts that a provider reaches, of its plugin's manifest and of its settings.
  private static func hosts(of provider: ConfiguredProvider, _ manifest: PluginManifest) -> [String] {
    var configuration = ProviderConfiguration(name: provider.name, plugin: .id(manifest.id))
    configuration.settings = manifest.configuration.fillingDefaults(provider.settings.value { _ in .null })
    configuration.hosts = provider.hosts.map(\.value)
    let hosts = configuration.hosts(of: manifest)
    // An address among the settings takes the place of the service that the plugin is for.
    let namesAddress = hosts.configured.count > configuration.hosts.count
    return hosts.configured + (namesAddress ? [] : hosts.declared)
  }

  /// Whether a host, with or without a scheme and a port, is this machine: RFC 6761 (localhost), 127.0.0.0/8, ::1.
  static func isThisMachine(_ address: String) -> Bool {
    let text = address.contains("://") ? address : "//" + address
    guard let found = URL(string: text)?.host()?.lowercased() else { return false }
    let host = found.hasPrefix("[") ? String(found.dropFirst().dropLast()) : found
    if host == "localhost" || host == "::1" { return true }
    var four = in_addr()
    return inet_pton(AF_INET, host, &four) == 1 && withUnsafeBytes(of: four.s_addr) { $0.first == 127 }
  }

  /// Whether a file is in the folder; of a path with `{name}` the folder in front counts.
  private func isInside(_ path: String) -> Bool {
    var place = path.range(of: "{name}").map { String(path[..<$0.lowerBound]) } ?? path
    if place.hasSuffix("/") { place += "." }
    guard !place.split(separator: "/").contains("..") else { return false }
    // A file that is not there yet is where its folder is.
    while !place.isEmpty, realpath(place, nil).map({ free($0) }) == nil {
      guard let slash = place.lastIndex(of: "/") else {
        place = "."
        break
      }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    return Self.holds(folder, Self.real(place))
  }

  private static func holds(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
  }

  /// A path from the root without links; as it is written if there is nothing.
  static func real(_ path: String) -> String {
    let path = path.isEmpty ? "." : path
    guard let resolved = realpath(path, nil) else {
      return path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
