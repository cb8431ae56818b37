import PluginKit

extension ActionError {
  /// The error for a refusal by the server.
  ///
  /// None of these kinds leaves open whether the message was taken: the server has said no.
  init(_ reply: Reply, at stage: Stage) {
    let (advice, adviceGerman) = Self.advice(reply, stage)
    self.init(
      Self.kind(reply, stage), "\(Self.subject(stage).english): \(reply.quoted)",
      german: "\(Self.subject(stage).german): \(reply.quoted)", advice: advice, adviceGerman: adviceGerman)
  }

  private static func subject(_ stage: Stage) -> (english: String, german: String) {
    switch stage {
    case .greeting: ("The mail server refuses the connection", "Der Mailserver lehnt die Verbindung ab")
    case .hello: ("The mail server refuses the greeting", "Der Mailserver lehnt die Begrüßung ab")
    case .startTLS: ("The mail server refuses STARTTLS", "Der Mailserver lehnt STARTTLS ab")
    case .signIn: ("The mail server refuses the sign-in", "Der Mailserver lehnt die Anmeldung ab")
    case .sender: ("The mail server refuses the sender", "Der Mailserver lehnt den Absender ab")
    case .recipient: ("The mail server refuses every recipient", "Der Mailserver lehnt alle Empfänger ab")
    case .content: ("The mail server refuses the message", "Der Mailserver lehnt die Nachricht ab")
    case .reset: ("The mail server refuses to begin anew", "Der Mailserver lehnt einen Neubeginn ab")
    }
  }

  private static func kind(_ reply: Reply, _ stage: Stage) -> Kind {
    if reply.isTemporary || reply.code < 400 {
      return reply.status?.subject == 7 && stage != .signIn ? .rateLimited : .server
    }
    if stage == .signIn || [530, 534, 535, 538].contains(reply.code) { return .auth }
    switch (reply.status?.subject, reply.status?.detail) {
    case (1, 3), (1, 7): return .invalidInput
    case (1, _): return .notFound
    case (2, 2), (2, 4): return .quota
    case (3, 4), (2, 3): return .invalidInput
    case (7, _): return .auth
    default: break
    }
    switch reply.code {
    case 500...504, 555: return .unsupported
    case 550, 551: return stage == .recipient ? .notFound : .invalidInput
    case 552: return stage == .recipient ? .quota : .invalidInput
    default: return stage == .greeting ? .auth : .invalidInput
    }
  }

  private static func advice(_ reply: Reply, _ stage: Stage) -> (String?, String?) {
    switch (reply.code, reply.status?.subject, reply.status?.detail) {
    case (530, _, _) where stage != .signIn:
      return (
        "The server wants a sign-in: set 'user' and 'password' of the provider.",
        "Der Server verlangt eine Anmeldung: 'user' und 'password' des Providers setzen."
      )
    case (534, _, _), (535, _, _), (530, _, _):
      return (
        "Check 'user' and 'password'. Many services want an app password here.",
        "'user' und 'password' prüfen. Viele Dienste verlangen hier ein App-Passwort."
      )
    case (552, _, _) where stage != .recipient, (_, 3, 4):
      return ("Send a link to the files instead.", "Stattdessen einen Link auf die Dateien verschicken.")
    case (550, 7, 1), (554, 7, 1), (553, 7, 1):
      return (
        "The server does not send for this sender or to this recipient: check 'from' and the sign-in.",
        "Der Server verschickt nicht für diesen Absender oder an diesen Empfänger: 'from' und die Anmeldung prüfen."
      )
    default: return (nil, nil)
    }
  }
}
