public import Engine
import Expressions
import Localization
public import PluginHost
import Recipes

/// The checks that every plugin should pass, whatever it does.
///
/// The suite calls the plugin the way the engine does, in the process it runs in: run it where a crash does no harm.
public struct ConformanceSuite: Sendable {
  /// Takes what was found, in the order of ``Check``.
  public typealias Report = (CheckResult) -> Void

  let manifest: PluginManifest
  let options: ConformanceOptions
  let heap: @Sendable () -> Int
  let time: any TimeSource

  /// Prepares the suite.
  ///
  /// - Parameters:
  ///   - manifest: What the plugin says about itself.
  ///   - options: How far to go.
  ///   - time: By which calls are limited.
  ///   - heap: The bytes this process has allocated.
  public init(
    _ manifest: PluginManifest, options: ConformanceOptions = ConformanceOptions(), time: any TimeSource = SystemTime(),
    heap: @escaping @Sendable () -> Int = { HeapUse.bytes }
  ) {
    self.manifest = manifest
    self.options = options
    self.time = time
    self.heap = heap
  }

  /// Runs all checks.
  ///
  /// - Parameters:
  ///   - open: Makes a provider of the plugin ready.
  ///   - willRun: Called before each check.
  ///   - report: Takes the result of each check.
  /// - Returns: Whether none has failed.
  @discardableResult
  public func run(
    open: () async throws(PluginError) -> any StepProvider, willRun: (Check) -> Void = { _ in }, report: Report
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
    let calls = CallChecks(suite: self, provider: provider)
    for (check, look) in calls.all {
      willRun(check)
      note(await look())
    }
    return isSound
  }
}
