public import Engine
public import Expressions
public import Localization
import Plans
public import PluginBoundary
public import PluginHost

/// The checks that every plugin should pass, whatever it does.
///
/// The suite calls the plugin the way the engine does. Open its providers with ``Isolation/process``: then a crash of the
/// plugin is a finding, and its memory can be told from that of the suite.
public struct ConformanceSuite: Sendable {
  /// Takes what was found, in the order of ``Check``.
  public typealias Report = (CheckResult) -> Void
  /// Calls an action that the manifest does not have; `nil` if the provider cannot do that.
  public typealias UnknownCall =
    @Sendable (any StepProvider, ActionRequest, any ActionReporter) async throws(ActionFailure) -> Value?
  /// Makes a provider of the plugin ready.
  public typealias Opening = @Sendable () async throws(PluginError) -> any StepProvider

  let manifest: PluginManifest
  let options: ConformanceOptions
  let heap: @Sendable (any StepProvider) async -> Int?
  let time: any TimeSource
  let callUnknown: UnknownCall
  let defects: @Sendable () -> [LocalizedText]
  let reserved: Set<String>

  /// Prepares the suite.
  ///
  /// - Parameters:
  ///   - manifest: What the plugin says about itself.
  ///   - options: How far to go.
  ///   - time: By which calls are limited.
  ///   - heap: The bytes that the process of a provider's plugin has allocated; `nil` where it has ended.
  ///   - callUnknown: Calls an action that the manifest does not have.
  ///   - defects: The broken rules that the host has noticed since it was asked last; asked after each check.
  ///   - reserved: What the names of actions begin with that are not a plugin's own.
  public init(
    _ manifest: PluginManifest, options: ConformanceOptions = ConformanceOptions(), time: any TimeSource = SystemTime(),
    heap: @escaping @Sendable (any StepProvider) async -> Int? = { await ($0 as? PluginProvider)?.heapBytes() },
    callUnknown: @escaping UnknownCall = { (provider, request, reporter) async throws(ActionFailure) in
      try await (provider as? PluginProvider)?.performUnannounced(request, reporter: reporter)
    },
    defects: @escaping @Sendable () -> [LocalizedText] = { [] }, reserved: Set<String> = []
  ) {
    self.manifest = manifest
    self.options = options
    self.time = time
    self.heap = heap
    self.callUnknown = callUnknown
    self.defects = defects
    self.reserved = reserved
  }

  /// Runs all checks.
  ///
  /// - Parameters:
  ///   - open: Makes a provider ready where recipes would have it: in a process of its own, mostly.
  ///   - openGuarded: Makes one ready likewise that reaches nobody, opened with
  ///     ``ProviderConfiguration/isOffline``. Where `open` makes one that does (``ConformanceOptions/isLive``), actions that
  ///     change something are called by this one, unless ``ConformanceOptions/includesEffects``, and without it not at all.
  ///   - openOffline: Makes one ready for the thousands of calls of the memory check, which reach nobody; without it
  ///     that of `open` is taken.
  ///   - close: Closes the providers, and tells whether they went; without it that is not looked at.
  ///   - willRun: Called before each check.
  ///   - report: Takes the result of each check.
  /// - Returns: Whether none has failed.
  @discardableResult
  public func run(
    open: @escaping Opening, openGuarded: Opening? = nil, openOffline: Opening? = nil, close: (() async -> Bool)? = nil,
    willRun: (Check) -> Void = { _ in }, report: Report
  ) async -> Bool {
    var isSound = true
    var said: Set<String> = []
    func note(_ result: CheckResult) {
      let held = defects().map { Finding.error($0) }.filter { !said.contains($0.message.english) }
      // What fails a check stands under it; advice is given once.
      let findings = result.findings.filter { $0.isError || !said.contains($0.message.english) } + held
      let result = CheckResult(
        result.check, result.summary, findings, isSkipped: result.outcome == .skipped)
      said.formUnion(result.findings.map(\.message.english))
      if result.outcome == .failed { isSound = false }
      report(result)
    }
    for (check, look) in [(Check.manifest, manifestCheck), (.schemas, schemaCheck), (.contracts, contractCheck)] {
      willRun(check)
      note(look())
    }
    willRun(.creation)
    let provider: any StepProvider
    var guarded: (any StepProvider)?
    do throws(PluginError) {
      provider = try await open()
      if !options.isLive || options.includesEffects {
        guarded = provider
      } else if manifest.actions.contains(where: \.changesSomething) {
        guarded = try await openGuarded?()
      }
      note(CheckResult(.creation, LocalizedText("ready", de: "bereit")))
    } catch {
      note(CheckResult(.creation, LocalizedText("not ready", de: "nicht bereit"), [.error(error.message)]))
      return false
    }
    let calls = CallChecks(suite: self, provider: provider, guarded: guarded, openOffline: openOffline ?? open)
    for (check, look) in calls.all {
      willRun(check)
      note(await look())
    }
    if let close {
      willRun(.closing)
      let stays = LocalizedText(
        "'destroy' did not end in time, or calls are left that never end",
        de: "'destroy' endete nicht rechtzeitig, oder es blieben Aufrufe, die nie enden")
      note(CheckResult(.closing, LocalizedText("destroyed", de: "aufgelöst"), await close() ? [] : [.error(stays)]))
    }
    return isSound
  }
}

extension PluginManifest.Action {
  /// Whether carrying it out may change something outside.
  var changesSomething: Bool { effect == .idempotent || effect == .once }
}
