package import OAuth
package import RecipeModel

extension AuthorizationServer {
  /// Where secrets and tokens of a client go, as far as that is known before the issuer is asked.
  package var urls: [String] {
    [issuer, authorization, token, deviceAuthorization, userInfo, revocation].compactMap(\.self)
  }

  /// The server of an account: what is known of its service, with what is configured in its place.
  package init(_ account: ConfiguredAccount) {
    switch account.service {
    case .google: self = .google
    case .microsoft: self = .microsoft(tenant: account.tenant ?? "common")
    case .custom: self.init()
    }
    func take(_ name: String, _ endpoint: WritableKeyPath<AuthorizationServer, String?>) {
      guard let url = account.endpoints[name] else { return }
      self[keyPath: endpoint] = url
      configuredURLs.append(url)
    }
    take("authorization_endpoint", \.authorization)
    take("token_endpoint", \.token)
    take("device_authorization_endpoint", \.deviceAuthorization)
    take("userinfo_endpoint", \.userInfo)
    take("revocation_endpoint", \.revocation)
    if let issuer = account.issuer {
      self.issuer = issuer
      configuredURLs.append(issuer)
    }
  }
}
