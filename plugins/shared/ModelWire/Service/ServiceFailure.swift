public import PluginKit

/// The error of a service, in any of the shapes that services of language models have for it.
///
/// Known are the object of OpenAI, `{"error": {message, type, param, code}}`; Mistral's `{"object": "error", message,
/// type, code}`, the `{"message"}` of its gateway and the `{"detail": [{loc, msg}]}` of its validation; Ollama's
/// `{"error": "text"}`; pages of HTML that a proxy sends, and bare text.
public struct ServiceFailure: Sendable {
  /// Words of a service are cut here, in characters.
  static let maximumWords = 300

  /// The HTTP status; 200 for a failure in the middle of an answer.
  public var status: Int
  /// The service's own words, one line, bounded; `nil` if it said nothing.
  public var words: String?
  /// Its names for the failure, lower case: `insufficient_quota`, `invalid_request_error`, `1300`.
  public var names: [String] = []

  /// The field of the request that it is about (`param`), as the service names it: `response_format`.
  public var parameter: String?

  /// Reads the body of a response with a status of failure.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - body: The body, or the beginning of it.
  public init(status: Int, body: [UInt8]) {
    self.status = status
    if let value = try? JSONValue(json: body) {
      read(value)
    } else {
      words = Self.words(ofText: String(decoding: body.prefix(8192), as: UTF8.self))
    }
  }

  /// Reads an object that came instead of a piece of the answer.
  ///
  /// - Returns: `nil` if the object is not a failure.
  public init?(inStream value: JSONValue) {
    guard let error = value["error"], error != .null else {
      // Mistral, in the middle of a stream.
      guard value["object"] == "error" else { return nil }
      status = 200
      read(value)
      return
    }
    status = 200
    read(value)
  }

  private mutating func read(_ value: JSONValue) {
    switch value["error"] {
    case .string(let text): words = Self.shortened(text)
    case .object(let members):
      readNames(.object(members))
      parameter = members["param"]?.string
      words = Self.text(of: members["message"] ?? .null)
    default: break
    }
    if words == nil { words = Self.text(of: value["message"] ?? .null) ?? Self.text(of: value["detail"] ?? .null) }
    readNames(value)
    parameter = parameter ?? value["param"]?.string
  }

  private mutating func readNames(_ value: JSONValue) {
    for key in ["code", "type"] {
      switch value[key] {
      case .string(let name): names.append(name.lowercased())
      case .integer(let number): names.append(String(number))
      default: break
      }
    }
  }

  /// A message as text, also if it is a list of findings: `body.temperature: Input should be less than 2`.
  private static func text(of value: JSONValue) -> String? {
    switch value {
    case .string(let text): return text.isEmpty ? nil : shortened(text)
    case .object(let members):
      return members["detail"].flatMap { text(of: $0) } ?? members["message"].flatMap { text(of: $0) }
    case .array(let findings):
      let lines = findings.prefix(5).compactMap { finding -> String? in
        guard let message = finding["msg"]?.string ?? finding.string else { return nil }
        let place = (finding["loc"]?.array ?? []).compactMap { $0.string ?? $0.integer.map(String.init) }
        return place.isEmpty ? message : place.joined(separator: ".") + ": " + message
      }
      return lines.isEmpty ? nil : shortened(lines.joined(separator: "; "))
    default: return nil
    }
  }

  /// The text of an answer that is not JSON: the title of a page, or the text.
  static func words(ofText text: String) -> String? {
    let start = text.drop(while: \.isWhitespace)
    guard start.hasPrefix("<") else { return start.isEmpty ? nil : shortened(String(start)) }
    // As many characters as before, so that places in one are places in the other.
    let lowered = start.map { $0.isASCII ? Character($0.lowercased()) : $0 }
    guard let open = lowered.firstRange(of: Array("<title")),
      let begin = lowered[open.upperBound...].firstIndex(of: ">"),
      let end = lowered[begin...].firstRange(of: Array("</title"))
    else { return nil }
    let title = start.dropFirst(begin + 1).prefix(end.lowerBound - begin - 1)
    return title.allSatisfy(\.isWhitespace) ? nil : shortened(String(title))
  }

  /// Words on one line, cut if they are long.
  static func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > maximumWords ? line.prefix(maximumWords) + "…" : line
  }

  private static let quotaNames: Set<String> = [
    "insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "quota_exceeded", "insufficient_balance",
    "insufficient_credits", "credit_balance_exhausted", "payment_required",
  ]

  /// The kind of failure.
  public var kind: ActionError.Kind {
    if names.contains(where: Self.quotaNames.contains) { return .quota }
    let words = words?.lowercased() ?? ""
    if [402, 403, 429].contains(status), words.contains("exceeded your current quota") || words.contains("billing") {
      return .quota
    }
    if (400..<500).contains(status), words.contains("does not support") { return .unsupported }
    guard (200..<300).contains(status) else { return Self.kind(status: status) }
    // In the middle of an answer only the names tell; some servers put the status there.
    for name in names {
      if let status = Int(name), (400..<600).contains(status) { return Self.kind(status: status) }
      if name.hasPrefix("rate_limit") { return .rateLimited }
      if name.contains("authentication") || name == "invalid_api_key" { return .auth }
      if name.hasPrefix("invalid_request") || name == "context_length_exceeded" { return .invalidInput }
    }
    return .server
  }

  private static func kind(status: Int) -> ActionError.Kind {
    switch status {
    case 401, 403: .auth
    case 402: .quota
    case 404, 410: .notFound
    case 408: .timeout
    case 409: .server
    case 429: .rateLimited
    case 500...: .server
    case 400..<500: .invalidInput
    default: .protocol
    }
  }
}
