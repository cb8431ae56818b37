public import PluginKit
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The form of requests that a service accepts for a model, learned from its refusals.
///
/// Servers that speak as OpenAI does differ: some know no `response_format`, some call the limit of the answer
/// `max_completion_tokens`, some know no `temperature`, no `stream_options` or no role `system`.
public struct RequestForm: Codable, Sendable, Hashable {
  /// How the schema of an answer is passed on, the strictest form first.
  public enum Schema: String, Codable, Sendable {
    /// `json_schema` with `strict`, if the schema allows it.
    case strict
    /// `json_schema` without `strict`.
    case loose
    /// `json_object`, and the schema in the prompt.
    case object
    /// The schema in the prompt alone.
    case words
  }

  /// How a schema is passed on.
  public var schema = Schema.strict
  /// The name of the field for the longest answer; `nil` for the vendor's.
  public var limit: String?
  /// The fields that are left out.
  public var leftOut: Set<String> = []
  /// Whether the instructions are put before the first turn of the user.
  public var foldsSystem = false
  /// Whether adjacent turns of one role are one turn.
  public var joinsTurns = false
  /// Whether ids of calls of tools have nine letters and digits.
  public var shortensIDs = false

  /// The form before anything is learned.
  public init() {}

  /// Fields that an answer does without. A refused `stop` or `seed` is an error, because the step asked for its effect.
  private static let dispensable = ["temperature", "top_p", "stream_options", "stream"]
  private static let limits = ["max_tokens", "max_completion_tokens"]
  /// Statuses that say nothing about the form of the request.
  private static let otherStatuses: Set<Int> = [401, 402, 403, 408, 409, 413, 429, 502, 503, 504]
  /// Words of refusals; `unavailable` is DeepSeek's word for a form of answers that it does not have. They count only beside the
  /// name of a field of the request.
  private static let refusals = [
    "not support", "unsupported", "unknown", "unrecognized", "unrecognised", "not permitted", "not allowed",
    "unexpected", "unavailable", "not available", "not implemented", "extra inputs", "extra fields", "deprecated",
    "not enabled", "must be verified", "invalid parameter", "not a valid parameter",
  ]
  private static let schemaWords = [
    "response_format", "json_schema", "json_object", "json schema", "json mode", "structured output",
    "structured_output", "invalid schema", "guided",
  ]

  /// Changes the form by the refusal of a service.
  ///
  /// - Parameters:
  ///   - failure: The refusal.
  ///   - body: The refused request.
  ///   - options: Fields that the recipe itself has written; they are never changed.
  /// - Returns: The change, in words for the log; `nil` if the refusal is about something else.
  public mutating func learn(
    from failure: ServiceFailure, body: JSONObject, options: JSONObject?
  ) -> String? {
    guard (400..<600).contains(failure.status), !Self.otherStatuses.contains(failure.status) else { return nil }
    let words = (failure.words ?? "").lowercased()
    let names = Set(words.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) && $0 != "_" }.map(String.init))
    let isRefusal =
      Self.refusals.contains { words.contains($0) }
      || failure.names.contains { $0.hasPrefix("unsupported") || $0.hasPrefix("unknown") }
    func isOwn(_ name: String) -> Bool { body[name] != nil && options?[name] == nil }
    func isAbout(_ name: String) -> Bool {
      failure.parameter.map { $0.lowercased() == name } ?? false || names.contains(name)
    }
    if limit == nil, let sent = Self.limits.first(where: isOwn), isAbout(sent) {
      let other = sent == Self.limits[0] ? Self.limits[1] : Self.limits[0]
      if isRefusal || names.contains(other) {
        limit = other
        return "'\(other)' for '\(sent)'"
      }
    }
    if isOwn("response_format"), schema != .words,
      failure.parameter?.hasPrefix("response_format") ?? false || Self.schemaWords.contains(where: words.contains)
    {
      let isStrict = body["response_format"]?["json_schema"]?["strict"] == true
      let isAboutStrictness =
        ["strict", "invalid schema", "additionalproperties", "'required'"].contains(where: words.contains)
      switch schema {
      case .strict where isStrict && isAboutStrictness: schema = .loose
      case .strict, .loose: schema = .object
      default: schema = .words
      }
      return schema == .loose ? "the schema without 'strict'" : "the schema in the prompt"
    }
    if isRefusal, let name = Self.dispensable.first(where: { isOwn($0) && isAbout($0) }) {
      leftOut.insert(name)
      return "no '\(name)'"
    }
    if !shortensIDs, words.contains("tool call id") || words.contains("tool_call_id"), words.contains("length") {
      shortensIDs = true
      return "short ids of calls"
    }
    if !joinsTurns, words.contains("alternat") {
      joinsTurns = true
      return "one turn for adjacent turns of one role"
    }
    if !foldsSystem, isRefusal, names.contains("system") || words.contains("developer instruction") {
      foldsSystem = true
      return "the instructions in the first turn"
    }
    return nil
  }

  /// Writes a request in this form.
  ///
  /// - Parameters:
  ///   - body: The request as the vendor describes it.
  ///   - input: The call.
  public func apply(to body: inout CompletionBody, _ input: ChatInput) {
    if let limit, let name = Self.limits.first(where: { body.members[$0] != nil }), name != limit {
      body.members[limit] = body.members.removeValue(forKey: name)
    }
    for name in leftOut { body.members.removeValue(forKey: name) }
    if leftOut.contains("stream") { body.members.removeValue(forKey: "stream_options") }
    var messages = body.members["messages"]?.array ?? []
    if let schema = input.schema {
      switch self.schema {
      case .strict: break
      case .loose:
        body.members["response_format"] = CompletionBody.responseFormat(schema, isStrict: false)
      case .object: body.members["response_format"] = ["type": "json_object"]
      case .words: body.members.removeValue(forKey: "response_format")
      }
      if [.object, .words].contains(self.schema) { Self.instruct(AnswerSchema(schema: schema).words, &messages) }
    }
    if foldsSystem { Self.fold(&messages) }
    if joinsTurns { Self.join(&messages) }
    body.members["messages"] = .array(messages)
  }

  /// Adds words to the instructions.
  private static func instruct(_ words: String, _ messages: inout [JSONValue]) {
    if let first = messages.first, first["role"] == "system", let text = first["content"]?.string {
      messages[0] = ["role": "system", "content": .string(text + "\n\n" + words)]
    } else {
      messages.insert(["role": "system", "content": .string(words)], at: 0)
    }
  }

  /// Puts all instructions before the first turn of the user.
  private static func fold(_ messages: inout [JSONValue]) {
    let words = messages.filter { $0["role"] == "system" }.compactMap { $0["content"]?.string }.joined(
      separator: "\n\n")
    messages.removeAll { $0["role"] == "system" }
    guard !words.isEmpty else { return }
    guard let place = messages.firstIndex(where: { $0["role"] == "user" }) else {
      messages.insert(["role": "user", "content": .string(words)], at: 0)
      return
    }
    messages[place] = joined(["role": "user", "content": .string(words)], messages[place]) ?? messages[place]
  }

  private static func join(_ messages: inout [JSONValue]) {
    var result: [JSONValue] = []
    for message in messages {
      if let last = result.last, last["role"] == message["role"], message["role"] != "tool",
        let both = joined(last, message)
      {
        result[result.count - 1] = both
      } else {
        result.append(message)
      }
    }
    messages = result
  }

  /// Two turns of one role as one; `nil` if the first has calls of tools or pictures.
  private static func joined(_ first: JSONValue, _ second: JSONValue) -> JSONValue? {
    guard case .object(var members) = second, first["tool_calls"] == nil, let words = first["content"]?.string else {
      return nil
    }
    switch members["content"] {
    case .string(let text): members["content"] = .string(words + "\n\n" + text)
    case .array(let parts): members["content"] = .array([["type": "text", "text": .string(words)]] + parts)
    default: members["content"] = .string(words)
    }
    return .object(members)
  }
}

/// The forms that a service has accepted, by model: in memory, and for a week in the state of the provider.
///
/// After a week the full form is tried again, because servers are updated.
public final class RequestForms: Sendable {
  private static let validity = 7 * 86_400.0

  private struct Kept: Codable {
    var form: RequestForm
    var at: Double
  }

  private let known = Mutex<[String: RequestForm]>([:])

  /// Creates an empty collection.
  public init() {}

  /// The form for a model.
  func form(of model: String, at baseURL: String, _ context: ActionContext) async -> RequestForm {
    if let form = known.withLock({ $0[model] }) { return form }
    var form = RequestForm()
    if context.plugin.offers("sous.state/1"),
      let kept = try? await context.state.value(Kept.self, for: Self.key(model, baseURL)),
      abs(context.clock.now.timeIntervalSince1970 - kept.at) < Self.validity
    {
      form = kept.form
    }
    known.withLock { $0[model] = form }
    return form
  }

  /// Keeps a form that has been accepted.
  func keep(_ form: RequestForm, of model: String, at baseURL: String, _ context: ActionContext) async {
    known.withLock { $0[model] = form }
    guard context.plugin.offers("sous.state/1") else { return }
    let kept = Kept(form: form, at: context.clock.now.timeIntervalSince1970)
    // A form that cannot be kept is learned again.
    try? await context.state.set(kept, for: Self.key(model, baseURL))
  }

  private static func key(_ model: String, _ baseURL: String) -> String {
    String(decoding: "form \(baseURL) \(model)".utf8.prefix(500), as: UTF8.self)
  }
}
