package import Expressions

/// Lets a program in that has no browser.
package struct DevicePage: PageView {
  private let code: String
  private let device: Value?
  private let problem: String?

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - code: The code that was typed.
  ///   - device: The program that waits with it, as the API answers it.
  ///   - problem: The reason why none is shown.
  package init(code: String = "", device: Value? = nil, problem: String? = nil) {
    (self.code, self.device, self.problem) = (code, device, problem)
  }

  package func title(_ context: PageContext) -> String { context.say("Let a program in", de: "Ein Programm einlassen") }

  package func contents(_ context: PageContext) -> HTML {
    if let device { return question(device, context) }
    return tag(.form, .class("card narrow"), .with(.method, "get"), .action("/device")) {
      tag(
        .p,
        text: context.say(
          "A program shows a code. Type it here.", de: "Ein Programm zeigt einen Code. Ihn hier eintippen."))
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "code"), text: context.say("Code", de: "Code"))
        tag(
          .input, .id("code"), .class("code big"), .with(.name, "code"), .with(.value, code),
          .with(.placeholder, "WDJB-MJHT"),
          .with(.autocapitalize, "characters"), .with(.autocomplete, "one-time-code"), .with(.maxlength, "20"),
          .with(.spellcheck, "false"), .flag(.required))
      }
      if let problem { tag(.p, .class("problem"), .role("alert"), text: problem) }
      tag(.button, .class("primary wide"), .with(.type, "submit"), text: context.say("Continue", de: "Weiter"))
    }
  }

  private func question(_ device: Value, _ context: PageContext) -> HTML {
    let code = device.text("user_code")
    let scopes = (device["scopes"]?.listValue ?? []).compactMap(\.stringValue)
    let path = "POST /devices/" + PageAddress.escaped(code)
    return tag(.div, .class("card narrow")) {
      tag(.p) {
        tag(.strong, text: device.text("client"))
        context.say(" wants to work with your account.", de: " möchte mit Ihrem Konto arbeiten.")
      }
      tag(.dl, .class("facts")) {
        tag(.div) {
          tag(.dt, text: context.say("Code", de: "Code"))
          tag(.dd) { tag(.code, text: code) }
        }
        tag(.div) {
          tag(.dt, text: context.say("Rights", de: "Rechte"))
          tag(
            .dd, text: scopes.isEmpty ? context.say("all of yours", de: "alle eigenen") : scopes.joined(separator: ", ")
          )
        }
        tag(.div) {
          tag(.dt, text: context.say("Expires", de: "Läuft ab"))
          tag(.dd) { context.time(device["expires"]) }
        }
      }
      tag(
        .p, .class("help"),
        text: context.say(
          "Approve only if the program shows the same code, and if you have started it.",
          de: "Nur zustimmen, wenn das Programm denselben Code zeigt und selbst gestartet wurde."))
      tag(.div, .class("buttons")) {
        context.button(
          context.say("Approve", de: "Zustimmen"), path, body: ["approved": true], then: "go /device?done=yes",
          style: "primary")
        context.button(context.say("Deny", de: "Ablehnen"), path, body: ["approved": false], then: "go /device?done=no")
      }
    }
  }
}

/// The answer to a program that wanted to be let in.
package struct DeviceDonePage: PageView {
  private let isApproved: Bool

  /// Creates the page.
  package init(isApproved: Bool) { self.isApproved = isApproved }

  package func title(_ context: PageContext) -> String { context.say("Let a program in", de: "Ein Programm einlassen") }

  package func contents(_ context: PageContext) -> HTML {
    tag(.div, .class("card narrow")) {
      tag(
        .p,
        text: isApproved
          ? context.say(
            "The program may work now. You can close this page.",
            de: "Das Programm darf jetzt arbeiten. Diese Seite kann geschlossen werden.")
          : context.say("The program was denied.", de: "Das Programm wurde abgelehnt."))
    }
  }
}
