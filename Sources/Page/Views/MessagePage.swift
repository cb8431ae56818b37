import Access
package import Expressions

/// One message of the outbox.
package struct MessagePage: PageView {
  private let message: Value
  private let doubts: [Value]

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - message: The message with its text, as the API answers it.
  ///   - doubts: The attempts to send it whose outcome is unknown.
  package init(_ message: Value, doubts: [Value]) { (self.message, self.doubts) = (message, doubts) }

  private var path: String { "/outbox/" + PageAddress.escaped(message.text("id")) }
  private var isWaiting: Bool { ["pending", "held"].contains(message.text("state")) }

  package func title(_ context: PageContext) -> String { OutboxPage.subject(message, context) }

  package func actions(_ context: PageContext) -> HTML {
    tag(.div, .class("buttons")) {
      MessageActions(message).html(context, style: "")
      tag(.a, .class("button quiet"), .href("/outbox"), text: context.say("All messages", de: "Alle Nachrichten"))
    }
  }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      .group(doubts.map { DoubtCard($0).html(context) }), facts(context), failure(context),
      context.section(context.say("Contents", de: "Inhalt")) {
        tag(.div, .class("prose card"), text: message["text"]?.stringValue ?? "")
        if let html = message["html"]?.stringValue, !html.isEmpty {
          tag(.details) {
            tag(.summary, text: context.say("Source of the HTML part", de: "Quelltext des HTML-Teils"))
            tag(.pre, .class("value"), .with(.tabindex, "0"), text: html)
          }
        }
      },
      isWaiting && context.may(.update, .outbox) ? changes(context) : .empty,
    ])
  }

  private func facts(_ context: PageContext) -> HTML {
    var lines: [(String, HTML)] = []
    for (name, title) in [
      ("to", context.say("To", de: "An")), ("cc", "Cc"), ("bcc", "Bcc"),
    ] {
      let addresses = (message[name]?.listValue ?? []).compactMap(\.stringValue)
      if !addresses.isEmpty { lines.append((title, .text(addresses.joined(separator: ", ")))) }
    }
    if let from = message["from"]?.stringValue { lines.append((context.say("From", de: "Von"), .text(from))) }
    if let account = message["account"]?.stringValue { lines.append(("Provider", .text(account))) }
    if message["sent_at"]?.stringValue != nil {
      lines.append((context.say("Sent", de: "Gesendet"), context.time(message["sent_at"])))
    } else {
      lines.append((context.say("Goes out", de: "Geht hinaus"), context.time(message["send_at"])))
    }
    if message.number("attempts") > 1 {
      lines.append((context.say("Attempts", de: "Versuche"), .text("\(message.number("attempts"))")))
    }
    let files = (message["attachments"]?.listValue ?? []).compactMap(\.stringValue)
    if !files.isEmpty {
      lines.append((context.say("Attachments", de: "Anhänge"), .text(files.joined(separator: ", "))))
    }
    if context.may(.read, .runs) {
      lines.append(
        (
          context.say("Run", de: "Lauf"),
          tag(.a, .href(PageContext.run(message.text("id"))), text: String(message.text("id").suffix(8)))
        ))
    }
    return tag(.div, .class("facts")) {
      OutboxPage.state(message, context)
      for (name, value) in lines { context.fact(name, value) }
    }
  }

  private func failure(_ context: PageContext) -> HTML {
    guard let text = context.message(message["failure"]) else { return .empty }
    return tag(.div, .class("failure")) {
      tag(.p, text: text)
      if let advice = context.advice(message["failure"]) { tag(.p, .class("help"), text: advice) }
    }
  }

  private func changes(_ context: PageContext) -> HTML {
    .group([
      context.section(context.say("Another time", de: "Andere Zeit"), id: "reschedule") {
        context.form("POST \(path)/reschedule", class: "card") {
          context.input(
            .init(
              "send_at", context.say("Send at", de: "Senden um"), help: NewMessagePage.timeHelp(context),
              isRequired: true),
            prefix: "time", .with(.maxlength, "300"))
          context.buttons(context.say("Reschedule", de: "Verschieben"))
        }
      },
      tag(.details, .class("block")) {
        tag(.summary, text: context.say("Change the message …", de: "Nachricht ändern …"))
        context.form("PATCH \(path)", class: "card") {
          NewMessagePage.fields(message, context)
          context.buttons(context.say("Save", de: "Speichern"))
        }
      },
    ])
  }
}

/// The form of a new message.
package struct NewMessagePage: PageView {
  private let providers: [String]

  /// Creates the form.
  ///
  /// - Parameter providers: The providers that send mail.
  package init(providers: [String]) { self.providers = providers }

  package func title(_ context: PageContext) -> String { context.say("New message", de: "Neue Nachricht") }

  static func timeHelp(_ context: PageContext) -> String {
    context.say(
      "For example: tomorrow at 8, in 2 hours, 2036-12-24 09:00.",
      de: "Zum Beispiel: morgen um 8, in 2 Stunden, 2036-12-24 09:00.") + " " + context.zoneHelp
  }

  /// Recipients, subject and text; those of a message that waits, or empty ones.
  static func fields(_ message: Value, _ context: PageContext) -> HTML {
    let isNew = message == .null
    func lines(_ name: String) -> String {
      (message[name]?.listValue ?? []).compactMap(\.stringValue).joined(separator: "\n")
    }
    return .group([
      context.area(
        .init(
          "to", context.say("To", de: "An"), kind: "lines", value: lines("to"),
          help: context.say("One address per line.", de: "Eine Adresse pro Zeile."), isRequired: true),
        prefix: "message", rows: 2),
      tag(.details, .class("field")) {
        tag(.summary, text: context.say("Copies …", de: "Kopien …"))
        context.area(
          .init("cc", context.say("Copy (Cc)", de: "Kopie (Cc)"), kind: "lines", value: lines("cc")),
          prefix: "message", rows: 2)
        context.area(
          .init("bcc", context.say("Blind copy (Bcc)", de: "Blindkopie (Bcc)"), kind: "lines", value: lines("bcc")),
          prefix: "message", rows: 2)
      },
      context.input(
        .init(
          "subject", context.say("Subject", de: "Betreff"), value: message.text("subject"),
          empty: isNew ? nil : "null"), prefix: "message", .with(.maxlength, "1000")),
      context.area(
        .init(
          "text", context.say("Contents", de: "Inhalt"), kind: "long", value: message.text("text"), empty: "\"\""),
        prefix: "message", rows: 10),
    ])
  }

  package func contents(_ context: PageContext) -> HTML {
    context.form("POST /outbox", then: "go /outbox", class: "card") {
      Self.fields(.null, context)
      context.input(
        .init("attachments", context.say("Attachments", de: "Anhänge"), kind: "upload"), prefix: "message",
        type: "file", .flag(.multiple))
      if providers.count > 1 {
        context.choice(
          .init("providers", context.say("Sent by", de: "Gesendet von"), kind: "words"), prefix: "message",
          [("", context.say("the default", de: "der Vorgabe"))] + providers.map { ($0, $0) })
      }
      context.input(
        .init(
          "send_at", context.say("Send later", de: "Später senden"),
          help: context.say("Empty: at once. ", de: "Leer: sofort. ") + Self.timeHelp(context)),
        prefix: "message", .with(.maxlength, "300"))
      context.buttons(context.say("Send", de: "Senden"), back: "/outbox")
    }
  }
}
