package import Engine
package import Expressions
internal import Localization

/// A span of OpenTelemetry, written as OTLP/JSON: ids in hexadecimal, times as texts of nanoseconds since 1970, integers
/// as texts, enumerations as numbers.
///
/// See <https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto>.
package struct Span {
  /// `SpanKind`.
  package enum Kind: Int64 {
    case `internal` = 1
    case server = 2
    case client = 3
  }

  var trace: String
  var id: String
  var parent: String?
  var name: String
  var kind: Kind
  var start: Timestamp
  var end: Timestamp
  package var attributes: [(String, Value)] = []
  package var links: [(trace: String, span: String)] = []
  /// `StatusCode`: 0 unset, 1 ok, 2 error.
  private var code: Int64 = 0
  private var failure: ActionFailure?

  package init(
    trace: String, id: String, parent: String?, name: String, kind: Kind, start: Timestamp, end: Timestamp
  ) {
    self.trace = trace
    self.id = id
    self.parent = parent
    self.name = name
    self.kind = kind
    self.start = start
    self.end = end
  }

  package mutating func setStatus(isSuccess: Bool, isError: Bool, _ failure: ActionFailure?) {
    code = isSuccess ? 1 : isError ? 2 : 0
    self.failure = isSuccess ? nil : failure
  }

  package func json(_ style: TraceStyle) -> Value {
    var fields: [(String, Value)] = [("traceId", .string(trace)), ("spanId", .string(id))]
    if let parent { fields.append(("parentSpanId", .string(parent))) }
    fields += [
      ("name", .string(name)), ("kind", .int(kind.rawValue)),
      ("startTimeUnixNano", Self.nanoseconds(start)), ("endTimeUnixNano", Self.nanoseconds(max(start, end))),
      (
        "attributes",
        Self.attributes(attributes + (failure.map { [("error.type", .string($0.kind.rawValue))] } ?? []))
      ),
    ]
    if let failure, style.hasMessages {
      let exception: [(String, Value)] = [
        ("exception.type", .string(failure.kind.rawValue)), ("exception.message", .string(failure.message.english)),
      ]
      fields.append(
        (
          "events",
          .list([
            .object([
              ("timeUnixNano", Self.nanoseconds(max(start, end))), ("name", .string("exception")),
              ("attributes", Self.attributes(exception)),
            ])
          ])
        ))
    }
    if !links.isEmpty {
      fields.append(
        (
          "links",
          .list(links.map { .object([("traceId", .string($0.trace)), ("spanId", .string($0.span))]) })
        ))
    }
    var status: [(String, Value)] = [("code", .int(code))]
    if code == 2, style.hasMessages, let failure { status.append(("message", .string(failure.message.english))) }
    fields.append(("status", .object(status)))
    return .object(fields)
  }

  private static func nanoseconds(_ time: Timestamp) -> Value {
    let (seconds, isTooLarge) = max(0, time.seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return .string(isTooLarge ? "0" : String(seconds + Int64(time.nanoseconds)))
  }

  /// A list of `KeyValue`.
  static func attributes(_ attributes: [(String, Value)]) -> Value {
    .list(
      attributes.map { name, value in
        let typed: (String, Value) =
          switch value {
          case .int(let number): ("intValue", .string(String(number)))
          case .bool: ("boolValue", value)
          case .double: ("doubleValue", value)
          default: ("stringValue", value)
          }
        return .object([("key", .string(name)), ("value", .object([typed]))])
      })
  }
}
