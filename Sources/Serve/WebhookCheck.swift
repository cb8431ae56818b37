import Foundation
import Hashing
import Networking
import Plans
import RecipeModel
import Schemas
import UseCases

/// Decides whether a request comes from who it should, and what names its event. It is pure.
struct WebhookCheck {
  /// What comes of it.
  enum Answer: Equatable {
    /// It is genuine; the name tells a request that is sent again from another one. `nil` where the sender names none.
    case genuine(String?)
    /// It is not, or nobody can tell.
    case refused
    /// It is, and was sent too long ago, or the clocks differ.
    case outOfTime
  }

  /// Seconds by which a signed time may differ from the clock.
  static let tolerance = 300.0
  /// The longest name of an event in bytes; a longer one is hashed.
  private static let longestName = 200

  let webhook: Webhook
  let secret: [UInt8]

  /// - Parameter now: Seconds since 1970.
  func check(_ request: IncomingRequest, at now: Double) -> Answer {
    guard !secret.isEmpty else { return .refused }
    switch webhook.signature {
    case .bearer: return bearer(request)
    case .github: return github(request)
    case .standard: return standard(request, now)
    }
  }

  private func bearer(_ request: IncomingRequest) -> Answer {
    guard let field = request.field("authorization"), field.lowercased().hasPrefix("bearer ") else { return .refused }
    let given = Array(field.dropFirst("bearer ".count).utf8)
    // Hashes, so that the time tells nothing of the length either.
    guard MessageAuthentication.areEqual(ContentHash.bytes(of: given), ContentHash.bytes(of: secret)) else {
      return .refused
    }
    return .genuine(name(request.field("idempotency-key") ?? request.field("webhook-id")))
  }

  /// The name is made from the signature: that of the delivery is not signed, so it would let old requests in again.
  private func github(_ request: IncomingRequest) -> Answer {
    guard let field = request.field("x-hub-signature-256"), field.hasPrefix("sha256=") else { return .refused }
    let code = MessageAuthentication.code(of: request.body, key: secret)
    let wanted = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let given = field.dropFirst("sha256=".count).lowercased()
    guard MessageAuthentication.areEqual(Array(given.utf8), Array(wanted.utf8)) else { return .refused }
    return .genuine(wanted)
  }

  /// https://github.com/standard-webhooks/standard-webhooks: `v1,` and the code of `ID.TIMESTAMP.BODY` in base64; the secret
  /// is base64 behind `whsec_`.
  private func standard(_ request: IncomingRequest, _ now: Double) -> Answer {
    guard let id = request.field("webhook-id"), let name = name(id), let time = request.field("webhook-timestamp"),
      let signatures = request.field("webhook-signature"), let seconds = Double(time), seconds.isFinite
    else { return .refused }
    let content = Array("\(id).\(time).".utf8) + request.body
    let code = Data(MessageAuthentication.code(of: content, key: key)).base64EncodedString()
    let isGenuine = signatures.split(separator: " ").prefix(10).contains { signature in
      MessageAuthentication.areEqual(Array(signature.utf8), Array("v1,\(code)".utf8))
    }
    guard isGenuine else { return .refused }
    return abs(now - seconds) <= Self.tolerance ? .genuine(name) : .outOfTime
  }

  private var key: [UInt8] {
    let text = String(decoding: secret, as: UTF8.self)
    guard text.hasPrefix("whsec_") else { return secret }
    return Data(base64Encoded: String(text.dropFirst("whsec_".count))).map(Array.init) ?? secret
  }

  private func name(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return text.utf8.count > Self.longestName ? "sha256:" + ContentHash.hexadecimal(of: Array(text.utf8)) : text
  }
}
