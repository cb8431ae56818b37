import Access
package import Expressions

/// The settings in force; the file decides, so the page only shows them.
package struct SettingsPage: PageView {
  private let settings: Value
  private let trust: Value
  private let secrets: [Value]
  private let kept: [Value]

  /// Creates the page from the answers of the API.
  ///
  /// - Parameter kept: The values that recipes keep; null if the user may not see them.
  package init(_ settings: Value, trust: Value, secrets: Value, kept: Value) {
    (self.settings, self.trust, self.secrets, self.kept) = (settings, trust, secrets.items, kept.items)
  }

  package func title(_ context: PageContext) -> String { context.say("Settings", de: "Einstellungen") }

  package func contents(_ context: PageContext) -> HTML {
    .group([
      tag(.p, .class("lead")) {
        if let path = settings["path"]?.stringValue {
          context.say("This file decides: ", de: "Diese Datei entscheidet: ")
          tag(.code, text: path)
          context.say(". Values that can be secret are left out.", de: ". Werte, die geheim sein können, fehlen hier.")
        } else {
          context.say("No sous.yaml: the defaults count.", de: "Keine sous.yaml: Es gelten die Vorgaben.")
        }
      }, serverBlock(context), engineBlock(context), folderBlock(context), providerBlock(context), trustBlock(context),
      secretBlock(context), keptBlock(context),
    ])
  }

  // MARK: - Pieces

  private func texts(_ value: Value?) -> [String] { (value?.listValue ?? []).compactMap(\.stringValue) }

  private func seconds(_ value: Value?, _ context: PageContext) -> String {
    guard let seconds = value?.doubleNumber else { return "–" }
    // '8 h', not '8 h 0 min'.
    return context.duration(.double(seconds * 1000)).replacing(/\ 0\ (s|min|h)$/, with: "")
  }

  private func size(_ value: Value?, _ context: PageContext) -> String {
    guard let bytes = value?.doubleNumber else { return "–" }
    if bytes >= 1_048_576 { return context.count(Int(bytes / 1_048_576)) + " MiB" }
    return bytes >= 1024 ? context.count(Int(bytes / 1024)) + " KiB" : context.count(Int(bytes)) + " B"
  }

  private func yesNo(_ value: Value?, _ context: PageContext) -> String {
    value?.boolValue ?? false ? context.say("yes", de: "ja") : context.say("no", de: "nein")
  }

  private func number(_ value: Value?, _ context: PageContext) -> String {
    value?.intValue.map { context.count(Int(clamping: $0)) } ?? "–"
  }

  private func list(_ rows: [(name: String, value: String)]) -> HTML {
    tag(.dl, .class("settings")) {
      for row in rows {
        tag(.div) {
          tag(.dt, text: row.name)
          tag(.dd, text: row.value.isEmpty ? "–" : row.value)
        }
      }
    }
  }

  // MARK: - Sections

  private func serverBlock(_ context: PageContext) -> HTML {
    let server = settings["server"] ?? .null
    var rows = [(context.say("Listens at", de: "Hört auf"), settings.text("listen"))]
    if server != .null {
      rows += [
        (context.say("Address for users", de: "Adresse für Benutzer"), server.text("url")),
        ("TLS", yesNo(server["tls"], context)),
        (
          context.say("Trusted proxies", de: "Proxys, denen es traut"), texts(server["proxies"]).joined(separator: ", ")
        ),
        (context.say("Largest request", de: "Größte Anfrage"), size(server["body_limit"], context)),
        (context.say("Largest file", de: "Größte Datei"), size(server["upload_limit"], context)),
        (
          context.say("Requests of an address in a minute", de: "Anfragen einer Adresse pro Minute"),
          number(server["requests_per_minute"], context)
        ),
        (
          context.say("A session ends without use after", de: "Eine Sitzung endet ungenutzt nach"),
          seconds(server["idle"], context)
        ),
        (context.say("and in any case after", de: "und in jedem Fall nach"), seconds(server["longest"], context)),
        (context.say("Identity provider", de: "Identitätsprovider"), server.text("identity")),
      ]
    }
    return context.section(context.say("Server", de: "Server")) { list(rows) }
  }

  private func engineBlock(_ context: PageContext) -> HTML {
    let engine = settings["engine"] ?? .null
    let retention = engine["retention"] ?? .null
    let breaker = engine["breaker"] ?? .null
    let never = context.say("no limit", de: "keine Grenze")
    return context.section(context.say("Runs", de: "Läufe")) {
      list([
        (
          context.say("Steps at the same time", de: "Schritte gleichzeitig"),
          engine["parallel"]?.intValue == nil
            ? context.say("the default", de: "die Vorgabe") : number(engine["parallel"], context)
        ),
        (
          context.say("Runs are kept for", de: "Läufe werden behalten für"),
          retention["age"]?.doubleNumber == nil ? never : seconds(retention["age"], context)
        ),
        (
          context.say("at most", de: "höchstens"),
          retention["runs"]?.doubleNumber == nil ? never : number(retention["runs"], context)
        ),
        (
          context.say("Circuit breaker opens after failures", de: "Schutzschalter öffnet nach Fehlschlägen"),
          number(breaker["failures"], context)
        ),
        (context.say("and stays open for", de: "und bleibt offen für"), seconds(breaker["open_seconds"], context)),
        (context.say("Pings after runs", de: "Meldung nach Läufen (Ping)"), yesNo(engine["ping"], context)),
      ])
      prices(engine, context)
    }
  }

  private func prices(_ engine: Value, _ context: PageContext) -> HTML {
    let prices = engine["prices"]?.mapValue?.entries ?? []
    guard !prices.isEmpty else { return .empty }
    return .group([
      tag(
        .h3,
        text: context.say("Prices of models for a million tokens", de: "Preise von Modellen für eine Million Tokens")),
      context.table(
        context.say("Prices of models", de: "Preise von Modellen"),
        [
          context.say("Model", de: "Modell"), context.say("Prompt", de: "Eingabe"),
          context.say("Answer", de: "Antwort"),
        ],
        prices.map { name, price in
          [
            tag(.code, text: name.text), .text(price["input"]?.doubleNumber.map(context.money) ?? "–"),
            .text(price["output"]?.doubleNumber.map(context.money) ?? "–"),
          ]
        }),
    ])
  }

  private func folderBlock(_ context: PageContext) -> HTML {
    context.section(context.say("Folders and hosts", de: "Ordner und Hosts")) {
      list([
        (context.say("Recipes", de: "Rezepte"), texts(settings["recipe_folders"]).joined(separator: ", ")),
        (
          context.say("Files of recipes", de: "Dateien von Rezepten"),
          texts(settings["file_folders"]).joined(separator: ", ")
        ),
        (context.say("Plugins", de: "Plugins"), texts(settings["plugin_folders"]).joined(separator: ", ")),
        (
          context.say("Indexes of plugins", de: "Verzeichnisse von Plugins"),
          texts(settings["plugin_indexes"]).joined(separator: ", ")
        ),
        (
          context.say("Hosts that recipes may ask", de: "Hosts, die Rezepte fragen dürfen"),
          texts(settings["http_hosts"]).joined(separator: ", ")
        ),
      ])
    }
  }

  private func providerBlock(_ context: PageContext) -> HTML {
    let defaults = settings["defaults"]?.mapValue?.entries ?? []
    guard !defaults.isEmpty || !texts(settings["accounts"]).isEmpty else { return .empty }
    return context.section(
      context.say("Defaults", de: "Vorgaben"),
      aside: context.may(.read, .providers)
        ? tag(.a, .href("/providers"), text: context.say("Providers", de: "Provider")) : .empty
    ) {
      list(
        defaults.map { ($0.key.text, texts($0.value).joined(separator: ", ")) }
          + (texts(settings["accounts"]).isEmpty
            ? [] : [(context.say("Accounts", de: "Konten"), texts(settings["accounts"]).joined(separator: ", "))]))
    }
  }

  private func trustBlock(_ context: PageContext) -> HTML {
    let items = trust["items"]?.listValue ?? []
    guard !items.isEmpty else { return .empty }
    return context.section(context.say("Rights of this folder", de: "Rechte dieses Ordners")) {
      tag(.ul, .class("list small")) {
        for item in items {
          let isAllowed = item["allowed"]?.boolValue ?? false
          tag(.li) {
            tag(.span, text: item.text("text"))
            tag(
              .span, .class(isAllowed ? "good" : "reason"),
              text: isAllowed ? context.say("allowed", de: "erlaubt") : context.say("not allowed", de: "nicht erlaubt"))
          }
        }
      }
      tag(
        .p, .class("help"),
        text: context.say("'sous trust' allows it on this machine.", de: "'sous trust' erlaubt es auf diesem Rechner."))
    }
  }

  private func secretBlock(_ context: PageContext) -> HTML {
    guard !secrets.isEmpty else { return .empty }
    return context.section(context.say("Secrets", de: "Geheimnisse")) {
      context.table(
        context.say("Secrets", de: "Geheimnisse"),
        [
          context.say("Name", de: "Name"), context.say("Place", de: "Ort"), context.say("State", de: "Zustand"),
          context.say("Used by", de: "Verwendet von"),
        ],
        secrets.map { secret in
          [
            tag(.code, .class("strong"), text: secret.text("name")), .text(place(secret, context)),
            found(secret, context),
            .text(UsersPage.joined(secret["uses"])),
          ]
        })
      tag(
        .p, .class("help"),
        text: context.say(
          "'sous secrets set NAME' stores one in the vault. Values are never shown.",
          de: "'sous secrets set NAME' legt eines in den Tresor. Werte werden nie gezeigt."))
    }
  }

  private func place(_ secret: Value, _ context: PageContext) -> String {
    let words = [secret.text("source"), secret.text("place")].filter { !$0.isEmpty }
    return words.isEmpty ? "–" : words.joined(separator: ": ")
  }

  private func found(_ secret: Value, _ context: PageContext) -> HTML {
    switch secret["found"]?.boolValue {
    case true?: tag(.span, .class("good"), text: context.say("found", de: "gefunden"))
    case false?: tag(.span, .class("reason"), text: context.say("missing", de: "fehlt"))
    case nil: .text(context.say("known when asked", de: "zeigt sich beim Fragen"))
    }
  }

  // MARK: - Values of recipes

  private func keptBlock(_ context: PageContext) -> HTML {
    guard !kept.isEmpty else { return .empty }
    return context.section(context.say("Values that recipes keep", de: "Werte, die Rezepte behalten")) {
      context.table(
        context.say("Values that recipes keep", de: "Werte, die Rezepte behalten"),
        [
          context.say("Recipe", de: "Rezept"), context.say("Key", de: "Schlüssel"), context.say("Value", de: "Wert"),
          "",
        ],
        kept.prefix(200).map { entry in
          let (recipe, key) = (entry.text("recipe"), entry.text("key"))
          return [
            tag(.strong, text: recipe), tag(.code, text: key),
            tag(.code, .class("cut"), text: String((entry["value"] ?? .null).jsonString.prefix(120))),
            context.may(.delete, .runs)
              ? context.button(
                context.say("Delete", de: "Löschen"),
                "DELETE /state/\(PageAddress.escaped(recipe))/\(PageAddress.escaped(key))",
                confirm: context.say("Delete '\(key)' of \(recipe)?", de: "'\(key)' von \(recipe) löschen?"),
                style: "small danger",
                label: context.say("Delete \(key) of \(recipe)", de: "\(key) von \(recipe) löschen")) : .empty,
          ]
        })
    }
  }
}
