import Access
package import Expressions
import Localization

/// The own account: password, sessions, tokens, language, colours.
package struct AccountPage: PageView {
  private let user: Value
  private let sessions: [Value]
  private let tokens: [Value]

  /// Creates the page from the answers of the API.
  ///
  /// - Parameters:
  ///   - user: The user; null for a caller that is not a user of Sous, such as that of the local socket.
  ///   - sessions: The open sessions of the user.
  ///   - tokens: The tokens of the user.
  package init(_ user: Value, sessions: Value, tokens: [Value]) {
    (self.user, self.sessions, self.tokens) = (user, sessions.items, tokens)
  }

  package func title(_ context: PageContext) -> String { context.say("Your account", de: "Ihr Konto") }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      facts(context),
      tag(.div, .class("columns even")) {
        tag(.div) {
          appearance(context)
          password(context)
        }
        tag(.div) {
          sessionBlock(context)
          tokenBlock(context)
          own(context)
        }
      },
    ])
  }

  private func facts(_ context: PageContext) -> HTML {
    guard let actor = context.actor else { return .empty }
    func fact(_ name: String, _ words: [String]) -> HTML {
      tag(.span) {
        tag(.span, .class("faint"), text: name + " ")
        words.isEmpty ? "–" : words.joined(separator: ", ")
      }
    }
    return tag(.p, .class("facts")) {
      fact(context.say("User name", de: "Benutzername"), [actor.user])
      fact(context.say("Roles", de: "Rollen"), actor.roles.map(\.name))
      fact(context.say("Groups", de: "Gruppen"), actor.groups.sorted())
    }
  }

  // MARK: - Language and colours

  private func appearance(_ context: PageContext) -> HTML {
    let names = [("en", "English"), ("de", "Deutsch")]
    let chosen = user["language"]?.stringValue
    return context.section(context.say("Language and colours", de: "Sprache und Farben")) {
      tag(.div, .class("card")) {
        if user != .null {
          context.form("PATCH /me") {
            tag(.div, .class("field")) {
              tag(.label, .with(.forID, "language"), text: context.say("Language", de: "Sprache"))
              tag(.select, .id("language"), .data("field", "language"), .data("kind", "choice")) {
                option("null", context.say("that of the browser", de: "die des Browsers"), isChosen: chosen == nil)
                for (code, name) in names {
                  option(Value.string(code).jsonString, name, isChosen: chosen == code)
                }
              }
            }
            tag(.button, .with(.type, "submit"), text: context.say("Save the language", de: "Sprache speichern"))
          }
        }
        tag(.fieldset, .class("field after"), .data("themes", "")) {
          tag(.legend, text: context.say("Colours in this browser", de: "Farben in diesem Browser"))
          for (value, name) in [
            ("auto", context.say("as the system", de: "wie das System")), ("light", context.say("light", de: "hell")),
            ("dark", context.say("dark", de: "dunkel")),
          ] {
            tag(.div, .class("check")) {
              tag(.input, .id("theme-" + value), .with(.type, "radio"), .with(.name, "theme"), .with(.value, value))
              tag(.label, .with(.forID, "theme-" + value), text: name)
            }
          }
        }
      }
    }
  }

  private func option(_ value: String, _ title: String, isChosen: Bool) -> HTML {
    .element(.option, [.with(.value, value)] + (isChosen ? [.flag(.selected)] : []), [.text(title)])
  }

  // MARK: - Password

  private func password(_ context: PageContext) -> HTML {
    let title = context.say("Password", de: "Passwort")
    guard user["password"]?.boolValue ?? false else {
      guard let issuer = user["identity"]?["issuer"]?.stringValue else { return .empty }
      return context.section(title) {
        tag(
          .p, .class("card"),
          text: context.say(
            "You sign in at \(issuer); the password is changed there.",
            de: "Sie melden sich bei \(issuer) an; dort wird das Passwort geändert."))
      }
    }
    return context.section(title) {
      context.form("PUT /me/password", class: "card") {
        // For programs that keep passwords.
        tag(
          .input, .class("hidden"), .with(.type, "text"), .with(.autocomplete, "username"), .with(.tabindex, "-1"),
          .flag(.readonly), .aria("label", context.say("User name", de: "Benutzername")),
          .with(.value, context.actor?.user ?? ""))
        field("current", context.say("Current password", de: "Jetziges Passwort"), "current-password", context)
        field(
          "new", context.say("New password", de: "Neues Passwort"), "new-password", context,
          help: context.say(
            "At least 10 characters. Your other sessions end.",
            de: "Mindestens 10 Zeichen. Ihre anderen Sitzungen enden."))
        tag(.button, .class("primary"), .with(.type, "submit"), text: context.say("Change it", de: "Passwort ändern"))
      }
    }
  }

  private func field(
    _ name: String, _ title: String, _ completion: String, _ context: PageContext, help: String = ""
  ) -> HTML {
    var attributes: [Attribute] = [
      .id(name), .with(.type, "password"), .with(.autocomplete, completion), .with(.maxlength, "2000"),
      .data("field", name), .data("kind", "text"), .flag(.required),
    ]
    if !help.isEmpty { attributes.append(.aria("describedby", name + "-help")) }
    return tag(.div, .class("field")) {
      tag(.label, .with(.forID, name), text: title)
      HTML.element(.input, attributes, [])
      if !help.isEmpty { tag(.p, .class("help"), .id(name + "-help"), text: help) }
    }
  }

  // MARK: - Sessions

  private func sessionBlock(_ context: PageContext) -> HTML {
    context.section(
      context.say("Where you are signed in", de: "Wo Sie angemeldet sind"),
      aside: sessions.count > 1
        ? context.button(
          context.say("End the others", de: "Andere beenden"), "DELETE /me/sessions",
          confirm: context.say("Sign out everywhere else?", de: "Überall sonst abmelden?"), style: "small danger")
        : .empty
    ) {
      if sessions.isEmpty {
        context.empty(context.say("No open session.", de: "Keine offene Sitzung."))
      } else {
        tag(.ul, .class("list")) { for session in sessions { row(session, context) } }
      }
    }
  }

  private func row(_ session: Value, _ context: PageContext) -> HTML {
    let isCurrent = session["current"]?.boolValue ?? false
    let address = session["address"]?.stringValue ?? context.say("unknown address", de: "unbekannte Adresse")
    return tag(.li) {
      tag(.div) {
        tag(.strong, text: address)
        if isCurrent { tag(.span, .class("badge"), text: context.say("this browser", de: "dieser Browser")) }
        tag(.div, .class("faint")) {
          context.say("since ", de: "seit ")
          context.time(session["created"])
          context.say(", last used ", de: ", zuletzt benutzt ")
          context.time(session["last_used"], isRelative: true)
        }
      }
      if !isCurrent {
        context.button(
          context.say("End", de: "Beenden"), "DELETE /me/sessions/" + PageAddress.escaped(session.text("id")),
          style: "small",
          label: context.say("End the session at \(address)", de: "Sitzung von \(address) beenden"))
      }
    }
  }

  // MARK: - Tokens and personal data

  private func tokenBlock(_ context: PageContext) -> HTML {
    context.section(
      context.say("Your tokens", de: "Ihre Tokens"),
      aside: tag(.a, .href("/tokens"), text: context.say("Make or remove", de: "Anlegen oder entfernen"))
    ) {
      if tokens.isEmpty {
        context.empty(context.say("No token: no script acts for you.", de: "Kein Token: Kein Skript handelt für Sie."))
      } else {
        tag(.ul, .class("list small")) {
          for token in tokens {
            tag(.li) {
              tag(.strong, text: token.text("name"))
              tag(.span, .class("faint")) {
                context.say("used ", de: "benutzt ")
                context.time(token["last_used"], otherwise: context.say("never", de: "nie"), isRelative: true)
              }
            }
          }
        }
      }
    }
  }

  private func own(_ context: PageContext) -> HTML {
    context.section(context.say("Your data", de: "Ihre Daten")) {
      tag(.p) {
        tag(
          .a, .class("button"), .href("/api/v1/me/export"),
          text: context.say("All that is stored about you", de: "Alles, was über Sie gespeichert ist"))
      }
      tag(
        .p, .class("help"),
        text: context.say(
          "As JSON: user, sessions, tokens, audit log.", de: "Als JSON: Benutzer, Sitzungen, Tokens, Audit-Protokoll."))
    }
  }
}
