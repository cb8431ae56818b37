/// How ``RunLogReader/export(_:_:version:to:)`` writes runs.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// One line of JSON for each run, with the shape of ``RunRecord/json``.
  case jsonLines = "jsonl"
  /// Traces of OpenTelemetry in OTLP/JSON: lines that are one request to a collector each.
  ///
  /// See <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding> and
  /// <https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/>.
  case openTelemetry = "otlp"
}
