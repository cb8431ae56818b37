package import Engine
public import Expressions

/// The contents of spans that differ between an export and a push.
public struct TraceStyle: Sendable {
  /// Whether spans have the messages of failures, which may quote data.
  public var hasMessages = true
  /// The names of the services behind providers of models, by the configured name, as OpenTelemetry calls them: `openai`.
  public var services: [String: String] = [:]

  /// Creates the style of an export.
  public init() {}
}

/// The attributes of an attempt that calls a model, by the conventions of OpenTelemetry for generative AI.
///
/// See <https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/>.
package struct ModelAttributes {
  /// The name of the span; `nil` if no model was called.
  package private(set) var spanName: String?
  package private(set) var attributes: [(String, Value)] = []

  /// Creates the attributes of the calls of one attempt.
  package init(_ calls: [CallRecord], _ style: TraceStyle) {
    guard let call = calls.last else { return }
    let operation = Self.operation(call.action)
    spanName = call.model.isEmpty ? operation : "\(operation) \(call.model)"
    attributes = [
      ("gen_ai.operation.name", .string(operation)),
      ("gen_ai.provider.name", .string(style.services[call.provider] ?? call.provider)),
    ]
    if !call.model.isEmpty { attributes.append(("gen_ai.request.model", .string(call.model))) }
    let prompt = calls.reduce(0) { $0 + $1.tokens.prompt }
    let completion = calls.reduce(0) { $0 + $1.tokens.completion }
    if prompt > 0 { attributes.append(("gen_ai.usage.input_tokens", .number(prompt))) }
    if completion > 0 { attributes.append(("gen_ai.usage.output_tokens", .number(completion))) }
  }

  /// The operation of an action: `chat.complete` is `chat`, `embed.texts` is `embeddings`.
  private static func operation(_ action: String) -> String {
    let word = action.split(separator: ".").first.map(String.init) ?? action
    return word == "embed" ? "embeddings" : word
  }
}

/// A request to a collector.
public enum TraceRequest {
  /// The request as OTLP/JSON.
  ///
  /// - Parameter version: The version of the program.
  public static func bytes(_ spans: [Value], version: String) -> [UInt8] {
    let service: [(String, Value)] = [("service.name", .string("sous")), ("service.version", .string(version))]
    let scope: Value = .object([("name", .string("sous")), ("version", .string(version))])
    let request: Value = .object([
      (
        "resourceSpans",
        .list([
          .object([
            ("resource", .object([("attributes", Span.attributes(service))])),
            ("scopeSpans", .list([.object([("scope", scope), ("spans", .list(spans))])])),
          ])
        ])
      )
    ])
    return request.json()
  }
}
