import ArgumentParser
import Engine
import Expressions
import Foundation
import Localization
import PluginConformance
import PluginHost
import Recipes

/// `sous plugins check`: the public conformance suite, for authors of plugins.
///
/// The plugin is called in a process of its own, so that one that crashes is reported like any other defect.
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
        "Also call actions of a plugin that talks to other machines.",
        de: "Auch Aktionen eines Plugins aufrufen, das mit anderen Rechnern spricht.")))
  var live = false

  @Option(
    help: ArgumentHelp(
      say("Calls of the check of memory.", de: "Aufrufe der Speicherprüfung."), valueName: "count"))
  var calls = 10_000

  @Flag(help: .hidden) var inner = false

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
      throw CommandError(ExitStatus.environment, error.message)
    }
    if inner {
      try await checkHere(manifest, path, project)
    } else {
      try checkApart(manifest)
    }
  }

  // MARK: In the process that loads the plugin

  private func checkHere(_ manifest: PluginManifest, _ path: String, _ project: Project) async throws {
    let configuration = try configuration(manifest, path, project)
    let host = PluginHost(
      providers: [configuration], searchPath: project.manifests.searchPath, cache: project.manifests.cache,
      builtins: project.host.builtins, time: SystemTime())
    var options = ConformanceOptions()
    options.includesEffects = effects
    options.isLive = live
    options.memoryCalls = calls
    let isSound = await ConformanceSuite(manifest, options: options).run(
      open: { () async throws(PluginError) in try await host.pluginProvider(named: configuration.name) },
      willRun: { writeJSON(["begin": .string($0.rawValue)]) }, report: { writeJSON($0.json) })
    await host.shutdown(grace: 1)
    if !isSound { throw CommandError(ExitStatus.runFailed) }
  }

  private func configuration(
    _ manifest: PluginManifest, _ path: String, _ project: Project
  ) throws(CommandError) -> ProviderConfiguration {
    if let provider {
      guard let found = project.hostConfiguration(of: provider) else {
        throw CommandError(
          ExitStatus.wrongInput,
          LocalizedText(
            "there is no provider '\(provider)' in sous.yaml", de: "es gibt keinen Provider „\(provider)“ in sous.yaml")
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

  // MARK: In the process that reports

  private func checkApart(_ manifest: PluginManifest) throws {
    var report = ConformanceReport(isJSON: format.json)
    report.show(
      CheckResult(
        .handshake,
        LocalizedText(
          manifest.actions.count == 1 ? "1 action" : "\(manifest.actions.count) actions",
          de: manifest.actions.count == 1 ? "1 Aktion" : "\(manifest.actions.count) Aktionen")
      ).json)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = Array(CommandLine.arguments.dropFirst()) + ["--inner"]
    // A crash is reported here; the runtime's own report takes seconds and says less.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["SWIFT_BACKTRACE": "enable=no", "LANG": Speech.language == .german ? "de_DE.UTF-8" : "C.UTF-8"]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    do {
      try process.run()
    } catch {
      throw CommandError(
        ExitStatus.environment,
        LocalizedText("the check cannot be started: \(error)", de: "die Prüfung lässt sich nicht starten: \(error)"))
    }
    var rest: [UInt8] = []
    while case let piece = output.fileHandleForReading.availableData, !piece.isEmpty {
      rest += piece
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        if let line = try? Value(json: Array(rest[..<end])) { report.take(line) }
        rest.removeSubrange(...end)
      }
    }
    process.waitUntilExit()
    let status = process.terminationStatus
    if process.terminationReason == .uncaughtSignal { report.crashed(signal: status) }
    report.finish()
    if process.terminationReason == .exit, status > ExitStatus.runFailed { throw CommandError(status) }
    if report.hasFailed { throw CommandError(ExitStatus.runFailed) }
  }
}

/// Shows the results of the suite while they come in.
private struct ConformanceReport {
  let isJSON: Bool
  private let terminal = Terminal()
  private var results: [Value] = []
  private var current: String?
  private(set) var hasFailed = false

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Takes a line of the inner process.
  mutating func take(_ line: Value) {
    if let check = line["begin"]?.stringValue {
      current = check
      if terminal.isInteractive, !isJSON { write("  … \(Self.title(check))\r") }
    } else {
      current = nil
      show(line)
    }
  }

  /// Shows one result: `{check, outcome, summary, findings: [{severity, message}]}`.
  mutating func show(_ result: Value) {
    results.append(result)
    let outcome = result["outcome"]?.stringValue ?? ""
    if outcome == CheckResult.Outcome.failed.rawValue { hasFailed = true }
    if isJSON { return }
    let mark =
      switch outcome {
      case "passed": terminal.styled("✓", .green)
      case "skipped": terminal.styled("–", .dim)
      default: terminal.styled("✗", .red)
      }
    let summary = result["summary"]?.stringValue ?? ""
    var lines = ["  \(mark) \(Self.title(result["check"]?.stringValue ?? ""))  \(terminal.styled(summary, .dim))"]
    if case .list(let findings)? = result["findings"] {
      for finding in findings {
        let isError = finding["severity"]?.stringValue == "error"
        let sign = isError ? terminal.styled("✗", .red) : terminal.styled("!", .yellow)
        lines.append("      \(sign) \(finding["message"]?.stringValue ?? "")")
      }
    }
    write(lines.joined(separator: "\n") + "\n")
  }

  /// The inner process was ended by a signal: what it was doing has failed.
  mutating func crashed(signal: Int32) {
    show(
      CheckResult(
        current.flatMap(Check.init) ?? .creation,
        LocalizedText("crashed", de: "abgestürzt"),
        [
          .error(
            LocalizedText(
              "the plugin ended its process with signal \(signal) (\(String(cString: strsignal(signal))))",
              de:
                "das Plugin hat seinen Prozess mit dem Signal \(signal) beendet (\(String(cString: strsignal(signal))))"
            ))
        ]
      ).json)
  }

  func finish() {
    if isJSON {
      writeJSON(["passed": .bool(!hasFailed), "checks": .list(results)])
    }
  }

  private static func title(_ check: String) -> String {
    switch Check(rawValue: check) {
    case .handshake: say("handshake", de: "Handschlag")
    case .manifest: say("manifest", de: "Manifest")
    case .schemas: say("schemas", de: "Schemata")
    case .contracts: say("contracts", de: "Verträge")
    case .creation: say("gets ready", de: "wird bereit")
    case .actions: say("actions answer", de: "Aktionen antworten")
    case .badInput: say("survives bad input", de: "verträgt falsche Eingaben")
    case .cancellation: say("cancels", de: "lässt sich abbrechen")
    case .concurrency: say("concurrent calls", de: "gleichzeitige Aufrufe")
    case .verification: say("verifies", de: "prüft nach")
    case .memory: say("no leak", de: "verliert keinen Speicher")
    case nil: check
    }
  }
}

extension CheckResult {
  /// The result for machines.
  fileprivate var json: Value {
    [
      "check": .string(check.rawValue), "outcome": .string(outcome.rawValue), "summary": .string(summary.spoken),
      "findings": .list(
        findings.map {
          ["severity": .string($0.isError ? "error" : "advice"), "message": .string($0.message.spoken)]
        }),
    ]
  }
}
