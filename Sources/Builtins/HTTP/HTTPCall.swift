import Engine
import Expressions
import Foundation
import Localization
import Networking
import OperatingSystem
import Plans
import RecipeModel
import Schemas

/// A call of an action of HTTP: the request of its input, and what the response means.
struct HTTPCall {
  private let call: BuiltinCall
  private let effect: Effect
  private let policy: EgressPolicy
  private var request: HTTPRequest
  /// Knows the secret that the request carries, which must not come back in an output.
  private let mask = SecretMask.none

  init(_ call: BuiltinCall, effect: Effect) async throws(ActionFailure) {
    let (call, secrets) = try await call.withSecrets()
    for field in ["url", "body"] { try call.requireText(field) }
    for field in ["query", "headers", "form"] { try call.requireTexts(field) }
    self.call = call
    self.effect = effect
    let access = call.surroundings.http
    policy = try access.policy()
    let method = call.text("method")
    request = HTTPRequest(
      method: method.isEmpty ? "GET" : method, url: Self.url(call),
      headers: (call.input["headers"]?.mapValue?.entries ?? []).map {
        HTTPHeader($0.key.text, $0.value.stringValue ?? "")
      },
      responseLimit: call.textLimit("max_bytes", default: 16 << 20, most: 64 << 20),
      // A redirect could carry a secret on to another host.
      keepsRedirects: !call.flag("redirects") || !secrets.isEmpty, tls: access.tls,
      isRepeatable: effect != .once)
    mask.insert(secrets)
    guard secrets.isEmpty || HTTPAccess.isPrivate(request.url) else {
      throw ActionFailure(
        .auth,
        LocalizedText(
          "the request holds a secret, which goes over https only",
          de: "die Anfrage enthält ein Geheimnis, das nur über https geht"))
    }
    try access.admit(request.url)
    try addKey()
    try addBody()
    // No secret is requested for a request that is not sent.
    if call.input["credentials"]?.boolValue ?? true, policy.allows(request.url),
      let credential = access.credential(for: request.url), !has(credential.header)
    {
      let secret = try await BlockingPool.shared.run(credential.secret)
      let value = credential.value(secret)
      request.headers.append(HTTPHeader(credential.header, value))
      mask.insert([secret] + Self.encodedSecret(in: value, secret))
    }
  }

  /// The secret part of a header's value: `user:password` in Base64, for example. The scheme before it is not secret.
  private static func encodedSecret(in value: String, _ secret: String) -> [String] {
    value.contains(secret) ? [] : value.split(separator: " ").suffix(1).map(String.init)
  }

  // MARK: The request

  private static func url(_ call: BuiltinCall) -> String {
    let url = call.text("url")
    guard let query = call.input["query"]?.mapValue, case let fields = fields(query), !fields.isEmpty else {
      return url
    }
    let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let bare = String(parts.first ?? "")
    let separator = bare.contains("?") ? (bare.hasSuffix("?") || bare.hasSuffix("&") ? "" : "&") : "?"
    return bare + separator + fields
  }

  private static func fields(_ fields: ValueMap) -> String {
    fields.entries.flatMap { field in
      (field.value.listValue ?? [field.value]).map { encoded(field.key.text) + "=" + encoded(text($0)) }
    }.joined(separator: "&")
  }

  /// A name or value of a form (WHATWG URL, application/x-www-form-urlencoded).
  private static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2a, 0x2d, 0x2e, 0x5f:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      case 0x20: result += "+"
      default: result += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func text(_ value: Value) -> String { value.stringValue ?? value.jsonString }

  private func has(_ header: String) -> Bool {
    request.headers.contains { $0.name.lowercased() == header.lowercased() }
  }

  private mutating func addKey() throws(ActionFailure) {
    if let header = call.input["idempotency_key_header"]?.stringValue {
      request.headers.append(HTTPHeader(header, call.request.key))
    } else if effect == .idempotent, ["POST", "PATCH"].contains(request.method) {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "a server may only get a \(request.method) twice where it can tell that it is the same",
          de: "ein Server darf ein \(request.method) nur zweimal bekommen, wenn er merken kann, dass es dasselbe ist"),
        advice: LocalizedText(
          "set 'idempotency_key_header: Idempotency-Key' where the server knows it, or use 'http.request'",
          de: "'idempotency_key_header: Idempotency-Key' setzen, falls der Server das kennt, sonst 'http.request'"))
    }
  }

  private mutating func addBody() throws(ActionFailure) {
    let given = ["body", "json", "form"].filter { call.input[$0] != nil }
    guard given.count <= 1 else {
      throw ActionFailure(
        .invalidInput,
        LocalizedText(
          "a request has one body: \(given.joined(separator: ", "))",
          de: "eine Anfrage hat einen Inhalt: \(given.joined(separator: ", "))"))
    }
    let type: String
    switch given.first {
    case "json":
      request.body = .bytes((call.input["json"] ?? .null).json())
      type = "application/json"
    case "form":
      request.body = .bytes(Array(Self.fields(call.input["form"]?.mapValue ?? [:]).utf8))
      type = "application/x-www-form-urlencoded"
    case "body":
      request.body = .bytes(Array(call.text("body").utf8))
      type = "text/plain; charset=utf-8"
    default: return
    }
    if !has("Content-Type") { request.headers.append(HTTPHeader("Content-Type", type)) }
  }

  /// Sends the request and waits for the whole response.
  func send() async throws(ActionFailure) -> HTTPResponse {
    do {
      return try await HTTPResponse(to: request, policy: policy, network: call.surroundings.http.network)
    } catch {
      throw failure(error)
    }
  }

  // MARK: Meaning of the response

  /// The output of a response.
  ///
  /// - Throws: ``Engine/ActionFailure`` for a status that is not expected, and for a body that is not what it should be.
  func output(of response: HTTPResponse) throws(ActionFailure) -> Value {
    guard isExpected(response.status) else {
      var failure = HTTPStatus(response, host: host, isOnce: effect == .once, now: call.surroundings.time.now).failure
      failure.message = mask(failure.message)
      failure.output = [
        "status": .int(Int64(response.status)), "headers": .map(headers(of: response)),
        "body": failureBody(of: response), "size": .int(Int64(response.body.count)),
      ]
      throw failure
    }
    return [
      "status": .int(Int64(response.status)), "headers": .map(headers(of: response)), "body": try body(of: response),
      "size": .int(Int64(response.body.count)),
    ]
  }

  /// The most characters of a body that a failure keeps.
  private static let longestFailureText = 64 << 10

  /// The body of a response that is a failure: as `parse` says if it has that form, otherwise as text.
  private func failureBody(of response: HTTPResponse) -> Value {
    guard response.body.count <= Self.longestFailureText, call.text("parse") != "bytes" else {
      return .string(String(mask(response.text).prefix(Self.longestFailureText)))
    }
    return (try? body(of: response)) ?? .string(mask(response.text))
  }

  private func headers(of response: HTTPResponse) -> ValueMap {
    var headers = ValueMap()
    for header in response.headers {
      let name = header.name.lowercased()
      let earlier = headers[name]?.stringValue.map { $0 + ", " } ?? ""
      headers[name] = .string(earlier + mask(header.value))
    }
    return headers
  }

  private func isExpected(_ status: Int) -> Bool {
    (call.input["expect"]?.listValue ?? ["2xx"]).contains { expected in
      expected.intValue == Int64(status) || expected.stringValue == "\(status / 100)xx"
    }
  }

  private func body(of response: HTTPResponse) throws(ActionFailure) -> Value {
    let parse = call.text("parse")
    // Before it is encoded once more.
    if parse == "bytes" { return .string(Data(mask(Array(response.body))).base64EncodedString()) }
    guard parse == "json" else { return .string(mask(response.text)) }
    if response.body.isEmpty { return .null }
    do {
      return mask(try BuiltinAction.parsed(json: response.text))
    } catch {
      // The server has done its work: that its answer is of no use leaves nothing uncertain.
      throw ActionFailure(
        effect == .once ? .failed : .parse,
        LocalizedText("the answer of \(host) is not JSON: ", de: "was \(host) antwortet, ist kein JSON: ")
          + mask(error.message))
    }
  }

  /// The host of the URL, for messages: neither path nor query, which may hold secrets.
  private var host: String {
    URLComponents(string: request.url)?.host ?? LocalizedText("the server", de: "der Server").english
  }

  /// The failure for an error of the network.
  private func failure(_ error: NetworkError) -> ActionFailure {
    Self.failure(error, host: host, effect: effect)
  }

  /// The failure for an error of the network.
  ///
  /// - Parameters:
  ///   - host: The host, if the failure does not name it.
  ///   - effect: The effect of the request.
  static func failure(_ error: NetworkError, host: String, effect: Effect) -> ActionFailure {
    let kind: ActionFailure.Kind =
      switch error.code {
      case .urlInvalid, .hostInvalid, .requestInvalid: .invalidInput
      // Nothing has been sent before the connection is established.
      case .connectTimeout: .unreachable
      case .tlsFailed: .auth
      case .responseTooLarge where effect == .once: .failed
      default: ActionFailure.Kind(rawValue: error.kind.rawValue)
      }
    // A redirect may have led to another host than the URL's.
    let refused = error.refused ?? host
    let advice =
      switch error.code {
      case .hostNotAllowed, .addressNotAllowed:
        LocalizedText(
          "if it should be reached, add it in sous.yaml: http: { hosts: [\"\(refused)\"] }",
          de: "falls er erreichbar sein soll, in sous.yaml eintragen: http: { hosts: [\"\(refused)\"] }")
      case .responseTooLarge: BuiltinCall.raising("max_bytes")
      default: error.advice
      }
    let message =
      error.code == .hostNotAllowed
      ? LocalizedText(
        "\(refused) is not among the hosts that recipes may reach",
        de: "\(refused) gehört nicht zu den Hosts, die Rezepte erreichen dürfen")
      : error.message
    return ActionFailure(kind, message, advice: advice)
  }
}
