import Engine
public import Expressions
import Foundation
import Localization
import PluginBoundary
public import PluginConformance
public import PluginHost
import RunStore
import Synchronization

/// The conformance suite on one plugin, which runs in worker processes and keeps its state in a folder that is removed.
public struct PluginCheck: Sendable {
  /// Whether actions that change something are called, too.
  public var includesEffects = false
  /// Whether the plugin may reach its hosts, with made-up input.
  public var isLive = false
  /// Calls of each action in the check of memory.
  public var memoryCalls = 10_000
  /// What the plugin says it is.
  public let manifest: PluginManifest
  private let project: Project
  private let configuration: ProviderConfiguration

  /// Finds the plugin and its settings.
  ///
  /// - Parameters:
  ///   - plugin: Its id, or the path of its library.
  ///   - provider: Take the settings of this provider of sous.yaml.
  ///   - settings: Take these settings; without them and a provider they are made up from the plugin's schema.
  /// - Throws: ``UseCaseError``: `wrong_input` where there is no such provider; with a `PluginError` as its cause where
  ///   the library is not found or does not load, see ``failedCheck(_:)``.
  public init(
    _ project: Project, plugin: String, provider: String? = nil, settings: Value? = nil
  ) throws(UseCaseError) {
    let path: String
    do throws(PluginError) {
      let reference = PluginReference(plugin)
      path = try project.manifests.searchPath.locate(reference)
      // A user who types the path of a library wants it to run.
      if case .path = reference { project.trust.admit(namedLibrary: path) }
      manifest = try project.manifests.manifest(of: reference)
    } catch {
      throw UseCaseError(error)
    }
    self.project = project
    if let provider {
      guard let found = project.hostConfiguration(of: provider) else {
        throw .wrongInput(
          LocalizedText(
            "there is no provider '\(provider)' in sous.yaml", de: "es gibt keinen Provider '\(provider)' in sous.yaml")
        )
      }
      configuration = found
    } else {
      configuration = ProviderConfiguration(
        name: "check", plugin: .path(path), settings: settings ?? SampleConfiguration.settings(for: manifest))
    }
  }

  /// The check that a library fails which does not load; `nil` where the trouble is not the plugin's.
  public static func failedCheck(_ error: UseCaseError) -> Check? {
    switch (error.cause as? PluginError)?.code {
    case .manifestInvalid, .idMismatch: .manifest
    case .notLoadable, .noEntry, .refused, .badMagic, .abiMismatch, .invalidStruct, .crashedLoading, .probeTimeout:
      .handshake
    default: nil
    }
  }

  /// Runs the suite.
  ///
  /// - Parameters:
  ///   - willRun: Called before each check.
  ///   - report: Takes each result.
  /// - Throws: ``UseCaseError`` with code `environment` where the check cannot be started.
  public func run(
    willRun: (Check) -> Void, report: (CheckResult) -> Void
  ) async throws(UseCaseError) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sous-check-\(UUID().uuidString)").path(
      percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try await check(keepingStateIn: folder, willRun: willRun, report: report)
    } catch {
      throw .environment(
        LocalizedText("the check cannot be started: \(error)", de: "die Prüfung lässt sich nicht starten: \(error)"))
    }
  }

  /// Runs the suite on three providers of the plugin, each with a worker of its own.
  private func check(
    keepingStateIn folder: String, willRun: (Check) -> Void, report: (CheckResult) -> Void
  ) async throws {
    let defects = DefectList()
    var configuration = configuration
    configuration.isolation = .process
    configuration.isOffline = !isLive
    // Made-up calls need no leave, and must not take that of real ones.
    (configuration.concurrency, configuration.rate) = (nil, nil)
    // Thousands of calls are more than a service of others should have to answer.
    var offline = configuration
    offline.name += " offline"
    offline.isOffline = true
    // What must not be carried out reaches nobody, whatever the plugin makes of its input.
    var guarded = offline
    guarded.name = configuration.name + " guarded"
    let store = try RunStore(path: folder + "/sous.db", time: SystemTime())
    let host = PluginHost(
      providers: [configuration, guarded, offline], searchPath: project.manifests.searchPath,
      cache: project.manifests.cache, gate: project.manifests.gate,
      builtins: project.host.builtins, storage: store, time: SystemTime(), protected: project.workspace.ownPlaces,
      defects: { _, level, message in if level >= .error { defects.append(message) } })
    var options = ConformanceOptions()
    options.includesEffects = includesEffects
    options.isLive = isLive
    options.memoryCalls = memoryCalls
    if isLive { options.callSeconds = 60 }
    let suite = ConformanceSuite(
      manifest, options: options, defects: { defects.take() }, reserved: ReservedWords.ofActions)
    let names = (configuration.name, guarded.name, offline.name)
    await suite.run(
      open: { () async throws(PluginError) in try await host.pluginProvider(named: names.0) },
      openGuarded: { () async throws(PluginError) in try await host.pluginProvider(named: names.1) },
      openOffline: { () async throws(PluginError) in try await host.pluginProvider(named: names.2) },
      close: { await host.shutdown(grace: 5).isEmpty },
      willRun: willRun, report: report)
    await host.shutdown(grace: 0)
    try await store.close()
  }
}

/// The broken rules that the host notices, once each.
///
/// A plugin that does wrong does so in each of thousands of calls.
private final class DefectList: Sendable {
  private let list = Mutex<(fresh: [String], seen: Set<String>)>(([], []))

  func append(_ message: String) {
    list.withLock { list in
      guard list.seen.count < 1000, list.seen.insert(message).inserted else { return }
      list.fresh.append(message)
    }
  }

  /// What has come since it was taken last.
  func take() -> [LocalizedText] {
    list.withLock { list in
      defer { list.fresh = [] }
      return list.fresh.map { LocalizedText(verbatim: $0) }
    }
  }
}
