import Localization
package import RecipeSyntax

extension Configuration {
  /// Reads the map under `auth`.
  func readAccounts(_ node: Node, _ reader: FieldReader) -> [ConfiguredAccount] {
    guard let map = reader.map(node, "auth", keys: nil) else { return [] }
    return map.entries.compactMap { entry in
      let field = "auth.\(entry.name)"
      guard Self.checkAccount(entry.name, at: entry.nameRange, reader),
        let fields = reader.map(entry.value, field, RecipeDefinitions.account)
      else { return nil }
      return readAccount(ConfiguredAccount(name: entry.name, range: entry.nameRange), fields, field, reader)
    }
  }

  private func readAccount(
    _ account: ConfiguredAccount, _ fields: Node.Mapping, _ field: String, _ reader: FieldReader
  ) -> ConfiguredAccount {
    var account = account
    func text(_ key: String) -> String? { fields[key].flatMap { reader.name($0, "\(field).\(key)")?.value } }
    if let service = fields["service"] {
      account.service =
        reader.choice(service, "\(field).service", of: ConfiguredAccount.Service.self) ?? account.service
    }
    account.address = text("address")
    account.clientID = text("client_id")
    account.tenant = text("tenant")
    account.issuer = text("issuer")
    for name in ConfiguredAccount.endpointNames { account.endpoints[name] = text(name) }
    account.scopes = fields["scopes"].flatMap { reader.strings($0, "\(field).scopes")?.map(\.value) }
    account.redirectPort = fields["redirect_port"].flatMap {
      reader.integer($0, "\(field).redirect_port", in: RecipeDefinitions.portBounds)
    }
    if let trust = fields["trust"] { account.trust = readTrust(trust, reader) }
    if let node = fields["client_secret"],
      let secret = reader.map(node, "\(field).client_secret", RecipeDefinitions.secret)?["secret"]
    {
      account.clientSecret = Self.secret(secret, at: node.range, reader)
    }
    return account
  }

  /// Reads the name of an account behind `oauth:`.
  package static func account(_ node: Node, at range: SourceRange, _ reader: FieldReader) -> SecretReference? {
    guard let name = reader.name(node, "oauth"), checkAccount(name.value, at: name.range, reader) else { return nil }
    return SecretReference(.account(name.value), range: range)
  }

  private static func checkAccount(_ name: String, at range: SourceRange, _ reader: FieldReader) -> Bool {
    if ConfiguredAccount.isName(name) { return true }
    reader.report(
      .invalidName,
      LocalizedText(
        "the name of an account has letters, digits, '_', '-' and '.' only, at most \(ConfiguredAccount.longestName), "
          + "and no '-' or '.' in front",
        de:
          "der Name eines Kontos hat nur Buchstaben, Ziffern, '_', '-' und '.', höchstens "
          + "\(ConfiguredAccount.longestName), und vorne kein '-' oder '.'"),
      at: range)
    return false
  }
}
