import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import PluginConformance
import PluginHost
import Recipes
import RunStore
import Synchronization
import UseCases

/// `sous plugins check`: the public conformance suite, for authors of plugins.
///
/// The plugin runs in worker processes, so that one that crashes or hangs is reported like any other defect, and is kept
/// from the network unless the user says otherwise.
struct PluginsCheckCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check",
      abstract: say(
        "Run the conformance suite on a plugin.", de: "Die Konformitätsprüfung an einem Plugin durchführen."))
  }

  @Argument(
    help: ArgumentHelp(
      say("A plugin's id, or the path of its library.", de: "Die ID eines Plugins, oder der Pfad seiner Bibliothek."),
      valueName: "plugin"))
  var plugin: String

  @Option(
    help: ArgumentHelp(
      say(
        "Use the settings of this provider of sous.yaml.",
        de: "Die Einstellungen dieses Providers aus sous.yaml verwenden."), valueName: "name"))
  var provider: String?

  @Option(
    help: ArgumentHelp(
      say(
        "Use these settings, a JSON object (default: made up from the plugin's schema).",
        de: "Diese Einstellungen verwenden, ein JSON-Objekt (Vorgabe: aus dem Schema des Plugins erdacht)."),
      valueName: "json"))
  var settings: String?

  @Flag(
    help: ArgumentHelp(
      say(
        "Also call actions that change something.", de: "Auch Aktionen aufrufen, die etwas verändern.")))
  var effects = false

  @Flag(
    help: ArgumentHelp(
      say(
        "Let the plugin reach its hosts, with made-up input; without it every connection is refused.",
        de: "Das Plugin seine Rechner erreichen lassen, mit erdachten Eingaben; sonst wird jede Verbindung abgelehnt."))
  )
  var live = false

  @Option(
    help: ArgumentHelp(
      say("Calls of each action in the check of memory.", de: "Aufrufe jeder Aktion bei der Speicherprüfung."),
      valueName: "count"))
  var calls = 10_000

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  mutating func validate() throws {
    guard (1...10_000_000).contains(calls) else {
      throw ValidationError(say("--calls takes 1 to 10000000", de: "--calls nimmt 1 bis 10000000"))
    }
    if settings != nil, provider != nil {
      throw ValidationError(say("give --settings or --provider", de: "--settings oder --provider angeben"))
    }
  }

  func run() async throws {
    let project = try Project(try Workspace(global))
    let manifest: PluginManifest
    let path: String
    do throws(PluginError) {
      let reference = PluginReference(plugin)
      path = try project.manifests.searchPath.locate(reference)
      manifest = try project.manifests.manifest(of: reference)
    } catch {
      guard let check = error.failedCheck else { throw CommandError(ExitStatus.environment, error.message) }
      try refuse(error, by: check)
    }
    let configuration = try configuration(manifest, path, project)
    var report = ConformanceReport(isJSON: format.json)
    report.show(
      CheckResult(
        .handshake,
        LocalizedText(
          manifest.actions.count == 1 ? "1 action" : "\(manifest.actions.count) actions",
          de: manifest.actions.count == 1 ? "1 Aktion" : "\(manifest.actions.count) Aktionen")
          + LocalizedText(
            manifest.triggers.isEmpty ? "" : ", triggers: \(manifest.triggers.count)",
            de: manifest.triggers.isEmpty ? "" : ", Auslöser: \(manifest.triggers.count)")))
    let folder = FileManager.default.temporaryDirectory.appending(path: "sous-check-\(UUID().uuidString)").path(
      percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      try await check(manifest, configuration, project, folder: folder, &report)
    } catch {
      throw CommandError(
        ExitStatus.environment,
        LocalizedText("the check cannot be started: \(error)", de: "die Prüfung lässt sich nicht starten: \(error)"))
    }
    report.finish()
    if report.hasFailed { throw CommandError(ExitStatus.runFailed) }
  }

  /// Runs the suite on three providers of the plugin, each with a worker of its own.
  ///
  /// - Parameter folder: Where the plugin may keep state.
  private func check(
    _ manifest: PluginManifest, _ configuration: ProviderConfiguration, _ project: Project, folder: String,
    _ report: inout ConformanceReport
  ) async throws {
    let defects = DefectList()
    var configuration = configuration
    configuration.isolation = .process
    configuration.isOffline = !live
    // Made-up calls need no leave, and must not take that of real ones.
    (configuration.concurrency, configuration.rate) = (nil, nil)
    // Thousands of calls are more than a service of others should have to answer.
    var offline = configuration
    offline.name += " offline"
    offline.isOffline = true
    // What must not be carried out reaches nobody, whatever the plugin makes of its input.
    var guarded = offline
    guarded.name = configuration.name + " guarded"
    let host = PluginHost(
      providers: [configuration, guarded, offline], searchPath: project.manifests.searchPath,
      cache: project.manifests.cache,
      builtins: project.host.builtins, time: SystemTime(),
      defects: { _, level, message in if level >= .error { defects.append(message) } })
    let store = try RunStore(path: folder + "/sous.db", time: SystemTime())
    await host.use(store)
    var options = ConformanceOptions()
    options.includesEffects = effects
    options.isLive = live
    options.memoryCalls = calls
    if live { options.callSeconds = 60 }
    let suite = ConformanceSuite(
      manifest, options: options, defects: { defects.take() }, reserved: ReservedWords.ofActions)
    let names = (configuration.name, guarded.name, offline.name)
    await suite.run(
      open: { () async throws(PluginError) in try await host.pluginProvider(named: names.0) },
      openGuarded: { () async throws(PluginError) in try await host.pluginProvider(named: names.1) },
      openOffline: { () async throws(PluginError) in try await host.pluginProvider(named: names.2) },
      close: { await host.shutdown(grace: 5).isEmpty },
      willRun: { report.begin($0) }, report: { report.show($0) })
    await host.shutdown(grace: 0)
    try await store.close()
  }

  private func configuration(
    _ manifest: PluginManifest, _ path: String, _ project: Project
  ) throws(CommandError) -> ProviderConfiguration {
    if let provider {
      guard let found = project.hostConfiguration(of: provider) else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText(
            "there is no provider '\(provider)' in sous.yaml", de: "es gibt keinen Provider '\(provider)' in sous.yaml")
        )
      }
      return found
    }
    var value = SampleConfiguration.settings(for: manifest)
    if let settings {
      do throws(ExpressionError) {
        value = try Value(json: Array(settings.utf8))
      } catch {
        throw CommandError(ExitStatus.wrongInput, LocalizedText(verbatim: "--settings: ") + error.message)
      }
      guard case .map = value else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText("--settings takes a JSON object", de: "--settings nimmt ein JSON-Objekt"))
      }
    }
    return ProviderConfiguration(name: "check", plugin: .path(path), settings: value)
  }

  /// Reports a plugin that cannot even be loaded: nothing further can be looked at.
  private func refuse(_ error: PluginError, by check: Check) throws -> Never {
    var report = ConformanceReport(isJSON: format.json)
    if check != .handshake {
      report.show(CheckResult(.handshake, LocalizedText("the library loads", de: "die Bibliothek lädt")))
    }
    let summary = LocalizedText("cannot be used", de: "nicht zu gebrauchen")
    report.show(CheckResult(check, summary, [.error(error.message)]))
    report.finish()
    throw CommandError(ExitStatus.runFailed)
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

extension PluginError {
  /// The check that a library fails which does not load; `nil` where the trouble is not the plugin's.
  fileprivate var failedCheck: Check? {
    switch code {
    case .manifestInvalid, .idMismatch: .manifest
    case .notLoadable, .noEntry, .refused, .badMagic, .abiMismatch, .invalidStruct, .crashedLoading, .probeTimeout:
      .handshake
    default: nil
    }
  }
}
