import PluginKit

extension ActionError {
  /// The error for a violation of the protocol.
  init(_ fault: ProtocolFault, host: String) {
    self.init(
      .protocol, "\(host) does not keep to IMAP: \(fault.code.text.english) (\(fault.detail)).",
      german: "\(host) hält sich nicht an IMAP: \(fault.code.text.german) (\(fault.detail)).",
      advice: "Check host and port: is it the port for IMAP?",
      adviceGerman: "Host und Port prüfen: Ist es der Port für IMAP?")
  }
}

extension Session {
  /// The error for the server's `NO` or `BAD` (RFC 5530), with its text.
  func refusal(_ status: StatusResponse, of command: Command) -> ActionError {
    let host = settings.host
    let words = Self.shown(status.text)
    let kind = Self.kind(status)
    var advice: (english: String, german: String)?
    switch kind {
    case .quota: advice = ("Make room in the mailbox.", "Platz im Postfach schaffen.")
    case .auth where status.code?.name == "NOPERM" || status.code == .readOnly:
      advice = ("The account may not do this in this folder.", "Das Konto darf das in diesem Ordner nicht.")
    default: break
    }
    return ActionError(
      kind, "\(host) refused \(command.name): \(words)", german: "\(host) hat \(command.name) abgelehnt: \(words)",
      advice: advice?.english, adviceGerman: advice?.german)
  }

  static func kind(_ status: StatusResponse) -> ActionError.Kind {
    if status.condition == .bad { return .protocol }
    switch status.code?.name {
    case "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "PRIVACYREQUIRED", "NOPERM", "CONTACTADMIN":
      return .auth
    case "OVERQUOTA": return .quota
    case "NONEXISTENT", "TRYCREATE", "EXPUNGEISSUED": return .notFound
    case "UNAVAILABLE", "SERVERBUG", "INUSE", "CORRUPTION": return .server
    case "LIMIT": return .rateLimited
    case "CANNOT", "ALREADYEXISTS", "HASCHILDREN", "BADCHARSET", "TOOBIG": return .unsupported
    default: break
    }
    if status.code == .readOnly { return .auth }
    let text = status.text.lowercased()
    if text.contains("quota") { return .quota }
    if text.contains("read-only") || text.contains("read only") || text.contains("permission") { return .auth }
    if text.contains("too many") || text.contains("rate limit") || text.contains("throttl") { return .rateLimited }
    if text.contains("does not exist") || text.contains("doesn't exist") || text.contains("not found") {
      return .notFound
    }
    return text.contains("temporar") || text.contains("try again") ? .server : .unsupported
  }

  /// A server's words without what could confuse a terminal, in a sensible length.
  static func shown(_ text: String) -> String {
    let clean = String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    return clean.isEmpty ? "without a word" : String(clean.prefix(300))
  }

  /// The server has ended the connection by itself.
  func ended(_ status: StatusResponse) -> ActionError {
    let words = Self.shown(status.text)
    let isCrowded = words.lowercased().contains("too many") || words.lowercased().contains("maximum number")
    return ActionError(
      isCrowded ? .rateLimited : .io, "\(settings.host) ended the connection: \(words)",
      german: "\(settings.host) hat die Verbindung beendet: \(words)")
  }

  var lost: ActionError {
    ActionError(
      .io, "\(settings.host) closed the connection without a word.",
      german: "\(settings.host) hat die Verbindung wortlos geschlossen.")
  }

  var silence: ActionError {
    slow(
      "did not answer within \(settings.commandTimeout).",
      german: "hat innerhalb von \(settings.commandTimeout) nicht geantwortet.")
  }

  var stalling: ActionError {
    slow("keeps sending and does not answer.", german: "schickt immer weiter etwas und antwortet nicht.")
  }

  private func slow(_ words: String, german: String) -> ActionError {
    ActionError(
      .timeout, "\(settings.host) \(words)", german: "\(settings.host) \(german)",
      advice: "Raise command_timeout of the provider where the server is slow.",
      adviceGerman: "Ist der Server langsam, hilft ein größeres command_timeout des Providers.")
  }

  var tooMuch: ActionError { ActionError(ProtocolFault(.tooLarge, "more than was asked for"), host: settings.host) }

  var plainTextBeforeTLS: ActionError {
    ActionError(
      .protocol, "\(settings.host) sent unencrypted data behind the beginning of TLS.",
      german: "\(settings.host) schickte unverschlüsselte Daten hinter dem Beginn von TLS.",
      advice: "A third party may be tampering with the connection: use a port with TLS from the start.",
      adviceGerman: "Vielleicht greift jemand in die Verbindung ein: einen Port mit TLS von Anfang an verwenden.")
  }
}
