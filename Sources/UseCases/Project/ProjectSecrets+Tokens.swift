import Engine
import Expressions
import Localization
import Networking
import OAuth
import Plans
import RecipeModel
package import Secrets

extension ProjectSecrets {
  /// The keeper of the tokens of a configuration's accounts, and of those that the vault has beside them.
  static func tokens(
    _ configuration: Configuration, _ environment: [String: String], _ vault: OpenedVault, _ clients: SecretStore,
    _ network: NetworkService, _ trust: WorkspaceTrust
  ) -> TokenKeeper {
    TokenKeeper(
      AccountVault(vault),
      TokenKeeper.Surroundings(
        clientSecret: { (account) throws(SecretError) in
          let endpoints = [account.tokenEndpoint] + [account.revocationEndpoint].compactMap(\.self)
          if let configured = configuration.account(account.name) {
            guard let secret = configured.clientSecret else { return nil }
            try trust.check(clientSecretOf: account.name, endpoints: endpoints)
            return try clients.refreshed(try request(secret.place, configuration, environment))
          }
          return try account.clientSecretName.map { (name) throws(SecretError) in
            try trust.check(clientSecretOf: account.name, endpoints: endpoints)
            return try clients.refreshed(.named(try SecretName(checking: name)))
          }
        },
        caller: { (account) throws(OAuthError) in
          let configured = configuration.account(account.name)
          if let configured {
            do throws(SecretError) {
              try trust.check(configured, reaching: [account.tokenEndpoint])
            } catch {
              throw OAuthError(.untrusted, error.message)
            }
          }
          return try NetworkCaller(
            network, account.server,
            tls: TLSOptions(
              authorities: configured?.trust.authorities, certificate: configured?.trust.certificate))
        }, now: { SystemTime().now.seconds }))
  }

  /// Makes sure that the vault is there and open, so that nobody is asked for its key later.
  ///
  /// - Parameter lock: How a new vault is locked, unless the environment gives its key.
  /// - Returns: Whether the vault is new.
  package func openVault(newVault lock: NewLock) throws(SecretError) -> Bool {
    guard !vault.exists else {
      try openedVault.open()
      return false
    }
    try openedVault.create(try newKey(lock))
    return true
  }
}
