import Engine
import Expressions
import Foundation
import Localization
import OperatingSystem
import Plans
import PluginBoundary
public import PluginHost
public import PluginStore
import Providers
public import RecipeModel
import Schemas
import Secrets
import Synchronization

/// Decides what a folder's `sous.yaml` may run, connect to and read before the user has trusted it.
///
/// Three places ask this type: the manifests before they open a library, the host before it opens a provider, and the secrets
/// before they read one. `docs/security.md` has the rules:
///
/// - A command that *looks* (`validate`, `explain`, `models`, …) opens no library of the folder, connects nowhere and reads no
///   secret.
/// - A command that *acts* (`run`, `serve`, …) may run the recipe and the plugins of Sous, and may use files of the folder and
///   secrets that stay on this machine. Everything else that a section of `sous.yaml` runs, connects to, reads or writes needs
///   trust. ``items(_:)`` decides it for each section; a section that it does not know needs trust as a whole.
public final class WorkspaceTrust: Sendable {
  /// The folder whose configuration applies, absolute and without links: the current one without a configuration.
  public let folder: String
  /// Where plugins are looked for.
  public let searchPath: PluginSearchPath
  /// Where grants are kept.
  public let store: TrustStore
  /// The locks that say which files plugins are.
  public let locks: PluginLocks

  let configuration: Configuration
  let isActing: Bool
  /// Whether the environment or an option trusts the whole folder, so that no grant is needed.
  let trustsAll: Bool
  let environment: [String: String]
  /// The grant, whether it was read, and the libraries that the user has named on the command line.
  private let state = Mutex<(grant: TrustGrant?, isRead: Bool, named: Set<String>)>((nil, false, []))

  /// Prepares the decisions for a folder. Reads the grant only when one is needed.
  init(_ configuration: Configuration, _ surroundings: Surroundings) {
    self.configuration = configuration
    isActing = surroundings.isActing
    environment = surroundings.environment
    store = TrustStore(environment: environment)
    locks = PluginLocks(configuration: configuration.path, environment: environment)
    let place = configuration.path == nil ? surroundings.resolve(".") : configuration.directory
    folder = Self.real(place)
    let folder = folder
    let roots = (surroundings.variable("SOUS_TRUST") ?? "").split(separator: ":").map(String.init)
      .filter { $0.hasPrefix("/") }.map(Self.real)
    trustsAll = surroundings.trustsFolder || roots.contains { Self.holds($0, folder) }
    var searchPath = PluginSearchPath.standard(
      project: configuration.pluginPaths, environment: surroundings.environment)
    searchPath.pins = locks.pins
    self.searchPath = searchPath
  }

  // MARK: - Decisions

  /// Refuses to open untrusted libraries.
  var gate: ManifestDirectory.Gate {
    { [self] (path) throws(PluginError) in try admit(library: path) }
  }

  /// Admits a library that the user has named on the command line, in a worker process.
  ///
  /// - Parameter path: Its canonical path.
  func admit(namedLibrary path: String) { state.withLock { _ = $0.named.insert(path) } }

  /// Refuses an untrusted library that is in the folder or that the configuration names, and a library that others can change.
  private func admit(library path: String) throws(PluginError) {
    let origin = searchPath.origin(ofLibraryAt: path)
    try locks.check(library: path, on: searchPath)
    if origin == .bundled { return }
    if let objection = WriteAccess.objection(to: path) {
      throw PluginError(
        .writableByOthers,
        LocalizedText("The plugin \(path) is not used: ", de: "Das Plugin \(path) wird nicht verwendet: ") + objection,
        path: path)
    }
    if origin == .user || origin == .environment || trustsAll { return }
    if state.withLock({ $0.named.contains(path) }) || mayChange(library: path) { return }
    guard let digest = PluginSearchPath.digest(ofLibraryAt: path) else { return }
    guard !covers(.library(path, digest: digest)) else { return }
    throw PluginError(
      .untrusted,
      refusal(
        LocalizedText("the library \(path) is not opened", de: "die Bibliothek \(path) wird nicht geöffnet")),
      path: path)
  }

  /// Refuses a provider that needs trust and has none.
  ///
  /// - Parameters:
  ///   - provider: The provider.
  ///   - manifest: The manifest of its plugin.
  ///   - library: The canonical path of its library.
  func check(
    _ provider: ConfiguredProvider, _ manifest: PluginManifest, library: String
  ) throws(PluginError) {
    guard !trustsAll else { return }
    let hosts = Self.hosts(of: provider, manifest)
    let outside = outsidePaths(of: provider, manifest)
    guard
      let reason = reason(
        against: provider, library: library, hosts: hosts, outside: outside, isActing: isActing),
      !covers(item(provider, hosts: hosts, outside: outside))
    else { return }
    throw PluginError(
      .untrusted,
      refusal(
        LocalizedText(
          "the provider '\(provider.name)' is not opened, because it ",
          de: "der Provider '\(provider.name)' wird nicht geöffnet. Grund: Er ") + reason), path: library)
  }

  /// Refuses the secrets of a provider as ``check(_:_:library:)`` does. A plugin that cannot be found fails later, when it is
  /// opened.
  func check(_ provider: ConfiguredProvider, in manifests: ManifestDirectory) throws(PluginError) {
    guard !trustsAll else { return }
    let reference = provider.plugin.reference
    guard let path = try? manifests.searchPath.locate(reference) else { return }
    try check(provider, try manifests.manifest(of: reference), library: path)
  }

  /// Why a provider needs trust; `nil` if it needs none.
  func reason(
    against provider: ConfiguredProvider, library: String, hosts: [String], outside: [String], isActing: Bool
  ) -> LocalizedText? {
    let origin = searchPath.origin(ofLibraryAt: library)
    if provider.isolation == .inProcess, origin != .bundled {
      return LocalizedText(
        "runs a library inside Sous (isolation: in-process)",
        de: "führt eine Bibliothek in Sous aus (isolation: in-process)")
    }
    if Self.isOfFolder(origin), !state.withLock({ $0.named.contains(library) }) {
      return LocalizedText("runs a library of the folder", de: "führt eine Bibliothek des Ordners aus")
    }
    if let path = outside.first {
      return LocalizedText("reads and writes \(path)", de: "liest und schreibt \(path)")
    }
    let secrets = provider.settings.secrets
    if isActing {
      guard let host = hosts.first(where: { !Self.isThisMachine($0) }) else { return nil }
      guard let secret = secrets.first else {
        return LocalizedText("connects to \(host)", de: "verbindet sich mit \(host)")
      }
      return LocalizedText(
        "sends the secret \(secret.name) to \(host)", de: "sendet das Geheimnis \(secret.name) an \(host)")
    }
    if let secret = secrets.first {
      return LocalizedText("needs the secret \(secret.name)", de: "braucht das Geheimnis \(secret.name)")
    }
    return hosts.first.map { LocalizedText("connects to \($0)", de: "verbindet sich mit \($0)") }
  }

  /// Refuses an untrusted place of a secret: a program, or a file outside the folder.
  func check(_ request: SecretRequest) throws(SecretError) {
    guard !trustsAll else { return }
    let what: LocalizedText
    switch request {
    case .command(let arguments):
      guard !covers(program(arguments)) else { return }
      what = LocalizedText(
        "the program '\(arguments.first ?? "")' is not run",
        de: "das Programm '\(arguments.first ?? "")' wird nicht ausgeführt")
    case .file(let path, _):
      guard !isInside(path), !covers(.file(path)) else { return }
      what = LocalizedText("the file \(path) is not read", de: "die Datei \(path) wird nicht gelesen")
    case .named, .environment, .account: return
    }
    throw SecretError(.untrusted, refusal(what))
  }

  /// Refuses to read secrets for a command that looks, unless everything in the configuration is trusted.
  func checkReading(in manifests: ManifestDirectory) throws(SecretError) {
    guard !isActing, !trustsAll else { return }
    guard items(manifests).contains(where: { !covers($0) }) else { return }
    throw SecretError(
      .untrusted, refusal(LocalizedText("no secret is read", de: "kein Geheimnis wird gelesen")))
  }

  /// Refuses an untrusted secret that requests of `http.*` would send to another machine.
  func check(_ credential: ConfiguredHTTP.Credential) throws(SecretError) {
    guard !trustsAll, !isActing || !Self.isThisMachine(credential.host.value), !covers(item(credential)) else { return }
    throw SecretError(
      .untrusted,
      refusal(
        LocalizedText(
          "the secret \(credential.secret.name) is not sent to \(credential.host.value)",
          de: "das Geheimnis \(credential.secret.name) wird nicht an \(credential.host.value) gesendet")))
  }

  /// Refuses to ask an untrusted index of plugins on another machine.
  public func check(_ index: ConfiguredPluginIndex) throws(UseCaseError) {
    guard index.isURL, !Self.isThisMachine(index.location), !trustsAll, !covers(.index(index)) else { return }
    throw UseCaseError(
      .environment,
      refusal(
        LocalizedText(
          "the index \(index.location) is not asked", de: "der Index \(index.location) wird nicht gefragt")))
  }

  /// Refuses to fetch a plugin from another machine that only an untrusted lock of the folder names.
  ///
  /// - Parameter plugin: The plugin with its lock.
  public func check(_ plugin: PluginLocks.Verified) throws(UseCaseError) {
    guard plugin.lock == locks.project?.path, !trustsAll else { return }
    guard sources(of: plugin.id, plugin.entry).allSatisfy(covers) else {
      throw UseCaseError(
        .environment,
        refusal(
          LocalizedText(
            "'\(plugin.id)' is not fetched from \(plugin.entry.source)",
            de: "'\(plugin.id)' wird nicht von \(plugin.entry.source) geholt")))
    }
  }

  /// The message of every refusal: first the cause and the remedy, then what is not done.
  func refusal(_ what: LocalizedText) -> LocalizedText {
    let name = configuration.path ?? folder
    return LocalizedText(
      "\(name) is not trusted: run 'sous trust' to see and allow what it does; ",
      de: "\(name) wird nicht vertraut: 'sous trust' zeigt und erlaubt, was sie tut; ") + what
  }

  // MARK: - Grants

  /// The items that are not trusted.
  public func missing(_ manifests: ManifestDirectory) -> [TrustItem] {
    trustsAll ? [] : items(manifests).filter { !covers($0) && !isBuilt($0) }
  }

  /// Whether this command acts and something that it may need is not trusted.
  package func lacksTrust(_ manifests: ManifestDirectory) -> Bool {
    guard !trustsAll, isActing else { return false }
    return missing(manifests).contains { !$0.isLocal }
  }

  /// Stores what the user has seen and allowed; replaces an earlier grant.
  ///
  /// - Parameters:
  ///   - items: The items that the user has seen.
  ///   - builds: Whether libraries in the folder may change, because their author builds them there. They run in worker
  ///     processes.
  /// - Throws: ``UseCaseError`` with code `environment` if the grant cannot be stored.
  public func grant(_ items: [TrustItem], builds: Bool = false) throws(UseCaseError) {
    let grant = TrustGrant(
      folder: folder, granted: SystemTime().now.seconds, items: Set(items.map(\.key)),
      builds: builds ? Self.identity(of: folder) : nil)
    try store.keep(grant)
    state.withLock { ($0.grant, $0.isRead) = (grant, true) }
  }

  /// Asks the user once, before anything runs, if a command that acts lacks trust.
  ///
  /// - Parameters:
  ///   - question: Asks a person; `nil` without a terminal.
  ///   - manifests: The plugins that can be found.
  func ask(_ question: (@Sendable (String, [TrustItem]) -> Bool)?, _ manifests: ManifestDirectory) throws(UseCaseError)
  {
    if let question, lacksTrust(manifests), question(folder, missing(manifests)) {
      try grant(items(manifests), builds: currentGrant()?.builds != nil)
    }
    guard isActing, !trustsAll, let item = unknownSections.first(where: { !covers($0) }) else { return }
    throw untrusted(item)
  }

  func covers(_ item: TrustItem) -> Bool {
    if currentGrant()?.items.contains(item.key) == true { return true }
    // The user may have granted it since.
    return currentGrant(isReread: true)?.items.contains(item.key) == true
  }

  func currentGrant(isReread: Bool = false) -> TrustGrant? {
    state.withLock { state in
      if isReread || !state.isRead { (state.grant, state.isRead) = (store.grant(for: folder), true) }
      return state.grant
    }
  }

  /// Whether a library is one that its author builds in this folder.
  private func mayChange(library path: String) -> Bool {
    guard Self.holds(folder, path), let builds = currentGrant()?.builds else { return false }
    return builds == Self.identity(of: folder)
  }

  private func isBuilt(_ item: TrustItem) -> Bool {
    item.library.map { mayChange(library: $0) } ?? false
  }

  /// Whether a library is in the folder or named by its configuration, from what put it on the search path.
  static func isOfFolder(_ origin: PluginSearchPath.Origin?) -> Bool { origin == nil || origin == .project }

  /// The identity of a folder (`device:inode`), which another folder at the same path does not have.
  private static func identity(of folder: String) -> String? {
    var facts = stat()
    return stat(folder, &facts) == 0 ? "\(facts.st_dev):\(facts.st_ino)" : nil
  }

  // MARK: - Places and hosts

  /// The hosts that a provider connects to, from its plugin's manifest and its settings.
  static func hosts(of provider: ConfiguredProvider, _ manifest: PluginManifest) -> [String] {
    var configuration = ProviderConfiguration(name: provider.name, plugin: .id(manifest.id))
    configuration.settings = manifest.configuration.fillingDefaults(provider.settings.value { _ in .null })
    configuration.hosts = provider.hosts.map(\.value)
    let hosts = configuration.hosts(of: manifest)
    // An address among the settings replaces the declared hosts of the plugin.
    let namesAddress = hosts.configured.count > configuration.hosts.count
    return hosts.configured + (namesAddress ? [] : hosts.declared)
  }

  /// Whether a host, with or without a scheme and a port, is this machine: RFC 6761 (localhost), 127.0.0.0/8, ::1. A network is
  /// this machine if it has no other address.
  package static func isThisMachine(_ address: String) -> Bool {
    if !address.contains("://"), let slash = address.firstIndex(of: "/") {
      let host = String(address[..<slash])
      guard let length = Int(address[address.index(after: slash)...]), length >= (host.contains(":") ? 128 : 8) else {
        return false
      }
      return isThisMachine(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)
    }
    let text = address.contains("://") ? address : "//" + address
    guard let found = URL(string: text)?.host()?.lowercased() else { return false }
    let host = found.hasPrefix("[") ? String(found.dropFirst().dropLast()) : found
    if host == "localhost" || host == "::1" { return true }
    var four = in_addr()
    return inet_pton(AF_INET, host, &four) == 1 && withUnsafeBytes(of: four.s_addr) { $0.first == 127 }
  }

  /// Whether a file is in the folder. Of a path with `{name}` only the part before it counts.
  func isInside(_ path: String) -> Bool {
    var place = path.range(of: "{name}").map { String(path[..<$0.lowerBound]) } ?? path
    if place.hasSuffix("/") { place += "." }
    // The folder itself may be named from one below: `../sous.yaml`.
    let own = configuration.directory + "/"
    let written = place.hasPrefix(own) ? String(place.dropFirst(own.count)) : place
    guard !written.split(separator: "/").contains("..") else { return false }
    // If the file is missing, the nearest folder that exists counts.
    while !place.isEmpty, SystemPath.resolved(place) == nil {
      guard let slash = place.lastIndex(of: "/") else {
        place = "."
        break
      }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
    return Self.holds(folder, Self.real(place))
  }

  static func holds(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
  }

  /// The absolute path without links; if nothing exists there, the absolute path as written.
  static func real(_ path: String) -> String {
    let path = path.isEmpty ? "." : path
    return SystemPath.resolved(path)
      ?? (path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path)
  }
}
