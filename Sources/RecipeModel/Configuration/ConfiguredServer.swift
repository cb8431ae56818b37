import Localization
package import RecipeSyntax
import Schemas

/// The HTTP server of 'sous serve': `server` in `sous.yaml`.
public struct ConfiguredServer: Sendable, Hashable {
  /// The certificate and its key, as PEM files.
  public struct TLS: Sendable, Hashable {
    /// The file of the certificate chain, that of the server first.
    public var certificate: String
    /// The file of the private key.
    public var key: String
  }

  /// The limits for one client.
  public struct Limits: Sendable, Hashable {
    /// The bytes that the body of a request may have.
    public var body = 10 << 20
    /// The bytes that an uploaded file may have.
    public var upload = 100 << 20
    /// The requests that a client may send in a minute; a burst of a quarter of it is taken at once.
    public var perMinute = 1200
    /// Seconds within which a request must have arrived as a whole.
    public var time = 30.0
  }

  /// An identity provider that users sign in with (OpenID Connect).
  public struct Identity: Sendable, Hashable {
    /// The issuer, an `https` URL; its document is at `/.well-known/openid-configuration`.
    public var issuer: String
    /// The client's id.
    public var client: String
    /// The name of the client's secret; `nil` for a public client.
    public var secret: String?
    /// The scopes that are asked for; `openid` is always among them.
    public var scopes = ["openid", "profile", "email"]
    /// The claim that lists the groups of a user.
    public var groups = "groups"
    /// The roles of Sous by the names of groups; users without such a group may not sign in.
    public var roles: [String: String] = [:]
  }

  /// The certificate; `nil` for HTTP without TLS.
  public var tls: TLS?
  /// The addresses or networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count.
  public var proxies: [String] = []
  /// The address that users type, such as `https://sous.example.org`; `nil` for the address of a request.
  public var url: String?
  /// The limits for one client.
  public var limits = Limits()
  /// Seconds without a request after which a session of a browser ends.
  public var idle = 8 * 3600.0
  /// Seconds after which a session of a browser ends in any case.
  public var longest = 30 * 86_400.0
  /// The identity provider; `nil` for users of Sous alone.
  public var identity: Identity?

  /// Whether a proxy connects to the Unix socket: its requests are those of other people, so they get no rights from the socket.
  public var isSocketOfProxy: Bool { proxies.contains("unix") }

  /// Creates the settings of a section without keys.
  public init() {}
}

extension ConfiguredServer {
  /// Reads `server`; reports what is wrong with it.
  ///
  /// - Parameters:
  ///   - node: The section.
  ///   - reader: Reads its fields and collects problems.
  ///   - resolve: The path that the process can use, for one of the file.
  package static func read(
    _ node: Node, _ reader: FieldReader, resolve: (String) -> String
  ) -> (settings: ConfiguredServer, listen: ListenAddress?) {
    var settings = ConfiguredServer()
    guard let map = reader.map(node, "server", RecipeDefinitions.server) else { return (settings, nil) }
    if let node = map["tls"], let tls = reader.map(node, "server.tls", RecipeDefinitions.serverTLS) {
      let certificate = tls["certificate"].flatMap { reader.string($0, "server.tls.certificate") }
      let key = tls["key"].flatMap { reader.string($0, "server.tls.key") }
      if let certificate, let key {
        settings.tls = TLS(certificate: resolve(certificate), key: resolve(key))
      } else if tls["certificate"] == nil || tls["key"] == nil {
        reader.report(
          .missingKey,
          LocalizedText(
            "'server.tls' needs 'certificate' and 'key', each a PEM file",
            de: "'server.tls' braucht 'certificate' und 'key', je eine PEM-Datei"), at: node.range)
      }
    }
    settings.proxies = map["proxies"].flatMap { reader.strings($0, "server.proxies") }?.map(\.value) ?? []
    if let node = map["url"], let url = reader.string(node, "server.url") {
      if isOrigin(url) {
        settings.url = url.hasSuffix("/") ? String(url.dropLast()) : url
      } else {
        reader.report(
          .invalidValue,
          LocalizedText(
            "'server.url' is an address without a path, like https://sous.example.org",
            de: "'server.url' ist eine Adresse ohne Pfad, wie https://sous.example.org"), at: node.range)
      }
    }
    if let node = map["limits"] { settings.limits = limits(node, reader) }
    if let node = map["sessions"], let sessions = reader.map(node, "server.sessions", RecipeDefinitions.serverSessions)
    {
      if let seconds = sessions["idle"].flatMap({ reader.duration($0, "server.sessions.idle") }) {
        settings.idle = seconds
      }
      if let seconds = sessions["longest"].flatMap({ reader.duration($0, "server.sessions.longest") }) {
        settings.longest = seconds
      }
    }
    if let node = map["identity"] { settings.identity = identity(node, reader) }
    return (settings, map["listen"].flatMap { reader.listenAddress($0) })
  }

  private static func limits(_ node: Node, _ reader: FieldReader) -> Limits {
    var limits = Limits()
    guard let map = reader.map(node, "server.limits", RecipeDefinitions.serverLimits) else { return limits }
    if let bytes = map["body"].flatMap({ reader.bytes($0, "server.limits.body", in: 1 << 20...1 << 30) }) {
      limits.body = bytes
    }
    if let bytes = map["upload"].flatMap({ reader.bytes($0, "server.limits.upload", in: 1 << 20...1 << 34) }) {
      limits.upload = bytes
    }
    if let count = map["per_minute"].flatMap({ reader.integer($0, "server.limits.per_minute", in: 10...1_000_000) }) {
      limits.perMinute = count
    }
    if let seconds = map["time"].flatMap({ reader.duration($0, "server.limits.time") }) { limits.time = seconds }
    return limits
  }

  private static func identity(_ node: Node, _ reader: FieldReader) -> Identity? {
    guard let map = reader.map(node, "server.identity", RecipeDefinitions.serverIdentity) else { return nil }
    let issuer = map["issuer"].flatMap { reader.string($0, "server.identity.issuer") }
    let client = map["client"].flatMap { reader.string($0, "server.identity.client") }
    guard let issuer, let client else {
      if map["issuer"] == nil || map["client"] == nil {
        reader.report(
          .missingKey,
          LocalizedText(
            "'server.identity' needs 'issuer' and 'client'", de: "'server.identity' braucht 'issuer' und 'client'"),
          at: node.range)
      }
      return nil
    }
    var identity = Identity(issuer: issuer, client: client)
    identity.secret = map["secret"].flatMap { reader.string($0, "server.identity.secret") }
    if let scopes = map["scopes"].flatMap({ reader.strings($0, "server.identity.scopes") })?.map(\.value) {
      identity.scopes = scopes.contains("openid") ? scopes : ["openid"] + scopes
    }
    if let claim = map["groups"].flatMap({ reader.string($0, "server.identity.groups") }) { identity.groups = claim }
    for entry in map["roles"].flatMap({ reader.map($0, "server.identity.roles", keys: nil) })?.entries ?? [] {
      if let role = reader.string(entry.value, "server.identity.roles.\(entry.name)") {
        identity.roles[entry.name] = role
      }
    }
    return identity
  }

  /// Whether a text is `http://` or `https://` with a host, and nothing behind it but `/`.
  private static func isOrigin(_ text: String) -> Bool {
    for scheme in ["https://", "http://"] where text.hasPrefix(scheme) {
      var rest = text.dropFirst(scheme.count)
      if rest.hasSuffix("/") { rest = rest.dropLast() }
      return !rest.isEmpty && rest.utf8.allSatisfy { $0.isNameByte || ".:-[]".utf8.contains($0) }
    }
    return false
  }
}

extension RecipeDefinitions {
  static let server = MappingDefinition(
    .server, "The HTTP server of 'sous serve': API, page and sign-in.",
    de: "Der HTTP-Server von 'sous serve': API, Seite und Anmeldung.",
    [
      KeyDefinition(
        "listen", .any([.text, .integer(1...65_535)]),
        "An address and a port, or `unix:` and the path of a socket; default: `127.0.0.1:8768`.",
        de: "Eine Adresse und ein Port, oder `unix:` und der Pfad eines Sockets; Vorgabe: `127.0.0.1:8768`."),
      KeyDefinition(
        "tls", .mapping(.serverTLS), "The certificate for HTTPS; default: no TLS.",
        de: "Das Zertifikat für HTTPS; Vorgabe: kein TLS."),
      KeyDefinition(
        "proxies", .texts, "Addresses or networks of proxies whose X-Forwarded headers count.",
        de: "Adressen oder Netze von Proxys, deren X-Forwarded-Felder gelten."),
      KeyDefinition(
        "url", .text, "The address that users type: `https://sous.example.org`.",
        de: "Die Adresse, die Benutzer eingeben: `https://sous.example.org`."),
      KeyDefinition(
        "limits", .mapping(.serverLimits), "The limits for one client.", de: "Wie viel ein Client verbrauchen darf."),
      KeyDefinition(
        "sessions", .mapping(.serverSessions), "How long a browser stays signed in.",
        de: "Wie lange ein Browser angemeldet bleibt."),
      KeyDefinition(
        "identity", .mapping(.serverIdentity), "An identity provider that users sign in with (OpenID Connect).",
        de: "Ein Identitätsprovider, bei dem sich Benutzer anmelden (OpenID Connect)."),
    ])

  static let serverTLS = MappingDefinition(
    .serverTLS, "The certificate for HTTPS.", de: "Das Zertifikat für HTTPS.",
    [
      KeyDefinition(
        "certificate", .text, "A PEM file with the certificate and those that it rests on.",
        de: "Eine PEM-Datei mit dem Zertifikat und denen, auf die es sich stützt."),
      KeyDefinition(
        "key", .text, "A PEM file with its private key.", de: "Eine PEM-Datei mit seinem privaten Schlüssel."),
    ])

  static let serverLimits = MappingDefinition(
    .serverLimits, "The limits for one client.", de: "Wie viel ein Client verbrauchen darf.",
    [
      KeyDefinition(
        "body", .any([.integer(1...1 << 30), .text]), "The size of a request; default: 10M.",
        de: "Die Größe einer Anfrage; Vorgabe: 10M."),
      KeyDefinition(
        "upload", .any([.integer(1...1 << 34), .text]), "The size of an uploaded file; default: 100M.",
        de: "Die Größe einer hochgeladenen Datei; Vorgabe: 100M."),
      KeyDefinition(
        "per_minute", .integer(10...1_000_000), "Requests of one client in a minute; default: 1200.",
        de: "Anfragen eines Clients in einer Minute; Vorgabe: 1200."),
      KeyDefinition(
        "time", .duration, "Within which a request must have arrived; default: 30 s.",
        de: "Binnen welcher Zeit eine Anfrage angekommen sein muss; Vorgabe: 30 s."),
    ])

  static let serverSessions = MappingDefinition(
    .serverSessions, "How long a browser stays signed in.", de: "Wie lange ein Browser angemeldet bleibt.",
    [
      KeyDefinition(
        "idle", .duration, "Time without a request after which a session ends; default: 8 h.",
        de: "Zeit ohne Anfrage, nach der eine Sitzung endet; Vorgabe: 8 h."),
      KeyDefinition(
        "longest", .duration, "Time after which a session ends in any case; default: 30 d.",
        de: "Zeit, nach der eine Sitzung in jedem Fall endet; Vorgabe: 30 d."),
    ])

  static let serverIdentity = MappingDefinition(
    .serverIdentity, "An identity provider that users sign in with (OpenID Connect).",
    de: "Ein Identitätsprovider, bei dem sich Benutzer anmelden (OpenID Connect).",
    [
      KeyDefinition(
        "issuer", .text, "The issuer: `https://login.example.org/realms/home`.",
        de: "Der Aussteller: `https://login.example.org/realms/home`."),
      KeyDefinition("client", .text, "The id of the client.", de: "Die Kennung des Clients."),
      KeyDefinition(
        "secret", .text, "The name of the client's secret; default: a public client.",
        de: "Der Name des Geheimnisses des Clients; Vorgabe: ein öffentlicher Client."),
      KeyDefinition(
        "scopes", .texts, "The scopes to ask for; default: `openid`, `profile`, `email`.",
        de: "Die verlangten Scopes; Vorgabe: `openid`, `profile`, `email`."),
      KeyDefinition(
        "groups", .text, "The claim with the groups of a user; default: `groups`.",
        de: "Der Claim mit den Gruppen eines Benutzers; Vorgabe: `groups`."),
      KeyDefinition(
        "roles", .map(.text), "The role by the name of a group; users without such a group may not sign in.",
        de: "Die Rolle nach dem Namen einer Gruppe; Benutzer ohne eine solche Gruppe dürfen sich nicht anmelden."),
    ])
}
