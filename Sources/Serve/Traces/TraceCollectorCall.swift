import Builtins
import Engine
import Expressions
public import Localization
import OpenTelemetry
import RecipeModel
public import UseCases

/// A request to the collector of `engine.traces`.
struct TraceCollectorCall {
  /// Statuses by which a collector refuses what a request holds; the same request would be refused again (OTLP, "Failures"). Any other
  /// failure, such as a wrong path (404) or a wrong token (401), concerns all requests: they wait until it is mended.
  private static let refusals: Set<Int> = [400, 413, 422]

  private let target: EngineSettings.Traces
  private let project: Project
  private let version: String

  init(_ target: EngineSettings.Traces, _ project: Project, version: String) {
    (self.target, self.project, self.version) = (target, project, version)
  }

  /// Sends spans.
  ///
  /// - Returns: The status: 200 to 299 if the collector has accepted them, 400, 413 or 422 if it refuses these spans.
  /// - Throws: ``Engine/ActionFailure`` for any other answer, or none.
  func send(_ spans: [Value]) async throws(ActionFailure) -> Int {
    try await project.surroundings.post(
      TraceRequest.bytes(spans, version: version), type: "application/json", to: target.url,
      headers: target.headers.map { ($0.name, $0.value) }, field: "engine.traces", refusals: Self.refusals)
  }
}

/// Asks the collector of `engine.traces` whether it takes traces.
public enum TraceCheck {
  /// The answer of the collector to an export without spans.
  public enum Answer: Sendable {
    /// It takes traces.
    case accepts(status: Int)
    /// It does not, and why.
    case fails(LocalizedText)
  }

  /// Asks the collector.
  ///
  /// - Parameter version: The version of the program.
  /// - Returns: `nil` if `sous.yaml` names no collector.
  public static func ask(_ project: Project, version: String) async -> Answer? {
    guard let target = project.configuration.engine.traces else { return nil }
    do throws(ActionFailure) {
      let status = try await TraceCollectorCall(target, project, version: version).send([])
      if (200...299).contains(status) { return .accepts(status: status) }
      return .fails(
        LocalizedText(
          "the collector refuses an export without spans with status \(status): does 'engine.traces' lead to its receiver for "
            + "OTLP/HTTP, as http://127.0.0.1:4318/v1/traces does?",
          de:
            "der Collector weist einen Export ohne Spans mit Status \(status) ab: Führt 'engine.traces' zu seinem Empfänger für "
            + "OTLP/HTTP, wie http://127.0.0.1:4318/v1/traces?"))
    } catch {
      return .fails(LocalizedText("the collector: ", de: "der Collector: ") + error.message)
    }
  }
}
