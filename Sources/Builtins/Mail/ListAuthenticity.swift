import Expressions
import Localization
import Mail
import Plans
import Schemas

/// Whether a message that asks for one request to leave its list (RFC 8058) is its sender's own.
///
/// RFC 8058, 4 wants a valid DKIM signature over both fields. It is the recipient's own server that verifies signatures, and
/// says so in `Authentication-Results`; of everybody else such a field proves nothing.
struct ListAuthenticity {
  private static let covered = ["list-unsubscribe", "list-unsubscribe-post"]

  private let policy: UnsubscriptionPolicy
  private let results: [AuthenticationResults]
  private let signatures: [DKIMSignature]

  init(_ message: Value, _ policy: UnsubscriptionPolicy) {
    self.policy = policy
    var results: [AuthenticationResults] = []
    var signatures: [DKIMSignature] = []
    for field in (message["headers"]?.listValue ?? []).prefix(200) {
      guard let value = field["value"]?.stringValue else { continue }
      switch field["name"]?.stringValue?.lowercased() {
      case "authentication-results"?: AuthenticationResults(value).map { results.append($0) }
      case "dkim-signature"?: DKIMSignature(value).map { signatures.append($0) }
      default: break
      }
    }
    (self.results, self.signatures) = (results, signatures)
  }

  /// Why no request is made; `nil` if it may be.
  ///
  /// - Parameter domains: The registrable domains of the sender and the list.
  func refusal(for domains: Set<String>) -> String? {
    guard !policy.authenticators.isEmpty else {
      let seen = results.first.map { "; this message names '\($0.authenticator.prefix(100))'" } ?? ""
      return "no server is named whose word on DKIM counts: unsubscribe: { authserv_id: NAME }\(seen)"
    }
    let trusted = results.filter { policy.authenticators.contains($0.authenticator) }
    guard !trusted.isEmpty else {
      return "it has no Authentication-Results of \(policy.authenticators.joined(separator: ", "))"
    }
    let passes = trusted.flatMap(\.results).filter { $0.method == "dkim" && $0.value == "pass" }
    guard !passes.isEmpty else { return "no DKIM signature of it is valid" }
    let own = passes.filter { pass in
      Self.domain(of: pass).flatMap { PublicSuffixes.system.registrableDomain($0) }.map(domains.contains) ?? false
    }
    guard !own.isEmpty else { return "it is signed neither by the sender's domain nor by the list's" }
    guard own.contains(where: covers) else { return "its signature does not cover List-Unsubscribe (RFC 8058, 4)" }
    return nil
  }

  private static func domain(of result: AuthenticationResults.Result) -> String? {
    if let domain = result.properties["header.d"] { return domain.lowercased() }
    return result.properties["header.i"]?.split(separator: "@").last.map { $0.lowercased() }
  }

  /// Whether all signatures that a verdict may be about cover both fields.
  private func covers(_ pass: AuthenticationResults.Result) -> Bool {
    guard let domain = Self.domain(of: pass) else { return false }
    let meant = signatures.filter { signature in
      signature.domain == domain
        && (pass.properties["header.s"].map { $0.lowercased() == signature.selector } ?? true)
        && (pass.properties["header.b"].map { signature.signature.hasPrefix($0) } ?? true)
    }
    return !meant.isEmpty && meant.allSatisfy { signature in Self.covered.allSatisfy(signature.fields.contains) }
  }
}
