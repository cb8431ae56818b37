import Access
import Engine
package import Expressions
import Localization

/// The users.
package struct UsersPage: PageView {
  private let users: [Value]
  private let roles: [Value]

  /// Creates the page from the answers of the API.
  package init(_ users: Value, roles: Value) { (self.users, self.roles) = (users.items, roles.items) }

  package func title(_ context: PageContext) -> String { context.say("Users", de: "Benutzer") }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      context.table(
        context.say("Users", de: "Benutzer"),
        [
          context.say("Name", de: "Name"), context.say("Roles", de: "Rollen"), context.say("Groups", de: "Gruppen"),
          context.say("State", de: "Zustand"), context.say("Since", de: "Seit"),
        ],
        users.map { user in
          [
            tag(.div) {
              tag(
                .a, .class("strong"), .href("/users/" + PageAddress.escaped(user.text("name"))), text: user.text("name")
              )
              tag(.div, .class("faint"), text: user.text("full_name"))
            }, .text(Self.joined(user["roles"])), .text(Self.joined(user["groups"])),
            .text(
              user["disabled"]?.stringValue == nil
                ? context.say("active", de: "aktiv") : context.say("disabled", de: "gesperrt")),
            context.time(user["created"]),
          ]
        }),
      context.may(.create, .users) ? add(context) : .empty, roleList(context),
    ])
  }

  static func joined(_ list: Value?) -> String {
    let words = (list?.listValue ?? []).compactMap(\.stringValue)
    return words.isEmpty ? "–" : words.joined(separator: ", ")
  }

  private func add(_ context: PageContext) -> HTML {
    context.section(context.say("Add a user", de: "Benutzer anlegen")) {
      context.form("POST /users", class: "card") {
        SchemaForm(
          [
            "type": "object",
            "properties": .object([
              (
                "name",
                ["type": "string", "title": .string(context.say("User name", de: "Benutzername")), "maxLength": 64]
              ),
              (
                "full_name",
                ["type": "string", "title": .string(context.say("Full name", de: "Voller Name")), "maxLength": 200]
              ),
              (
                "password",
                [
                  "type": "string", "title": .string(context.say("Password", de: "Passwort")), "writeOnly": true,
                  "maxLength": 299,
                ]
              ), ("language", Self.language(context)), ("roles", Self.roles(roles, context)),
            ]), "required": ["name", "password"],
          ], prefix: "user", context
        ).fields
        tag(.button, .class("primary"), .with(.type, "submit"), text: context.say("Add", de: "Anlegen"))
      }
    }
  }

  static func language(_ context: PageContext) -> Value {
    [
      "type": "string", "title": .string(context.say("Language", de: "Sprache")),
      "enum": .list(Language.allCases.map { .string($0.rawValue) }),
    ]
  }

  static func roles(_ roles: [Value], _ context: PageContext, chosen: Value? = nil) -> Value {
    var schema: ValueMap = [
      "type": "array", "title": .string(context.say("Roles", de: "Rollen")),
      "items": ["enum": .list(roles.map { .string($0.text("name")) })],
    ]
    if let chosen { schema["default"] = chosen }
    return .map(schema)
  }

  private func roleList(_ context: PageContext) -> HTML {
    context.section(context.say("Roles", de: "Rollen")) {
      tag(.ul, .class("list")) {
        for role in roles {
          tag(.li) {
            tag(.div) {
              tag(.strong, text: role.text("name"))
              tag(.div, .class("faint"), text: role.text("title"))
            }
            tag(.details, .class("inline")) {
              tag(.summary, text: context.say("Rules", de: "Regeln"))
              tag(
                .pre, .class("value"), .with(.tabindex, "0"),
                text: (role["rules"]?.listValue ?? []).compactMap(\.stringValue).joined(separator: "\n"))
            }
          }
        }
      }
    }
  }
}

/// One user.
package struct UserPage: PageView {
  private let user: Value
  private let roles: [Value]

  /// Creates the page from the answers of the API.
  package init(_ user: Value, roles: Value) { (self.user, self.roles) = (user, roles.items) }

  package func title(_ context: PageContext) -> String { user.text("name") }
  private var path: String { "/users/" + PageAddress.escaped(user.text("name")) }

  package func actions(_ context: PageContext) -> HTML {
    tag(.a, .class("button quiet"), .href("/users"), text: context.say("All users", de: "Alle Benutzer"))
  }

  package func contents(_ context: PageContext) -> HTML {
    guard context.may(.update, .users) else {
      return context.empty(UsersPage.joined(user["roles"]))
    }
    let isDisabled = user["disabled"]?.stringValue != nil
    return .group([
      context.section(context.say("Account", de: "Konto")) {
        context.form("PATCH \(path)", class: "card") {
          SchemaForm(
            [
              "type": "object",
              "properties": .object([
                (
                  "full_name",
                  [
                    "type": "string", "title": .string(context.say("Full name", de: "Voller Name")), "maxLength": 200,
                    "default": .string(user.text("full_name")),
                  ]
                ), ("language", language(context)),
                (
                  "groups",
                  [
                    "type": "array", "items": ["type": "string"],
                    "title": .string(context.say("Groups", de: "Gruppen")),
                    "default": user["groups"] ?? [],
                  ]
                ), ("roles", UsersPage.roles(roles, context, chosen: user["roles"])),
                (
                  "disabled",
                  [
                    "type": "boolean", "title": .string(context.say("Disabled", de: "Gesperrt")),
                    "default": .bool(isDisabled),
                  ]
                ),
              ]),
            ], prefix: "user", context
          ).fields
          tag(.button, .class("primary"), .with(.type, "submit"), text: context.say("Save", de: "Speichern"))
        }
      },
      context.section(context.say("New password", de: "Neues Passwort")) {
        context.form("PUT \(path)/password", class: "card") {
          tag(.div, .class("field")) {
            tag(.label, .with(.forID, "password"), text: context.say("Password", de: "Passwort"))
            tag(
              .input, .id("password"), .with(.type, "password"), .with(.autocomplete, "new-password"),
              .data("field", "password"),
              .data("kind", "text"), .flag(.required))
          }
          tag(.button, .with(.type, "submit"), text: context.say("Set the password", de: "Passwort setzen"))
        }
      },
      tag(.div, .class("buttons")) {
        context.button(
          context.say("End all sessions", de: "Alle Sitzungen beenden"), "DELETE \(path)/sessions",
          confirm: context.say("Sign this user out everywhere?", de: "Diesen Benutzer überall abmelden?"))
        if context.may(.delete, .users) {
          context.button(
            context.say("Remove the user", de: "Benutzer entfernen"), "DELETE \(path)", then: "go /users",
            confirm: context.say("Remove \(user.text("name"))?", de: "\(user.text("name")) entfernen?"), style: "danger"
          )
        }
      },
    ])
  }

  private func language(_ context: PageContext) -> Value {
    var schema = UsersPage.language(context).mapValue ?? [:]
    if let language = user["language"], language != .null { schema["default"] = language }
    return .map(schema)
  }
}

/// The tokens of the user, or of all users.
package struct TokensPage: PageView {
  private let tokens: [Value]

  /// Creates the page from the answer of the API.
  package init(_ page: Value) { tokens = page.items }

  package func title(_ context: PageContext) -> String { context.say("Tokens", de: "Tokens") }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(
        .p, .class("lead"),
        text: context.say(
          "A token lets a script use the API with your rights, or with fewer.",
          de: "Mit einem Token verwendet ein Skript die API mit den eigenen Rechten, oder mit weniger.")),
      tokens.isEmpty
        ? context.empty(context.say("No tokens yet.", de: "Noch keine Tokens."))
        : context.table(
          context.say("Tokens", de: "Tokens"),
          [
            context.say("Name", de: "Name"), context.say("User", de: "Benutzer"), context.say("Scopes", de: "Umfang"),
            context.say("Expires", de: "Läuft ab"), context.say("Last used", de: "Zuletzt benutzt"), "",
          ],
          tokens.map { token in
            [
              tag(.strong, text: token.text("name")), .text(token.text("user")),
              .text(UsersPage.joined(token["scopes"])),
              context.time(token["expires"], otherwise: context.say("never", de: "nie")),
              context.time(token["last_used"], isRelative: true),
              context.button(
                context.say("Remove", de: "Entfernen"), "DELETE /tokens/\(PageAddress.escaped(token.text("id")))",
                confirm: context.say("Remove this token?", de: "Dieses Token entfernen?"), style: "small danger",
                label: context.say("Remove \(token.text("name"))", de: "\(token.text("name")) entfernen")),
            ]
          }), add(context),
    ])
  }

  private func add(_ context: PageContext) -> HTML {
    context.section(context.say("New token", de: "Neues Token")) {
      if context.actor?.origin == .session {
        context.form("POST /tokens", then: "show text", class: "card") {
          SchemaForm(
            [
              "type": "object",
              "properties": .object([
                ("name", ["type": "string", "title": .string(context.say("Name", de: "Name")), "maxLength": 100]),
                (
                  "scopes",
                  [
                    "type": "array", "items": ["type": "string"], "title": .string(context.say("Scopes", de: "Umfang")),
                    "description": .string(
                      context.say(
                        "Empty: all your rights. Otherwise rules such as 'runs: read=all create=all'.",
                        de: "Leer: alle eigenen Rechte. Sonst Regeln wie 'runs: read=all create=all'.")),
                  ]
                ),
                (
                  "expires",
                  ["type": "string", "format": "date-time", "title": .string(context.say("Expires", de: "Läuft ab"))]
                ),
              ]), "required": ["name"],
            ], prefix: "token", context
          ).fields
          tag(
            .button, .class("primary"), .with(.type, "submit"), text: context.say("Make a token", de: "Token anlegen"))
          tag(.div, .class("secret"), .data("result", ""), .role("status"), .flag(.hidden)) {
            tag(
              .p,
              text: context.say(
                "Copy it now: it is not shown again.", de: "Jetzt kopieren: Es wird nicht noch einmal gezeigt."))
            tag(.output, .class("code"))
          }
        }
      } else {
        context.empty(context.say("Sign in with a browser to make tokens.", de: "Zum Anlegen im Browser anmelden."))
      }
    }
  }
}

/// The audit log.
package struct AuditPage: PageView {
  private let entries: [Value]
  private let next: String?
  private let user: String
  private let operations: [String: String]

  /// Creates the page from the answer of the API.
  ///
  /// - Parameters:
  ///   - user: The user whose entries are shown; empty for all.
  ///   - operations: The summaries of the operations of the API by the ids of the operations, in the language of the page.
  package init(_ page: Value, user: String, operations: [String: String] = [:]) {
    (entries, next, self.user) = (page.items, page["next"]?.stringValue, user)
    self.operations = operations
  }

  /// An action in words, with its code in the title.
  private func action(_ code: String, _ context: PageContext) -> HTML {
    let words = Self.word(code, context) ?? operations[code].map(Self.short) ?? code
    return tag(.span, .with(.title, code), text: words)
  }

  /// The beginning of the description of an operation, without what it explains.
  private static func short(_ summary: String) -> String {
    var text = String(summary.prefix { $0 != ":" && $0 != ";" })
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// The words for an action that is not an operation of the API; `nil` for others.
  private static func word(_ action: String, _ context: PageContext) -> String? {
    switch action {
    case "session.create": context.say("Sign in", de: "Anmelden")
    case "session.delete": context.say("Sign out", de: "Abmelden")
    case "settings.change": context.say("Change settings", de: "Einstellungen ändern")
    case "user.add": context.say("Add a user", de: "Benutzer anlegen")
    case "user.change": context.say("Change a user", de: "Benutzer ändern")
    case "user.password": context.say("Set a password", de: "Passwort setzen")
    case "user.disable": context.say("Disable a user", de: "Benutzer sperren")
    case "user.enable": context.say("Enable a user", de: "Benutzer entsperren")
    case "user.remove": context.say("Remove a user", de: "Benutzer entfernen")
    case "user.erase": context.say("Erase personal data", de: "Personendaten löschen")
    case "role.add": context.say("Add a role", de: "Rolle anlegen")
    case "role.change": context.say("Change a role", de: "Rolle ändern")
    case "role.remove": context.say("Remove a role", de: "Rolle entfernen")
    case "token.add": context.say("Make a token", de: "Token anlegen")
    case "token.remove": context.say("Remove a token", de: "Token entfernen")
    case "device.approve": context.say("Approve a device", de: "Gerät zulassen")
    case "device.deny": context.say("Refuse a device", de: "Gerät abweisen")
    case "recipe.new": context.say("Create a recipe", de: "Rezept anlegen")
    case "recipe.duplicate": context.say("Duplicate a recipe", de: "Rezept kopieren")
    case "recipe.enable": context.say("Enable a recipe", de: "Rezept einschalten")
    case "recipe.disable": context.say("Disable a recipe", de: "Rezept ausschalten")
    case "recipe.rollback": context.say("Roll a recipe back", de: "Rezept zurücksetzen")
    case "recipe.forget": context.say("Remove versions of a recipe", de: "Fassungen eines Rezepts löschen")
    case "recipe.sync": context.say("Sync recipes", de: "Rezepte abgleichen")
    default: nil
    }
  }

  package func title(_ context: PageContext) -> String { context.say("Audit log", de: "Audit-Protokoll") }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(.form, .class("filter"), .with(.method, "get"), .action("/audit"), .role("search")) {
        tag(.div, .class("field grow")) {
          tag(.label, .with(.forID, "user"), text: context.say("User", de: "Benutzer"))
          tag(.input, .id("user"), .with(.name, "user"), .with(.value, user), .with(.maxlength, "64"))
        }
        tag(.button, .with(.type, "submit"), text: context.say("Filter", de: "Filtern"))
      },
      entries.isEmpty
        ? context.empty(context.say("No entries.", de: "Keine Einträge."))
        : context.table(
          context.say("Audit log, newest first", de: "Audit-Protokoll, neueste zuerst"),
          [
            context.say("Time", de: "Zeit"), context.say("Actor", de: "Wer"), context.say("Action", de: "Was"),
            context.say("Object", de: "Woran"), context.say("Change", de: "Änderung"),
            context.say("Outcome", de: "Ergebnis"),
          ],
          entries.map { entry in
            [
              context.time(entry["at"]),
              tag(.div, .class("wide-text")) {
                entry.text("actor")
                tag(
                  .div, .class("faint"),
                  text: [
                    AuditSource(actor: "", origin: entry.text("origin")).spokenOrigin.string(in: context.language),
                    entry.text("address"),
                  ].filter { !$0.isEmpty }
                    .joined(separator: " · "))
              }, action(entry.text("action"), context),
              tag(.div, .class("wide-text"), text: entry.text("object")), change(entry, context),
              tag(.div, .class("wide-text"), text: context.word(entry.text("outcome"))),
            ]
          }),
      next.map { next in
        tag(.nav, .class("pages"), .aria("label", context.say("Pages", de: "Seiten"))) {
          tag(
            .a, .class("button"), .with(.rel, "next"),
            .href("/audit?user=" + PageAddress.escaped(user) + "&cursor=" + PageAddress.escaped(next)),
            text: context.say("Older", de: "Ältere"))
        }
      } ?? .empty,
    ])
  }

  private func change(_ entry: Value, _ context: PageContext) -> HTML {
    let changes = (entry["changes"]?.listValue ?? []).map { change in
      AuditChange(path: change.text("path"), before: change["before"] ?? .null, after: change["after"] ?? .null)
    }.filter(\.isVisible)
    if changes.isEmpty { return .text("–") }
    let shown = 3
    return tag(.div, .class("wide-text")) {
      for change in changes.prefix(shown) { tag(.div, text: change.text) }
      if changes.count > shown {
        tag(.details, .class("inline")) {
          tag(.summary, text: context.say("\(changes.count - shown) more", de: "\(changes.count - shown) weitere"))
          for change in changes.dropFirst(shown) { tag(.div, text: change.text) }
        }
      }
    }
  }
}
