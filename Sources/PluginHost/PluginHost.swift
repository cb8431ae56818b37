public import Engine
import Foundation
import Localization
public import Networking
import OperatingSystem
public import PluginBoundary
import Schemas

/// Everything that has to do with plugins: finds them, tries them out, opens them on first use, and makes them the
/// providers that the configuration names.
public actor PluginHost: ProviderDirectory {
  /// Takes lines that belong to no running call: provider, level, text. Defects of plugins come here as errors.
  public typealias Log = @Sendable (_ provider: String, _ level: LogLevel, _ message: String) -> Void

  /// The provider of the built-in actions.
  public nonisolated let builtins: any StepProvider

  private let configurations: [String: ProviderConfiguration]
  /// Where callers of providers with limits wait.
  private let gates: [String: AdmissionGate]
  /// The manifests of plugins.
  private let manifests: ManifestDirectory
  private let time: any TimeSource
  private let limits: PluginLimits
  private let workerExecutable: String
  private let protected: [String]
  private let separated: Set<String>
  private let deadlines: Deadlines
  private let log: Log
  private let defects: Log
  /// Where probes and the opening of libraries block.
  private let threads = BlockingPool(name: "plugin-loader", limit: 8)

  private let network: NetworkService
  private let storage: (any ProviderStorage)?

  private var opening: [String: Task<Result<PluginProvider, PluginError>, Never>] = [:]
  private var open: [String: PluginProvider] = [:]
  private var isClosed = false

  /// Creates a host. Touches no file and opens nothing.
  ///
  /// SIGPIPE is ignored from now on in the whole process, as the ABI promises plugins.
  ///
  /// - Parameters:
  ///   - providers: The configured providers; of equal names the last counts.
  ///   - searchPath: Where plugins are looked for.
  ///   - cache: Where manifests are kept.
  ///   - probe: Opens a plugin that the cache does not know, to read its manifest.
  ///   - gate: Decides whether a library may be opened; `nil` allows every library.
  ///   - workerExecutable: The executable that runs plugins in worker processes; its command `plugin-worker` must call
  ///     ``PluginWorker/runChild(arguments:)``.
  ///   - builtins: The provider of the built-in actions.
  ///   - storage: Where plugins keep state, blobs and events: the run log; `nil` lets them keep nothing.
  ///   - network: The network of plugins; it makes nothing before its first use, and is closed with the host.
  ///   - time: The time plugins see, and by which calls time out.
  ///   - limits: How much plugins may do.
  ///   - protected: Files and folders of Sous that no worker process may use, whatever settings say.
  ///   - separated: The names of contracts whose plugins run in worker processes, also plugins that came with Sous, unless the
  ///     configuration says otherwise. A daemon then survives a crash of such a plugin over data from a server.
  ///   - log: Takes lines that belong to no running call.
  ///   - defects: Takes of these, as well, the ones that the host itself writes: what plugins must not do.
  public init(
    providers: [ProviderConfiguration], searchPath: PluginSearchPath, cache: ManifestCache,
    probe: any PluginProbing = PluginProbe(), gate: ManifestDirectory.Gate? = nil,
    workerExecutable: String = "/proc/self/exe",
    builtins: any StepProvider, storage: (any ProviderStorage)? = nil, network: NetworkService = NetworkService(),
    time: any TimeSource,
    limits: PluginLimits = PluginLimits(), protected: [String] = [], separated: Set<String> = [],
    log: @escaping Log = { _, _, _ in },
    defects: @escaping Log = { _, _, _ in }
  ) {
    configurations = Dictionary(providers.map { ($0.name, $0) }) { _, last in last }
    gates = configurations.compactMapValues { configuration in
      guard configuration.concurrency != nil || configuration.rate != nil else { return nil }
      return AdmissionGate(
        concurrency: configuration.concurrency,
        rate: configuration.rate.map {
          AdmissionQueue.Rate(requests: $0.requests, seconds: $0.seconds, burst: $0.burst)
        }, time: time)
    }
    manifests = ManifestDirectory(searchPath: searchPath, cache: cache, probe: probe, gate: gate)
    self.workerExecutable = workerExecutable
    self.builtins = builtins
    self.storage = storage
    self.network = network
    self.time = time
    self.limits = limits
    self.protected = protected
    self.separated = separated
    deadlines = Deadlines(time: time)
    self.log = log
    self.defects = defects
    signal(SIGPIPE, SIG_IGN)
  }

  /// The provider with a configured name, opened on first use; several that ask at once get the same.
  public func provider(named name: String) async throws(ActionFailure) -> any StepProvider {
    do throws(PluginError) {
      return try await pluginProvider(named: name)
    } catch {
      throw error.failure
    }
  }

  /// Waits until a provider may be called, as `concurrency` and `rate` of its configuration say.
  public nonisolated func admit(to name: String) async throws(ActionFailure) -> Admission {
    guard let gate = gates[name] else { return .free }
    return try await gate.admit()
  }

  /// The provider with a configured name, opened on first use, with its plugin's own words about what is wrong.
  public func pluginProvider(named name: String) async throws(PluginError) -> PluginProvider {
    if let provider = open[name] { return provider }
    guard !isClosed else {
      throw PluginError(
        .closed, LocalizedText("The plugin host has been shut down.", de: "Der Plugin-Host ist beendet."))
    }
    let configuration = try configuration(of: name)
    if let task = opening[name] { return try await result(of: task, for: name) }
    // Awaited by those who ask for the provider; it ends by itself, as every step of it is limited in time.
    let task = Task {
      let outcome = await self.openProvider(configuration)
      self.finishOpening(name, outcome)
      return outcome
    }
    opening[name] = task
    return try await result(of: task, for: name)
  }

  private func finishOpening(_ name: String, _ outcome: Result<PluginProvider, PluginError>) {
    opening[name] = nil
    guard case .success(let provider) = outcome else { return }
    if isClosed { provider.close() } else { open[name] = provider }
  }

  /// Waits for a provider that is being opened; a cancelled caller goes, the others get it.
  private func result(
    of task: Task<Result<PluginProvider, PluginError>, Never>, for name: String
  ) async throws(PluginError) -> PluginProvider {
    let outcome = Promise<Result<PluginProvider, PluginError>>()
    // Awaited by the lines below unless the caller is cancelled; it ends with the opening.
    Task { outcome.offer(await task.value) }
    return try await withTaskCancellationHandler {
      await outcome.value()
    } onCancel: {
      outcome.offer(.failure(.cancelled(name)))
    }.get()
  }

  /// The manifest of the plugin of a configured provider; the plugin is not opened in this process.
  public func describe(_ name: String) async throws(PluginError) -> PluginManifest {
    try await manifest(of: try configuration(of: name).plugin)
  }

  /// The manifest of a plugin, which is not opened in this process.
  public func manifest(of reference: PluginReference) async throws(PluginError) -> PluginManifest {
    try await manifest(ofLibraryAt: try manifests.searchPath.locate(reference))
  }

  /// Every plugin on the search path, with what is wrong with it, most important folder first.
  ///
  /// This scans the folders and tries out what the cache does not know; running a recipe does neither.
  public func installedPlugins() async -> [InstalledPlugin] {
    var result: [InstalledPlugin] = []
    var active: [String: PluginSearchPath.Candidate] = [:]
    for candidate in manifests.searchPath.candidates() {
      let status: InstalledPlugin.Status
      do throws(PluginError) {
        let manifest = try await manifest(ofLibraryAt: candidate.path)
        if let winner = active[candidate.id] {
          status =
            winner.folder.origin == candidate.folder.origin
            ? .duplicate(of: winner.path) : .shadowed(by: winner.path)
        } else {
          status = .active(manifest)
        }
      } catch {
        if error.code == .noEntry, candidate.folder.isShared { continue }
        status = .broken(error)
      }
      // A broken library still hides those behind it: a recipe gets the first file.
      if active[candidate.id] == nil { active[candidate.id] = candidate }
      result.append(
        InstalledPlugin(
          id: candidate.id, path: candidate.path, origin: candidate.folder.origin, status: status))
    }
    return result
  }

  /// Closes every provider: no further call begins, and each is destroyed when its last call has ended.
  ///
  /// - Parameter grace: Seconds to wait for that.
  /// - Returns: The names of providers that still have unfinished calls then, sorted.
  @discardableResult
  public func shutdown(grace: Double = 2) async -> [String] {
    isClosed = true
    let providers = open
    open = [:]
    guard !providers.isEmpty else {
      await network.shutdown()
      return []
    }
    for provider in providers.values { provider.close() }
    let isOver = Latch()
    let timer = Task {
      try? await time.sleep(seconds: grace)
      isOver.open()
    }
    let wait = Task {
      for provider in providers.values { await provider.destroyed.wait() }
      isOver.open()
    }
    await isOver.wait()
    timer.cancel()
    wait.cancel()
    await network.shutdown()
    return providers.filter { !$0.value.destroyed.isOpen }.keys.sorted()
  }

  private func configuration(of name: String) throws(PluginError) -> ProviderConfiguration {
    guard let configuration = configurations[name] else {
      throw PluginError(
        .providerUnknown,
        LocalizedText(
          "There is no provider '\(name)'. Add it under 'providers:' in sous.yaml.",
          de: "Es gibt keinen Provider '\(name)'. Unter 'providers:' in sous.yaml eintragen."))
    }
    return configuration
  }

  private func openProvider(_ configuration: ProviderConfiguration) async -> Result<PluginProvider, PluginError> {
    do throws(PluginError) {
      let path = try manifests.searchPath.locate(configuration.plugin)
      let manifest = try await manifest(ofLibraryAt: path)
      // Before any secret is read.
      try configuration.permit?(manifest, path)
      let filled = try await filled(configuration)
      let configuration = try checked(filled, against: manifest, path: path)
      // A setting that the manifest declares a secret is masked, even if its value is written in sous.yaml itself.
      let mask = SecretMask(filled.secrets + configuration.literalSecrets(of: manifest).values)
      let services = ProviderServices(
        provider: configuration.name, resources: try resources(for: configuration, manifest), time: time,
        limits: limits, mask: mask, log: log, defects: defects)
      let destroyed = Latch()
      let connection: any InstanceConnection
      switch isolation(of: configuration, manifest, path) {
      case .inProcess:
        let plugin = try await LoadedPlugin.load(path, limits: limits, time: time)
        connection = try await LocalConnection.create(
          plugin, configuration: configuration, services: services, limits: limits, time: time, destroyed: destroyed)
      case .process:
        connection = try await WorkerConnection.create(
          path: path, manifest: manifest, configuration: configuration, executable: workerExecutable,
          protected: protected, services: services, limits: limits, destroyed: destroyed)
      }
      return .success(
        PluginProvider(
          name: configuration.name, manifest: manifest, connection: connection, services: services,
          deadlines: deadlines, destroyed: destroyed, fence: configuration.fence))
    } catch {
      return .failure(error)
    }
  }

  /// Where the plugin of a provider runs.
  nonisolated func isolation(of configuration: ProviderConfiguration, _ manifest: PluginManifest, _ path: String)
    -> Isolation
  {
    if let chosen = configuration.isolation { return chosen }
    let usual = manifests.searchPath.isolation(ofLibraryAt: path)
    let contracts = Set(manifest.contracts.map { String($0.prefix { $0 != "/" }) })
    guard usual == .inProcess, !contracts.isDisjoint(with: separated) else { return usual }
    // A plugin that came with Sous still runs if a worker could not use its files: a worker of root has no rights over files of
    // other users, and no worker may use a folder with Sous's own files.
    guard let files = try? WorkerFiles(configuration, manifest: manifest, protected: protected),
      files.places.allSatisfy({ $0.belongsToUser })
    else {
      log(
        configuration.name, .warning,
        "runs inside Sous, so a crash of the plugin ends Sous: a worker process may not use the files that its settings name"
      )
      return .inProcess
    }
    return .process
  }

  /// The network, secrets and storage of a provider.
  private func resources(
    for configuration: ProviderConfiguration, _ manifest: PluginManifest
  ) throws(PluginError) -> ProviderResources {
    let hosts = configuration.hosts(of: manifest)
    let policy: EgressPolicy
    do throws(NetworkError) {
      policy =
        configuration.isOffline
        ? .offline(provider: configuration.name)
        : try EgressPolicy(declared: hosts.declared, configured: hosts.configured, provider: configuration.name)
    } catch {
      throw PluginError(.configInvalid, error.message)
    }
    let trust = configuration.trust
    return ProviderResources(
      network: network, policy: policy,
      trust: TLSOptions(authorities: trust.authorities, certificate: trust.certificate),
      secrets: SecretAccess(
        literals: configuration.literalSecrets(of: manifest), declared: Set(manifest.secrets),
        reader: configuration.secretSource),
      storage: storage)
  }

  /// The configuration with its secrets.
  private func filled(_ configuration: ProviderConfiguration) async throws(PluginError) -> ProviderConfiguration {
    guard let source = configuration.secretSource else { return configuration }
    let late = PluginError(
      .secretUnavailable,
      LocalizedText(
        "The secrets of the provider '\(configuration.name)' could not be had within \(limits.secretSeconds) s.",
        de:
          "Die Geheimnisse des Providers '\(configuration.name)' waren nicht innerhalb von \(limits.secretSeconds) s da."
      ))
    let outcome: Result<FilledSettings, PluginError> = await threads.run(
      within: limits.secretSeconds, of: time, otherwise: .failure(late)
    ) {
      do throws(PluginError) {
        return .success(try source.filledSettings())
      } catch {
        return .failure(error)
      }
    }
    let filled = try outcome.get()
    var configuration = configuration
    configuration.settings = filled.settings
    configuration.secrets += filled.secrets
    return configuration
  }

  /// The configuration with the plugin's defaults filled in.
  private func checked(
    _ configuration: ProviderConfiguration, against manifest: PluginManifest, path: String
  ) throws(PluginError) -> ProviderConfiguration {
    var configuration = configuration
    configuration.settings = manifest.configuration.fillingDefaults(
      configuration.settingsWithResolvedPaths(schema: manifest.configuration.document))
    let mask = SecretMask(configuration.secrets + configuration.literalSecrets(of: manifest).values)
    let violations = manifest.configuration.validate(configuration.settings).map { violation in
      var violation = violation
      violation.message = mask(violation.message)
      return violation
    }
    guard violations.isEmpty else {
      throw PluginError(settingsOf: configuration.name, path: path, violations: violations)
    }
    return configuration
  }

  private func manifest(ofLibraryAt path: String) async throws(PluginError) -> PluginManifest {
    let late = PluginError(
      .probeTimeout,
      LocalizedText(
        "The plugin \(path) could not be tried out within \(limits.probeSeconds) s.",
        de: "Das Plugin \(path) ließ sich nicht innerhalb von \(limits.probeSeconds) s ausprobieren."), path: path)
    let outcome: Result<PluginManifest, PluginError> = await threads.run(
      within: limits.probeSeconds, of: time, otherwise: .failure(late), cancelled: .failure(.cancelled(path))
    ) { [manifests] in
      do throws(PluginError) {
        return .success(try manifests.manifest(ofLibraryAt: path))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
