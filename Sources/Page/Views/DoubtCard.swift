import Expressions

/// An attempt whose outcome is unknown, with the decision of a person.
struct DoubtCard {
  private let doubt: Value

  /// Creates the card from an entry of `listOpenDoubts`.
  init(_ doubt: Value) { self.doubt = doubt }

  private var isSettled: Bool { doubt["settles"]?.boolValue ?? false }

  func html(_ context: PageContext) -> HTML {
    let run = doubt.text("run")
    let message = doubt["message"] ?? .null
    return tag(.section, .class("card decision doubt")) {
      tag(.h2, text: question(message, context))
      tag(.p, .class("faint")) {
        tag(.a, .href(PageContext.run(run)), text: doubt.text("recipe"))
        " · " + place + " · " + doubt.text("action")
      }
      if let failure = context.message(doubt["failure"]) { tag(.p, .class("reason"), text: failure) }
      tag(.p, text: advice(message, context))
      if doubt["process"]?.intValue != nil {
        tag(
          .p, .class("note"),
          text: context.say(
            "Its program (process \(doubt.number("process"))) still runs: wait for its end first.",
            de: "Sein Programm (Prozess \(doubt.number("process"))) läuft noch: zuerst sein Ende abwarten."))
      } else if isSettled {
        decision(isMail: message != .null, context)
      } else {
        context.empty(
          context.say(
            "Your roles do not let you decide this.", de: "Die eigenen Rollen erlauben diese Entscheidung nicht."))
      }
    }
  }

  private var place: String {
    doubt["item"]?.intValue.map { "\(doubt.text("step"))[\($0)]" } ?? doubt.text("step")
  }

  private func question(_ message: Value, _ context: PageContext) -> String {
    guard message != .null else {
      return context.say("Did '\(place)' take effect?", de: "Hat '\(place)' gewirkt?")
    }
    let to = (message["to"]?.listValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
    let subject = message.text("subject")
    let about = subject.isEmpty ? to : "\(subject) → \(to)"
    return context.say("Was this message sent: \(about)?", de: "Wurde diese Nachricht gesendet: \(about)?")
  }

  private func advice(_ message: Value, _ context: PageContext) -> String {
    message == .null
      ? context.say(
        "The connection or the process ended before the answer came. Look at the other side whether it happened, then decide; the run goes on.",
        de:
          "Verbindung oder Prozess endeten, bevor die Antwort kam. Auf der Gegenseite nachsehen, ob es geschehen ist, dann entscheiden; der Lauf geht weiter."
      )
      : context.say(
        "The mail server's answer did not come. Look into the folder of sent messages, or ask a recipient, then decide.",
        de:
          "Die Antwort des Mailservers kam nicht. Im Ordner der gesendeten Nachrichten nachsehen oder einen Empfänger fragen, dann entscheiden."
      )
  }

  private func decision(isMail: Bool, _ context: PageContext) -> HTML {
    let path = "POST /runs/\(PageAddress.escaped(doubt.text("run")))/settle"
    return tag(.div, .class("buttons")) {
      context.button(
        isMail
          ? context.say("It was sent", de: "Sie wurde gesendet") : context.say("It took effect", de: "Es hat gewirkt"),
        path, body: body(isDone: true), style: "primary")
      context.button(
        isMail
          ? context.say("It was not sent: send it", de: "Sie wurde nicht gesendet: senden")
          : context.say("It did not: do it again", de: "Es hat nicht gewirkt: noch einmal ausführen"),
        path, body: body(isDone: false),
        confirm: isMail
          ? context.say(
            "Send the message? If it was sent before, the recipient gets it twice.",
            de: "Die Nachricht senden? Wurde sie schon gesendet, bekommt der Empfänger sie zweimal.")
          : context.say(
            "Do it again? If it happened before, it happens twice.",
            de: "Noch einmal ausführen? Ist es schon geschehen, geschieht es zweimal."))
    }
  }

  private func body(isDone: Bool) -> Value {
    var body: ValueMap = ["done": .bool(isDone), "step": .string(doubt.text("step"))]
    if let item = doubt["item"], item != .null { body["item"] = item }
    return .map(body)
  }
}
