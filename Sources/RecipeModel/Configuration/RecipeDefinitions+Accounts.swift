extension RecipeDefinitions {
  static let portBounds = 1...65535

  package static let account = MappingDefinition(
    .account, "An account that Sous signs in to by OAuth 2.0.",
    de: "Ein Konto, bei dem Sous sich mit OAuth 2.0 anmeldet.",
    [
      KeyDefinition(
        "service", .words(of: ConfiguredAccount.Service.self), "Whose server it is; default: custom.",
        de: "Wessen Server es ist; Vorgabe: custom."),
      KeyDefinition(
        "address", .text, "The mail address that must be signed in to; default: any.",
        de: "Die Mailadresse, die angemeldet sein muss; Vorgabe: eine beliebige."),
      KeyDefinition("client_id", .text, "The client's id at the server.", de: "Die ID des Clients beim Server."),
      KeyDefinition(
        "client_secret", .mapping(.secret), "The client's secret; default: a public client.",
        de: "Das Geheimnis des Clients; Vorgabe: ein öffentlicher Client."),
      KeyDefinition(
        "scopes", .texts, "The scopes to ask for; default: those for mail at Google and Microsoft.",
        de: "Die verlangten Scopes; Vorgabe: die für Mail bei Google und Microsoft."),
      KeyDefinition(
        "tenant", .text, "The directory at Microsoft: a domain or an id; default: common.",
        de: "Das Verzeichnis bei Microsoft: eine Domain oder eine ID; Vorgabe: common."),
      KeyDefinition(
        "issuer", .text, "The URL of a server that tells its endpoints itself.",
        de: "Die URL eines Servers, der seine Endpunkte selbst nennt."),
      KeyDefinition(
        "authorization_endpoint", .text, "The URL that the browser opens.", de: "Die URL, die der Browser öffnet."),
      KeyDefinition("token_endpoint", .text, "The URL that gives tokens.", de: "Die URL, die Tokens ausgibt."),
      KeyDefinition(
        "device_authorization_endpoint", .text, "The URL that begins a sign-in on another device.",
        de: "Die URL, mit der eine Anmeldung auf einem anderen Gerät beginnt."),
      KeyDefinition(
        "userinfo_endpoint", .text, "The URL that tells whose token it is.",
        de: "Die URL, die sagt, wem ein Token gehört."),
      KeyDefinition(
        "revocation_endpoint", .text, "The URL that takes tokens back.", de: "Die URL, die Tokens zurücknimmt."),
      KeyDefinition(
        "redirect_port", .integer(portBounds), "The port on 127.0.0.1 that the server knows; default: a free one.",
        de: "Der Port auf 127.0.0.1, den der Server kennt; Vorgabe: ein freier."),
      KeyDefinition(
        "trust", .mapping(.trust), "The certificates that connections trust; default: those of the system.",
        de: "Die Zertifikate, denen Verbindungen trauen; Vorgabe: die des Systems."),
    ])
}
