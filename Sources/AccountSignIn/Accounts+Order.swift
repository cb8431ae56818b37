import Localization
import Networking
import OAuth
import Plans
import RecipeModel
import RecipeSyntax
import Schemas
import Secrets
import UseCases

extension Accounts {
  /// The account that a request means, with what it says itself in place of what `sous.yaml` says.
  func account(for request: SignInRequest) throws(UseCaseError) -> ConfiguredAccount {
    var account = try named(request)
    account.address = request.address ?? account.address
    account.clientID = request.clientID ?? account.clientID
    account.scopes = request.scopes ?? account.scopes
    account.issuer = request.issuer ?? account.issuer
    account.endpoints.merge(request.endpoints) { _, new in new }
    guard account.clientID != nil else {
      throw UseCaseError(
        OAuthError(
          .configuration,
          LocalizedText(
            "the account '\(account.name)' has no client id",
            de: "das Konto '\(account.name)' hat keine Client-ID"),
          advice: LocalizedText(
            "register Sous at the service and name it: 'auth: { \(account.name): { service: \(account.service.rawValue), "
              + "client_id: … } }' in sous.yaml, or --client-id (docs/sign-in.md)",
            de: "Sous beim Dienst eintragen und die ID nennen: 'auth: { \(account.name): { service: "
              + "\(account.service.rawValue), client_id: … } }' in sous.yaml, oder --client-id (docs/sign-in.md)")))
    }
    return account
  }

  private func named(_ request: SignInRequest) throws(UseCaseError) -> ConfiguredAccount {
    let configuration = project.configuration
    if let account = configuration.account(request.target), request.account == nil { return account }
    guard let service = ConfiguredAccount.Service(rawValue: request.target) else { throw unknown(request.target) }
    let candidates = configuration.accounts.filter { $0.service == service }
    if let name = request.account {
      if let account = configuration.account(name) {
        guard account.service == service else {
          throw .wrongInput(
            LocalizedText(
              "the account '\(name)' is one of \(account.service.rawValue), not of \(service.rawValue)",
              de: "das Konto '\(name)' gehört zu \(account.service.rawValue), nicht zu \(service.rawValue)"))
        }
        return account
      }
      return try new(name, service)
    }
    if candidates.count > 1 {
      let names = candidates.map(\.name).joined(separator: ", ")
      throw .wrongInput(
        LocalizedText(
          "there are several accounts of \(service.rawValue); name one: sous auth login \(names)",
          de: "es gibt mehrere Konten von \(service.rawValue); eines nennen: sous auth login \(names)"))
    }
    if let account = candidates.first { return account }
    return try new(service.rawValue, service)
  }

  private func new(_ name: String, _ service: ConfiguredAccount.Service) throws(UseCaseError) -> ConfiguredAccount {
    guard ConfiguredAccount.isName(name) else { throw unknown(name) }
    let start = SourceRange.Position(line: 1, column: 1, offset: 0)
    var account = ConfiguredAccount(name: name, range: SourceRange(start: start, end: start))
    account.service = service
    return account
  }

  /// The secret of the client: the one that the request names, else that of `sous.yaml`.
  func clientSecret(of account: ConfiguredAccount, _ request: SignInRequest) throws(SecretError) -> String? {
    let secret = request.clientSecretName
    guard secret != nil || account.clientSecret != nil else { return nil }
    // Whoever names the secret and the account's servers in the command has decided.
    if secret == nil || project.configuration.account(account.name) != nil {
      try project.secrets.trust.check(
        clientSecretOf: account.name, endpoints: AuthorizationServer(account).urls)
    }
    if let secret { return try project.secrets.store.value(of: .named(try SecretName(checking: secret))) }
    return try account.clientSecret.map { (secret) throws(SecretError) in try project.secrets.value(of: secret) }
  }

  /// What to do, and what sends requests. Asks the issuer for its endpoints where that is needed.
  func order(
    _ account: ConfiguredAccount, _ request: SignInRequest, _ clientSecret: String?
  ) throws(OAuthError) -> (SignIn.Order, any HTTPCaller) {
    let tls = TLSOptions(authorities: account.trust.authorities, certificate: account.trust.certificate)
    let network = project.network
    var server = AuthorizationServer(account)
    try server.discover(needsDevice: request.usesDevice) { (server) throws(OAuthError) in
      try NetworkCaller(network, server, tls: tls)
    }
    do throws(SecretError) {
      // The server has named its endpoints itself: they may be on other machines.
      try project.trust.check(account, reaching: server.urls)
    } catch {
      throw OAuthError(.untrusted, error.message)
    }
    var order = SignIn.Order(
      account: account.name, service: account.service.rawValue, server: server,
      client: Client(
        id: account.clientID ?? "", secret: clientSecret, authentication: server.clientAuthentication),
      scopes: account.scopes ?? server.scopes(for: account.service))
    order.address = account.address
    order.clientSecretName = request.clientSecretName
    order.usesDevice = request.usesDevice
    order.redirectPort = account.redirectPort
    order.patience = request.patience
    return (order, try NetworkCaller(network, server, tls: tls))
  }
}

extension AuthorizationServer {
  /// The scopes for mail; of another server those of OpenID Connect that it has.
  fileprivate func scopes(for service: ConfiguredAccount.Service) -> [String] {
    switch service {
    case .google: ["openid", "email", "https://mail.google.com/"]
    case .microsoft:
      [
        "openid", "email", "profile", "offline_access", "https://outlook.office.com/IMAP.AccessAsUser.All",
        "https://outlook.office.com/SMTP.Send",
      ]
    case .custom:
      ["openid", "email", "offline_access"].filter { scopesSupported?.contains($0) ?? true }
    }
  }
}
