import Access
package import Expressions

/// The outbox: messages that need a person, that wait, that failed and that were sent.
package struct OutboxPage: PageView {
  private let messages: [Value]
  private let doubts: [Value]
  private let isWhole: Bool

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - page: The messages, newest first, as the API answers them.
  ///   - doubts: The attempts to send whose outcome is unknown.
  ///   - isWhole: Whether sent and cancelled messages are shown as well.
  package init(_ page: Value, doubts: [Value], isWhole: Bool) {
    (messages, self.doubts, self.isWhole) = (page.items, doubts, isWhole)
  }

  package var scripts: [String] { ["live.js"] }
  package func title(_ context: PageContext) -> String { context.say("Outbox", de: "Postausgang") }

  package func actions(_ context: PageContext) -> HTML {
    guard context.may(.create, .outbox) else { return .empty }
    return tag(
      .a, .class("button primary"), .href("/new-message"), text: context.say("New message", de: "Neue Nachricht"))
  }

  /// The word for the state of a message.
  static func word(_ state: String, _ context: PageContext) -> String {
    switch state {
    case "pending": context.say("waits", de: "wartet")
    case "held": context.say("late: decide", de: "verspätet: entscheiden")
    case "sending": context.say("being sent", de: "wird gesendet")
    case "sent": context.say("sent", de: "gesendet")
    case "failed": context.say("failed", de: "fehlgeschlagen")
    case "cancelled": context.say("cancelled", de: "abgebrochen")
    case "unknown": context.say("outcome unknown", de: "Ausgang unbekannt")
    default: state
    }
  }

  static func state(_ message: Value, _ context: PageContext) -> HTML {
    let state = message.text("state")
    return tag(.span, .class("status " + PageContext.safeClass(state))) {
      tag(.span, .class("dot"), .aria("hidden", "true"))
      word(state, context)
    }
  }

  static func recipients(_ message: Value) -> String {
    ["to", "cc", "bcc"].flatMap { message[$0]?.listValue ?? [] }.compactMap(\.stringValue).joined(separator: ", ")
  }

  static func subject(_ message: Value, _ context: PageContext) -> String {
    let subject = message.text("subject")
    return subject.isEmpty ? context.say("(no subject)", de: "(kein Betreff)") : subject
  }

  package func contents(_ context: PageContext) -> HTML {
    let (waiting, failed) = (of("pending", "held", "sending"), of("failed"))
    let past = of("sent", "cancelled")
    // Without the right to see runs, the state alone says it.
    let unknown = of("unknown").filter { message in !doubts.contains { $0.text("run") == message.text("id") } }
    return .group([
      context.live("doubts", seconds: 15) { for doubt in doubts { DoubtCard(doubt).html(context) } },
      context.live("outbox", seconds: 10) {
        context.section(context.say("Waiting", de: "Wartend")) {
          if waiting.isEmpty {
            context.empty(context.say("No message waits.", de: "Keine Nachricht wartet."))
          } else {
            table(context.say("Waiting messages", de: "Wartende Nachrichten"), waiting, context)
          }
        }
        if !(failed + unknown).isEmpty {
          context.section(context.say("Not sent", de: "Nicht gesendet")) {
            table(context.say("Messages that failed", de: "Fehlgeschlagene Nachrichten"), unknown + failed, context)
          }
        }
        if isWhole {
          context.section(context.say("Sent and cancelled", de: "Gesendet und abgebrochen")) {
            if past.isEmpty {
              context.empty(context.say("No message was sent yet.", de: "Noch wurde keine Nachricht gesendet."))
            } else {
              table(context.say("Earlier messages", de: "Frühere Nachrichten"), past, context)
            }
          }
        }
      },
      isWhole
        ? .empty
        : tag(.p) {
          tag(
            .a, .href("/outbox?all=yes"),
            text: context.say("Show sent and cancelled messages", de: "Gesendete und abgebrochene zeigen"))
        },
    ])
  }

  private func of(_ states: String...) -> [Value] { messages.filter { states.contains($0.text("state")) } }

  private func table(_ caption: String, _ messages: [Value], _ context: PageContext) -> HTML {
    context.table(
      caption,
      [
        context.say("Message", de: "Nachricht"), context.say("To", de: "An"), context.say("Time", de: "Zeit"),
        context.say("State", de: "Zustand"), "",
      ],
      messages.map { message in
        [
          tag(.div) {
            tag(
              .a, .class("strong"), .id("message-" + message.text("id")),
              .href("/outbox/" + PageAddress.escaped(message.text("id"))), text: Self.subject(message, context))
            if let failure = context.message(message["failure"]) {
              tag(.div, .class("reason"), text: String(failure.prefix(300)))
            }
          },
          .text(Self.recipients(message)),
          context.time(message[message["sent_at"]?.stringValue == nil ? "send_at" : "sent_at"]),
          Self.state(message, context), buttons(message, context),
        ]
      })
  }

  private func buttons(_ message: Value, _ context: PageContext) -> HTML {
    let actions = MessageActions(message)
    guard !actions.isEmpty(context) else { return .empty }
    return actions.html(context, style: "small")
  }
}

/// The actions on a message, by its state and the rights of the user.
struct MessageActions {
  private let message: Value

  init(_ message: Value) { self.message = message }

  private var state: String { message.text("state") }
  private var path: String { "/outbox/" + PageAddress.escaped(message.text("id")) }
  private var isWaiting: Bool { ["pending", "held"].contains(state) }

  func isEmpty(_ context: PageContext) -> Bool {
    !(isWaiting && (context.may(.update, .outbox) || context.may(.delete, .outbox)))
      && !(state == "failed" && context.may(.update, .outbox))
  }

  func html(_ context: PageContext, style: String) -> HTML {
    let about = ": " + OutboxPage.subject(message, context)
    return tag(.div, .class("buttons")) {
      if isWaiting, context.may(.update, .outbox) {
        let title = context.say("Send now", de: "Jetzt senden")
        context.button(title, "POST \(path)/send-now", style: style, label: title + about)
      }
      if isWaiting, context.may(.delete, .outbox) {
        let title = context.say("Cancel", de: "Abbrechen")
        context.button(
          title, "POST \(path)/cancel",
          confirm: context.say(
            "Cancel this message? It is not sent.", de: "Diese Nachricht abbrechen? Sie wird nicht gesendet."),
          style: style + " danger", label: title + about)
      }
      if state == "failed", context.may(.update, .outbox) {
        let title = context.say("Try again", de: "Noch einmal versuchen")
        context.button(title, "POST \(path)/retry", then: "go /outbox", style: style, label: title + about)
      }
    }
  }
}
