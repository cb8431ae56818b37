import Access
package import Expressions

/// The configured providers: whether they are ready, their circuit breakers, and a button that tries them.
package struct ProvidersPage: PageView {
  private let providers: [Value]

  /// Creates the page from the answer of the API.
  package init(_ page: Value) { providers = page.items }

  package func title(_ context: PageContext) -> String { context.say("Providers", de: "Provider") }

  package func contents(_ context: PageContext) -> HTML {
    if providers.isEmpty {
      return context.empty(
        context.say(
          "No provider is configured. 'providers' in sous.yaml lists them.",
          de: "Kein Provider ist eingerichtet. 'providers' in sous.yaml zählt sie auf."))
    }
    return tag(.ul, .class("cards-list")) { for provider in providers { card(provider, context) } }
  }

  private func card(_ provider: Value, _ context: PageContext) -> HTML {
    let name = provider.text("name")
    let path = "/providers/" + PageAddress.escaped(name)
    return tag(.li, .class("card")) {
      tag(.div, .class("heading")) {
        tag(.h2) { tag(.a, .href(path), text: name) }
        ProviderState(provider, context).html
      }
      ProviderState(provider, context).reasons
      tag(.p, .class("faint"), text: Self.facts(provider, context).joined(separator: " · "))
      if context.may(.update, .providers) { Self.test(name, context) }
    }
  }

  /// The plugin, contracts, model and place of a provider in words.
  static func facts(_ provider: Value, _ context: PageContext) -> [String] {
    var facts: [String] = []
    if let plugin = provider["plugin"]?.stringValue {
      facts.append(context.say("plugin \(plugin)", de: "Plugin \(plugin)"))
    }
    let contracts = (provider["contracts"]?.listValue ?? []).compactMap(\.stringValue)
    if !contracts.isEmpty { facts.append(contracts.joined(separator: ", ")) }
    if let model = provider["model"]?.stringValue { facts.append(context.say("model \(model)", de: "Modell \(model)")) }
    if provider["local"]?.boolValue ?? false {
      facts.append(context.say("on this machine or in its network", de: "auf diesem Rechner oder in seinem Netz"))
    }
    let first = (provider["default_for"]?.listValue ?? []).compactMap(\.stringValue)
    if !first.isEmpty {
      facts.append(
        context.say("default for \(first.joined(separator: ", "))", de: "Vorgabe für \(first.joined(separator: ", "))"))
    }
    return facts
  }

  /// The button that tries a provider, with a place for the outcome.
  static func test(_ name: String, _ context: PageContext) -> HTML {
    context.form("POST /providers/\(PageAddress.escaped(name))/test", then: "outcome problem", class: "inline-form") {
      tag(
        .button, .class("small"), .with(.type, "submit"),
        .aria("label", context.say("Test \(name)", de: "\(name) testen")),
        text: context.say("Test", de: "Testen"))
      tag(
        .output, .class("outcome"), .data("result", ""),
        .data("good", context.say("It answers.", de: "Er antwortet.")))
    }
  }
}

/// The state of a provider in words.
struct ProviderState {
  private let provider: Value
  private let context: PageContext

  init(_ provider: Value, _ context: PageContext) { (self.provider, self.context) = (provider, context) }

  private var breaker: Value { provider["breaker"] ?? .null }

  /// Ready or not, as a mark with its colour.
  var html: HTML {
    if provider["problem"]?.stringValue != nil {
      return mark("failed", context.say("not usable", de: "nicht brauchbar"))
    }
    switch breaker.text("state") {
    case "open": return mark("waiting", context.say("not asked now", de: "wird zurzeit nicht gefragt"))
    case "half_open": return mark("waiting", context.say("tried again", de: "wird wieder versucht"))
    default: return mark("succeeded", context.say("ready", de: "bereit"))
    }
  }

  private func mark(_ status: String, _ word: String) -> HTML {
    tag(.span, .class("status " + status)) {
      tag(.span, .class("dot"), .aria("hidden", "true"))
      word
    }
  }

  /// The problem of the settings, and the state of the circuit breaker if it has counted failures.
  var reasons: HTML {
    var parts: [HTML] = []
    if let problem = provider["problem"]?.stringValue { parts.append(tag(.p, .class("reason"), text: problem)) }
    let failures = breaker.number("failures")
    guard failures > 0 || breaker.text("state") == "open" else { return .group(parts) }
    parts.append(
      tag(.p) {
        tag(.strong, text: context.say("Circuit breaker: ", de: "Schutzschalter: "))
        switch breaker.text("state") {
        case "open":
          context.say("open until ", de: "offen bis ")
          context.time(breaker["open_until"])
        case "half_open": context.say("the next call decides", de: "der nächste Aufruf entscheidet")
        default: context.say("closed", de: "geschlossen")
        }
        context.say(" · failures in a row: \(failures)", de: " · Fehlschläge hintereinander: \(failures)")
        if let last = breaker["last_failure"]?.stringValue {
          context.say(" · last failure: ", de: " · letzter Fehler: ")
          tag(.code, text: last)
        }
      })
    return .group(parts)
  }
}

/// One provider with its models.
package struct ProviderPage: PageView {
  /// The models of a provider.
  package enum Models: Sendable {
    /// It has none.
    case none
    /// The provider was not asked.
    case offered
    /// Its answer.
    case listed([Value])
    /// The reason why there is no answer.
    case failed(String)
  }

  private let provider: Value
  private let models: Models

  /// Creates the page from the answer of the API.
  package init(_ provider: Value, models: Models) { (self.provider, self.models) = (provider, models) }

  package func title(_ context: PageContext) -> String { provider.text("name") }

  package func actions(_ context: PageContext) -> HTML {
    tag(
      .a, .class("button quiet"), .href("/providers"), text: context.say("All providers", de: "Alle Provider"))
  }

  package func contents(_ context: PageContext) -> HTML {
    let plugin = provider["plugin"]?.stringValue
    return .group([
      tag(.div, .class("card")) {
        tag(.p) { ProviderState(provider, context).html }
        ProviderState(provider, context).reasons
        tag(.p, .class("faint"), text: ProvidersPage.facts(provider, context).joined(separator: " · "))
        if let plugin, context.may(.read, .plugins) {
          tag(.p) {
            tag(
              .a, .href("/plugins/" + PageAddress.escaped(plugin)),
              text: context.say("Rights of the plugin", de: "Rechte des Plugins"))
          }
        }
        if context.may(.update, .providers) { ProvidersPage.test(provider.text("name"), context) }
      }, modelBlock(context),
    ])
  }

  private func modelBlock(_ context: PageContext) -> HTML {
    let title = context.say("Models", de: "Modelle")
    switch models {
    case .none: return .empty
    case .offered:
      return context.section(title) {
        tag(.p) {
          tag(
            .a, .class("button"), .href("/providers/" + PageAddress.escaped(provider.text("name")) + "?models=yes"),
            text: context.say("Ask for the models", de: "Modelle erfragen"))
        }
      }
    case .failed(let problem):
      return context.section(title) { tag(.div, .class("failure")) { tag(.p, text: problem) } }
    case .listed(let models):
      return context.section(title) {
        if models.isEmpty {
          context.empty(context.say("The provider names no models.", de: "Der Provider nennt keine Modelle."))
        } else {
          tag(.ul, .class("list small")) {
            for model in models.prefix(500) {
              tag(.li) {
                tag(.code, text: model.text("id"))
                tag(.span, .class("faint"), text: model.text("owner"))
              }
            }
          }
        }
      }
    }
  }
}
