public import PluginKit

/// A service of language models at a base URL: sends requests there and makes errors of what it refuses.
public struct ModelService: Sendable {
  /// Answers that are not stream may be this large, in bytes.
  static let maximumBody = 64 << 20
  /// How much of the body of a failure is read, in bytes.
  static let maximumFailure = 64 << 10

  /// Where it is, without a slash at the end: `https://api.openai.com/v1`.
  public let baseURL: String
  /// The header fields of every request.
  public let headers: HTTPHeaders
  /// The provider's name in sous.yaml, for advice.
  public let provider: String
  /// Secrets that are never shown, even if the service repeats them.
  public let secrets: [String]
  /// The silence after which a request is given up.
  public let timeout: Duration?
  /// The advice for an unknown model, besides another name: English and German, made from the name of the model.
  public var adviceForUnknownModel: @Sendable (String) -> (english: String, german: String)?

  /// Describes a service.
  ///
  /// - Parameters:
  ///   - baseURL: Where it is; http or https.
  ///   - headers: The header fields of every request.
  ///   - provider: The provider's name in sous.yaml.
  ///   - secrets: Texts that are never shown.
  ///   - timeout: The silence, in seconds, after which a request is given up.
  /// - Throws: `invalid_input` for what is not a http or https URL.
  public init(
    baseURL: String, headers: HTTPHeaders = [:], provider: String, secrets: [String] = [], timeout: Double? = nil
  ) throws(ActionError) {
    var url = Substring(baseURL.filter { !$0.isWhitespace })
    while url.hasSuffix("/") { url = url.dropLast() }
    let lowered = url.lowercased()
    guard let scheme = ["http://", "https://"].first(where: lowered.hasPrefix), url.count > scheme.count,
      !url.contains(where: { $0 == "?" || $0 == "#" })
    else {
      throw ActionError(
        .invalidInput,
        "The setting 'base_url' of the provider '\(provider)' is not an http or https URL: '\(baseURL)'.",
        german: "Die Einstellung 'base_url' des Providers '\(provider)' ist keine http- oder https-URL: '\(baseURL)'.",
        advice: "Write it as in https://llm.example.com/v1.",
        adviceGerman: "So schreiben: https://llm.example.com/v1.")
    }
    self.baseURL = String(url)
    self.headers = headers
    self.provider = provider
    self.secrets = secrets.filter { $0.count >= 4 }
    self.timeout = timeout.map { .milliseconds(Int64(min(max($0, 0.001), 86_400) * 1000)) }
    adviceForUnknownModel = { _ in nil }
  }

  /// The host, as messages name the service: `api.openai.com`, `localhost:11434`.
  public var host: String {
    let rest = baseURL.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst().first ?? ""
    return String(rest.prefix { $0 != "/" })
  }

  /// Sends JSON, or asks for something, and returns the response where its status is one of success.
  ///
  /// - Parameters:
  ///   - path: Behind the base URL: `/chat/completions`.
  ///   - body: The JSON to send; `nil` for GET.
  ///   - model: The model it is about, for messages.
  ///   - context: The call it belongs to.
  /// - Throws: As the host reports it, or as ``error(_:headers:model:now:)`` makes of the status.
  public func send(
    _ path: String, _ body: JSONValue?, model: String?, context: ActionContext
  ) async throws(ActionError) -> HTTPResponse {
    try await send(try request(path, body), model: model, context: context)
  }

  /// A request for a path behind the base URL.
  ///
  /// - Throws: `protocol` where the body cannot be encoded.
  public func request(_ path: String, _ body: JSONValue?) throws(ActionError) -> HTTPRequest {
    var request: HTTPRequest
    if let body {
      request = try HTTPRequest.json(body, to: baseURL + path, headers: headers)
    } else {
      request = HTTPRequest(url: baseURL + path, headers: headers)
    }
    if request.headers["accept"] == nil { request.headers.add("accept", "application/json, text/event-stream") }
    request.idleTimeout = timeout
    return request
  }

  /// Sends a request that is complete but for its time limits.
  ///
  /// - Throws: As ``send(_:_:model:context:)``.
  public func send(
    _ request: HTTPRequest, model: String?, context: ActionContext
  ) async throws(ActionError) -> HTTPResponse {
    var request = request
    request.idleTimeout = timeout
    return try await checked(try await context.http.send(request), model: model, context: context)
  }

  /// The response itself, where its status is one of success.
  ///
  /// - Throws: As ``error(_:headers:model:now:)`` makes of any other status.
  public func checked(
    _ response: HTTPResponse, model: String?, context: ActionContext
  ) async throws(ActionError) -> HTTPResponse {
    guard !response.isSuccess else { return response }
    throw error(await failure(response), headers: response.headers, model: model, now: context.clock)
  }

  /// The error of a response with a status of failure; from an incomplete body as far as it came.
  public func failure(_ response: HTTPResponse) async -> ServiceFailure {
    var body: [UInt8] = []
    var pieces = response.body.makeAsyncIterator()
    while body.count < Self.maximumFailure, let piece = try? await pieces.next() { body += piece }
    return ServiceFailure(status: response.status, body: body)
  }

  /// The body of a response as JSON.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - start: The part of the body that has been read already.
  ///   - model: The model it is about, for messages.
  /// - Throws: `protocol` for an empty body and for a page of HTML, `parse` for other text, the service's own failure if it is
  ///   one, or the error that ended the body early.
  public func json(
    _ response: HTTPResponse, after start: [UInt8] = [], model: String?
  ) async throws(ActionError) -> JSONValue {
    let body = start + (try await response.body.collect(upTo: Self.maximumBody))
    let value: JSONValue
    do throws(ActionError) {
      value = try JSONValue(json: body)
    } catch {
      throw unreadable(body, error)
    }
    if let failure = ServiceFailure(inStream: value) {
      throw self.error(failure, headers: response.headers, model: model, now: nil)
    }
    return value
  }

  private func unreadable(_ body: [UInt8], _ error: ActionError) -> ActionError {
    guard let first = body.first(where: { $0 > 0x20 }) else {
      return ActionError(.protocol, "\(host) sent an empty answer.", german: "\(host) schickte eine leere Antwort.")
    }
    if first == UInt8(ascii: "<") {
      let title = ServiceFailure.words(ofText: String(decoding: body.prefix(8192), as: UTF8.self)).map { " ('\($0)')" }
      return ActionError(
        .protocol, "\(host) sent a web page\(title ?? "") instead of an answer.",
        german: "\(host) schickte eine Webseite\(title ?? "") statt einer Antwort.",
        advice: "Check 'base_url': it ends where '/chat/completions' would follow, mostly in '/v1'.",
        adviceGerman: "'base_url' prüfen: Sie endet da, wo '/chat/completions' folgen würde, meist mit '/v1'.")
    }
    return ActionError(
      .parse, "The answer of \(host) is not JSON: \(error.message)",
      german: "Die Antwort von \(host) ist kein JSON: \(error.messageGerman ?? error.message)")
  }

  /// A failure of the service as an error: its own words, the model, and what to do.
  public func error(
    _ failure: ServiceFailure, headers: HTTPHeaders, model: String?, now: HostClock?
  ) -> ActionError {
    let kind = kind(of: failure, headers: headers)
    let words = failure.words.map { ": " + masked($0) } ?? ""
    let (english, german) = (model.map { " for the model '\($0)'" } ?? "", model.map { " zum Modell '\($0)'" } ?? "")
    var error =
      (200..<300).contains(failure.status)
      ? ActionError(
        kind, "\(host) broke the answer off\(english)\(words)", german: "\(host) brach die Antwort ab\(german)\(words)")
      : ActionError(
        kind, "\(host) answered with status \(failure.status)\(english)\(words)",
        german: "\(host) antwortete mit Status \(failure.status)\(german)\(words)")
    if kind == .rateLimited || kind == .server || kind == .timeout {
      error.retryAfter = RetryDelay(headers, status: failure.status, now: now).seconds
    }
    (error.advice, error.adviceGerman) = advice(kind, model: model)
    if (300..<400).contains(failure.status) {
      // Without its query, which may hold a secret.
      if let target = headers["location"]?.prefix(while: { $0 != "?" && $0 != "#" }), !target.isEmpty {
        error.message += ", a redirect to \(masked(String(target))), which is not followed with the key"
        error.messageGerman? +=
          ", eine Umleitung zu \(masked(String(target))), der mit dem Schlüssel nicht gefolgt wird"
      } else {
        error.message += ", a redirect that does not say where to"
        error.messageGerman? += ", eine Umleitung, die nicht sagt, wohin"
      }
      error.advice = "Check 'base_url' of the provider '\(provider)' in sous.yaml."
      error.adviceGerman = "'base_url' des Providers '\(provider)' in sous.yaml prüfen."
    }
    return error
  }

  /// The kind, with what the service itself says about trying again.
  private func kind(of failure: ServiceFailure, headers: HTTPHeaders) -> ActionError.Kind {
    let kind = failure.kind
    let mayPass = [.rateLimited, .server, .timeout].contains(kind)
    switch headers["x-should-retry"]?.lowercased() {
    case "false" where kind == .rateLimited: return .quota
    case "false" where mayPass: return .protocol
    case "true" where !mayPass && kind != .quota && kind != .auth: return .server
    default: return kind
    }
  }

  private func advice(_ kind: ActionError.Kind, model: String?) -> (String?, String?) {
    switch kind {
    case .auth:
      return (
        "Check the key of the provider '\(provider)' in sous.yaml ('api_key'), and what it is allowed to do.",
        "Den Schlüssel des Providers '\(provider)' in sous.yaml ('api_key') prüfen, und was er darf."
      )
    case .quota:
      return (
        "Check plan, credit and billing of the account, or name another provider behind this one.",
        "Tarif, Guthaben und Abrechnung des Kontos prüfen oder einen weiteren Provider dahinter nennen."
      )
    case .notFound:
      if let special = model.flatMap({ adviceForUnknownModel($0) }) { return (special.english, special.german) }
      return (
        "`sous models --provider \(provider)` lists the models; check 'model' and 'base_url'.",
        "`sous models --provider \(provider)` nennt die Modelle; 'model' und 'base_url' prüfen."
      )
    default: return (nil, nil)
    }
  }

  /// A text without the secrets of this provider, and without what looks like a key.
  func masked(_ text: String) -> String {
    var result = text
    for secret in secrets { result = result.replacing(secret, with: "***") }
    return result.split(separator: " ", omittingEmptySubsequences: false)
      .map { word in word.hasPrefix("sk-") && word.count > 8 ? "***" : word }.joined(separator: " ")
  }
}
