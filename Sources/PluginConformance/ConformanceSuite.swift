public import Engine
import Expressions
import Localization
public import PluginHost
import Recipes

/// The checks that every plugin should pass, whatever it does.
///
/// The suite calls the plugin the way the engine does, and for the check of memory in the process it runs in: run it where
/// a crash does no harm.
public struct ConformanceSuite: Sendable {
  /// Takes what was found, in the order of ``Check``.
  public typealias Report = (CheckResult) -> Void
  /// Makes a provider of the plugin ready.
  public typealias Opening = @Sendable () async throws(PluginError) -> any StepProvider

  let manifest: PluginManifest
  let options: ConformanceOptions
  let heap: @Sendable () -> Int
  let time: any TimeSource
  let beat: @Sendable () -> Void

  /// Prepares the suite.
  ///
  /// - Parameters:
  ///   - manifest: What the plugin says about itself.
  ///   - options: How far to go.
  ///   - time: By which calls are limited.
  ///   - heap: The bytes this process has allocated.
  ///   - beat: Called before each call of the plugin, from any thread.
  public init(
    _ manifest: PluginManifest, options: ConformanceOptions = ConformanceOptions(), time: any TimeSource = SystemTime(),
    heap: @escaping @Sendable () -> Int = { HeapUse.bytes }, beat: @escaping @Sendable () -> Void = {}
  ) {
    self.manifest = manifest
    self.options = options
    self.time = time
    self.heap = heap
    self.beat = beat
  }

  /// Runs all checks.
  ///
  /// - Parameters:
  ///   - open: Makes a provider ready where recipes would have it: in a process of its own, mostly.
  ///   - openHere: Makes one ready in this process, whose memory is measured; without it that of `open` is taken.
  ///   - close: Closes the providers, and tells whether they went; without it that is not looked at.
  ///   - willRun: Called before each check.
  ///   - report: Takes the result of each check.
  /// - Returns: Whether none has failed.
  @discardableResult
  public func run(
    open: @escaping Opening, openHere: Opening? = nil, close: (() async -> Bool)? = nil,
    willRun: (Check) -> Void = { _ in }, report: Report
  ) async -> Bool {
    var isSound = true
    func note(_ result: CheckResult) {
      if result.outcome == .failed { isSound = false }
      report(result)
    }
    for (check, look) in [(Check.manifest, manifestCheck), (.schemas, schemaCheck), (.contracts, contractCheck)] {
      willRun(check)
      note(look())
    }
    willRun(.creation)
    let provider: any StepProvider
    do throws(PluginError) {
      provider = try await open()
      note(CheckResult(.creation, LocalizedText("ready", de: "bereit")))
    } catch {
      note(CheckResult(.creation, LocalizedText("not ready", de: "nicht bereit"), [.error(error.message)]))
      return false
    }
    let calls = CallChecks(suite: self, provider: provider, openHere: openHere ?? open)
    for (check, look) in calls.all {
      willRun(check)
      note(await look())
    }
    if let close {
      willRun(.closing)
      let stays = LocalizedText(
        "'destroy' did not end in time, or calls are left that never end",
        de: "„destroy“ endete nicht rechtzeitig, oder es blieben Aufrufe, die nie enden")
      note(CheckResult(.closing, LocalizedText("destroyed", de: "aufgelöst"), await close() ? [] : [.error(stays)]))
    }
    return isSound
  }
}
