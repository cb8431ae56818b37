import Foundation
import Networking

/// Who Sous is at an authorization server.
public struct Client: Sendable {
  /// The client's id.
  public var id: String
  /// Its secret; `nil` for a public client.
  public var secret: String?
  /// How it names itself where it has a secret.
  public var authentication: AuthorizationServer.ClientAuthentication

  /// Creates a client.
  public init(id: String, secret: String?, authentication: AuthorizationServer.ClientAuthentication) {
    self.id = id
    self.secret = secret
    self.authentication = authentication
  }

  /// A request that posts a form, with the client's authentication (RFC 6749, section 2.3.1).
  func post(_ fields: [(String, String)], to url: String) -> HTTPRequest {
    var fields = fields
    var headers = [
      HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json"),
    ]
    switch (secret, authentication) {
    case (let secret?, .basic):
      let pair = FormBody.escaped(id) + ":" + FormBody.escaped(secret)
      headers.append(HTTPHeader("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
    case (let secret?, .post): fields += [("client_id", id), ("client_secret", secret)]
    case (nil, _): fields.append(("client_id", id))
    }
    return HTTPRequest(
      method: "POST", url: url, headers: headers, body: .bytes(Array(FormBody.encoded(fields).utf8)))
  }
}
