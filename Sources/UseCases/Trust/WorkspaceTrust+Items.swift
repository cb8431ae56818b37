import Expressions
import Foundation
package import Localization
import OAuth
import Plans
import PluginBoundary
public import PluginHost
import PluginStore
import Providers
package import RecipeModel
package import Secrets

/// What each section of `sous.yaml` wants. A section that is not known to want nothing needs trust as a whole.
extension WorkspaceTrust {
  /// The sections that run, connect to, read and write nothing themselves: they choose among providers, which need trust of
  /// their own, or say how often, how long and which texts.
  static let pureSections: Set<String> = ["defaults", "bookmarks", "summaries", "neutralise", "outbox"]
  /// The sections whose items are named one by one.
  static let itemisedSections: Set<String> = [
    "providers", "secrets", "plugins", "recipes", "listen", "engine", "files", "http", "reminders", "auth",
  ]

  /// All that needs trust in this configuration, whatever the command. Opens nothing and reads no secret.
  ///
  /// - Parameter manifests: The plugins that can be found.
  public func items(_ manifests: ManifestDirectory) -> [TrustItem] {
    var items: [TrustItem] = []
    func add(_ found: [TrustItem?]) {
      for case let item? in found where !items.contains(item) { items.append(item) }
    }
    // Libraries in the folders that the configuration names are opened by their ids.
    add(libraries)
    add(configuration.pluginIndexes.filter { $0.isURL && !Self.isThisMachine($0.location) }.map(TrustItem.index))
    // A lock that cannot be read names no source; the commands that need it report the damage.
    let locked = (try? locks.project?.read().plugins.sorted { $0.key < $1.key }) ?? []
    add(locked.flatMap { sources(of: $0.key, $0.value) })
    add(configuration.providers.flatMap { itemsOfProvider($0, manifests) })
    add((configuration.secretSources ?? []).flatMap(itemsOfSource))
    add([hostsItem])
    for credential in configuration.http.credentials { add([item(credential), place(of: credential.secret)]) }
    for account in configuration.accounts { add([item(account), account.clientSecret.flatMap(place)]) }
    add([foldersItem, recipesItem, syncItem, listenItem, remindersItem, noticesItem])
    add(unknownSections)
    return items
  }

  /// The places on other machines that the lock of the folder names for a plugin. The user has agreed to those that the user's
  /// lock names too.
  func sources(of id: String, _ entry: PluginLock.Entry) -> [TrustItem] {
    let known = try? locks.user?.read().plugins[id]
    return [(entry.source, known?.source), (entry.index, known?.index)].compactMap { location, known in
      guard let location, location != known, location.contains("://"), !Self.isThisMachine(location) else { return nil }
      return .lockedSource(location)
    }
  }

  /// The sections that this type does not know, each as a whole.
  var unknownSections: [TrustItem] {
    configuration.sections.sorted { $0.key < $1.key }.compactMap { name, content in
      guard !Self.pureSections.contains(name), !Self.itemisedSections.contains(name) else { return nil }
      return .section(name, content)
    }
  }

  private var libraries: [TrustItem] {
    searchPath.libraries(of: .project).compactMap { path in
      guard searchPath.origin(ofLibraryAt: path) == .project else { return nil }
      return PluginSearchPath.digest(ofLibraryAt: path).map { .library(path, digest: $0) }
    }
  }

  private func itemsOfProvider(_ provider: ConfiguredProvider, _ manifests: ManifestDirectory) -> [TrustItem?] {
    var found: [TrustItem?] = []
    let reference = provider.plugin.reference
    var hosts = provider.hosts.map(\.value)
    if let path = try? searchPath.locate(reference) {
      let origin = searchPath.origin(ofLibraryAt: path)
      if Self.isOfFolder(origin), let digest = PluginSearchPath.digest(ofLibraryAt: path) {
        found.append(.library(path, digest: digest))
      }
      let manifest = try? manifests.manifest(of: reference)
      if let manifest { hosts = Self.hosts(of: provider, manifest) }
      let outside = outsidePaths(of: provider, manifest)
      // What even a command that only looks may do needs no word.
      if reason(against: provider, library: path, hosts: hosts, outside: outside, isActing: false) != nil {
        var item = item(provider, hosts: hosts, outside: outside)
        item.isLocal =
          reason(against: provider, library: path, hosts: hosts, outside: outside, isActing: true) == nil
        found.append(item)
      }
    } else if case .file = provider.plugin {
      // The author has not built it yet.
      found.append(item(provider, hosts: hosts, outside: outsidePaths(of: provider, nil)))
    }
    return found + provider.settings.secrets.map(place)
  }

  private func itemsOfSource(_ source: ConfiguredSecretSource) -> [TrustItem?] {
    switch source {
    case .command(let arguments): [program(configuration.resolve(arguments, environment))]
    case .file(let path): [secretFile(path)]
    // A key opens nothing but its vault, whose secrets leave this machine only with trust in where they go.
    case .environment, .credentials, .vault: []
    }
  }

  /// The place of a secret; `nil` for one that needs no trust of its own.
  private func place(of secret: SecretReference) -> TrustItem? {
    switch secret.place {
    case .command(let arguments): program(configuration.resolve(arguments, environment))
    case .file(let path, _): secretFile(path)
    case .name, .environment, .account: nil
    }
  }

  private func secretFile(_ path: String) -> TrustItem? {
    let path = configuration.resolve(path, environment)
    return isInside(path) ? nil : .file(path)
  }

  // MARK: - Single items

  func item(_ provider: ConfiguredProvider, hosts: [String], outside: [String]) -> TrustItem {
    TrustItem.provider(
      provider, hosts: hosts, outside: outside, path: inFolder, certificates: certificates(provider.trust))
  }

  /// A program, with the files of the folder that its command line names: another content is another item.
  func program(_ arguments: [String]) -> TrustItem { .command(arguments, files: ownFiles(of: arguments)) }

  func item(_ credential: ConfiguredHTTP.Credential) -> TrustItem {
    var item = TrustItem.credential(credential, certificates: certificates(configuration.http.trust))
    item.isLocal = Self.isThisMachine(credential.host.value)
    return item
  }

  func item(_ account: ConfiguredAccount) -> TrustItem {
    var item = TrustItem.account(
      account, hosts: AuthorizationServer(account).urls, certificates: certificates(account.trust))
    item.isLocal = isOnThisMachine(account)
    return item
  }

  private func isOnThisMachine(_ account: ConfiguredAccount) -> Bool {
    AuthorizationServer(account).urls.allSatisfy(Self.isThisMachine)
  }

  private var hostsItem: TrustItem? {
    let hosts = configuration.http.hosts.map(\.value).filter { !Self.isThisMachine($0) }
    return hosts.isEmpty ? nil : .hosts(hosts, certificates: certificates(configuration.http.trust))
  }

  private var foldersItem: TrustItem? {
    guard let folders = configuration.fileFolders, folders.contains(where: { !isInside($0) || isRunLater($0) }) else {
      return nil
    }
    return .folders(folders.map(inFolder))
  }

  /// Whether files of a folder are run later: recipes, hooks, start-up files. Naming such a folder opens it to recipes.
  private func isRunLater(_ path: String) -> Bool {
    let path = inFolder(path)
    let served = configuration.servedFolders.map(inFolder)
    if served.contains(path) { return true }
    guard path.hasPrefix("./") else { return false }
    return path.dropFirst(2).split(separator: "/").contains { $0.hasPrefix(".") || $0 == "catalog" }
  }

  private var recipesItem: TrustItem? {
    guard let folders = configuration.recipeFolders, !folders.allSatisfy(isInside) else { return nil }
    return .recipes(folders.map(inFolder))
  }

  private var syncItem: TrustItem? {
    guard let sync = configuration.recipeSync else { return nil }
    let signers: String? =
      switch sync.signatures {
      case nil: nil
      case .trusted: "trusted"
      case .signers(let file): inFolder(file) + " " + (ownDigest(file) ?? "")
      }
    return .sync(sync, signers: signers)
  }

  private var listenItem: TrustItem? {
    configuration.listen.isLoopback ? nil : .listening("\(configuration.listen)")
  }

  private var remindersItem: TrustItem? {
    // To notify goes through a provider, which needs trust of its own.
    let reaching = configuration.reminderWays.filter { $0.reachesBeyondNotices }
    guard !reaching.isEmpty else { return nil }
    let programs = reaching.flatMap(\.commands)
    return .reminders(configuration.reminderWays, programs: programs, files: programs.flatMap(ownFiles))
  }

  private var noticesItem: TrustItem? {
    let addresses = configuration.engine.onFailure.mail
    return addresses.isEmpty ? nil : .notices(addresses)
  }

  // MARK: - What sections may do

  /// Refuses an account of the configuration whose server is on another machine.
  ///
  /// - Parameters:
  ///   - account: The account; its endpoints may be those that the user has typed.
  ///   - urls: Further endpoints that it would use.
  package func check(_ account: ConfiguredAccount, reaching urls: [String]) throws(SecretError) {
    guard !trustsAll, let configured = configuration.account(account.name) else { return }
    if isActing, isOnThisMachine(account), urls.allSatisfy(Self.isThisMachine) { return }
    guard !covers(item(configured)) else { return }
    throw SecretError(
      .untrusted,
      refusal(
        LocalizedText(
          "the account '\(account.name)' is not used", de: "das Konto '\(account.name)' wird nicht verwendet")))
  }

  /// Refuses the secret of a client that a sign-in or a refresh of tokens would send off this machine.
  ///
  /// - Parameters:
  ///   - name: The account's name.
  ///   - endpoints: The URLs that the secret goes to.
  package func check(clientSecretOf name: String, endpoints: [String]) throws(SecretError) {
    if let account = configuration.account(name) { return try check(account, reaching: endpoints) }
    guard !trustsAll, !isActing || !endpoints.allSatisfy(Self.isThisMachine) else { return }
    // The vault alone has such an account, and a folder may bring a vault along.
    guard configuration.path != nil, currentGrant(isReread: true) == nil else { return }
    let host = endpoints.first { !Self.isThisMachine($0) } ?? ""
    throw SecretError(
      .untrusted,
      refusal(
        LocalizedText(
          "the client secret of the account '\(name)' is not sent to \(host)",
          de: "das Client-Geheimnis des Kontos '\(name)' wird nicht an \(host) gesendet")))
  }

  /// Refuses ways of delivering reminders that run a program or write to people.
  func checkReminders() throws(UseCaseError) {
    guard let item = refused(remindersItem) else { return }
    throw untrusted(item)
  }

  /// Refuses to get recipes from a Git repository.
  package func checkSync() throws(UseCaseError) {
    guard let item = refused(syncItem) else { return }
    throw untrusted(item)
  }

  /// Refuses an address that other machines reach.
  package func checkListening() throws(UseCaseError) {
    guard let item = refused(listenItem) else { return }
    throw untrusted(item)
  }

  /// Who is told of failures; without trust nobody by mail.
  var failurePolicy: FailurePolicy {
    var policy = configuration.engine.onFailure
    if refused(noticesItem) != nil { policy.mail = [] }
    return policy
  }

  /// The folders that are served; without trust only those in the folder. `nil` if the configuration does not say.
  var recipeFolders: [String]? {
    guard refused(recipesItem) != nil else { return configuration.recipeFolders }
    return configuration.recipeFolders?.filter(isInside)
  }

  /// Why not all folders are served that the configuration names; `nil` if they are.
  package var recipeFoldersRefusal: LocalizedText? {
    refused(recipesItem).map { refusal(of: $0) }
  }

  /// The folders that actions on files may work in, without trust only those in the folder; and why some are left out.
  var fileFolders: (folders: [String]?, refusal: LocalizedText?) {
    guard let item = refused(foldersItem) else { return (configuration.fileFolders, nil) }
    return (
      configuration.fileFolders?.filter(isInside), refusal(of: item)
    )
  }

  /// The hosts that actions of HTTP may reach, without trust only this machine; and those that are left out, and why.
  var httpHosts: (hosts: [String], withheld: [String], refusal: LocalizedText?) {
    let hosts = configuration.http.hosts.map(\.value)
    guard let item = refused(hostsItem) else { return (hosts, [], nil) }
    return (
      hosts.filter(Self.isThisMachine), hosts.filter { !Self.isThisMachine($0) },
      refusal(of: item)
    )
  }

  private func refused(_ item: TrustItem?) -> TrustItem? {
    guard let item, !trustsAll, !covers(item) else { return nil }
    return item
  }

  /// The error for an item that is not allowed.
  func untrusted(_ item: TrustItem) -> UseCaseError {
    UseCaseError(.init(rawValue: PluginError.Code.untrusted.rawValue), refusal(of: item))
  }

  private func refusal(of item: TrustItem) -> LocalizedText {
    refusal(LocalizedText("it ", de: "sie ") + item.text)
  }

  // MARK: - Files

  /// The settings of a provider that are paths outside the folder.
  func outsidePaths(of provider: ConfiguredProvider, _ manifest: PluginManifest?) -> [String] {
    // Without files, a setting called `path` is something else, such as a part of a URL.
    guard let manifest, manifest.files?.isEmpty != true else { return [] }
    return manifest.paths(in: provider.settings.value { _ in .null })
      .map { configuration.resolve($0.path, environment) }.filter { !isInside($0) }
  }

  /// A path of the configuration in one spelling, whichever folder the command is called in: from the folder if it is below.
  private func inFolder(_ path: String) -> String {
    func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
    let (path, folder) = (absolute(path), absolute(configuration.directory))
    return path.hasPrefix(folder + "/") ? "./" + path.dropFirst(folder.count + 1) : path
  }

  /// The certificates of the folder that connections trust, by content: another one lets another server in.
  private func certificates(_ trust: ConfiguredProvider.Trust) -> [String] {
    [trust.authorities, trust.certificate].compactMap(\.self).map { inFolder($0) + " " + (ownDigest($0) ?? "") }
  }

  /// The files of the folder that a command line names: the program itself, scripts, files with settings. Words inside an
  /// argument count, as in `sh -c "./get.sh"`. What a program itself opens further is not seen.
  private func ownFiles(of arguments: [String]) -> [String] {
    var found: [String] = []
    var words = arguments.flatMap { argument in
      [argument] + argument.split { " \t\r\n'\"`;|&()<>=,:".contains($0) }.map(String.init)
    }
    if let program = arguments.first, !program.contains("/") {
      words += (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
    }
    for word in words where !word.isEmpty && word.utf8.count < 4096 && !word.utf8.contains(0) {
      // Programs start in the current folder; `sous.yaml` is written for its own.
      let paths = word.hasPrefix("/") ? [word] : [configuration.resolve(word), word, folder + "/" + word]
      for path in paths {
        guard let digest = ownDigest(path) else { continue }
        let file = inFolder(path) + " " + digest
        if !found.contains(file) { found.append(file) }
      }
    }
    return found.sorted()
  }

  /// The SHA-256 of a file of the folder; of a link in it that leads elsewhere the target; `nil` for other files.
  private func ownDigest(_ path: String) -> String? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    let real = Self.real(path)
    if Self.holds(folder, real) { return PluginSearchPath.digest(ofLibraryAt: real) ?? "-" }
    let parent = Self.real((path as NSString).deletingLastPathComponent)
    return Self.holds(folder, parent) ? "→ " + real : nil
  }
}

extension Value {
  /// Whether a way of delivering a reminder is not only a notification.
  fileprivate var reachesBeyondNotices: Bool {
    guard let way = mapValue else { return true }
    return way.entries.contains { key, value in
      switch key.text {
      case "notify": false
      case "otherwise": (value.listValue ?? [value]).contains { $0.reachesBeyondNotices }
      default: true
      }
    }
  }

  /// The programs of a way of delivering a reminder.
  fileprivate var commands: [[String]] {
    let own = self["command"]?.listValue.map { [$0.map { $0.stringValue ?? $0.jsonString }] } ?? []
    return own + (self["otherwise"].map { $0.listValue ?? [$0] } ?? []).flatMap(\.commands)
  }
}
