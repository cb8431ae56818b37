import Localization
import Plans
import Synchronization

/// Providers without plugins, which remember what was asked of them.
final class FakeProviders: ProviderLookup {
  let names: [String]
  private let descriptions: [String: ProviderDescription]
  private let embedded: [String: String]
  private let installed: [String: InstalledPluginOffer]
  private let log = Mutex<[String]>([])
  /// Who works elsewhere, and what models cost.
  private let remote: Set<String>
  private let neutral: Set<String>
  private let prices: [String: Double]

  init(
    _ descriptions: [ProviderDescription] = [], broken: [String] = [], embedded: [String: String] = [:],
    installed: [String: InstalledPluginOffer] = [:], remote: Set<String> = [], neutral: Set<String> = [],
    prices: [String: Double] = [:]
  ) {
    self.remote = remote
    self.neutral = neutral
    self.prices = prices
    names = descriptions.map(\.name) + broken
    self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { $1 }
    self.embedded = embedded
    self.installed = installed
  }

  /// The providers whose plugins were looked at, in order.
  var asked: [String] { log.withLock { $0 } }

  func pluginID(of name: String) -> String? { descriptions[name]?.plugin }

  func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    log.withLock { $0.append(name) }
    if let description = descriptions[name] { return description }
    if embedded.values.contains(name) {
      return ProviderDescription(
        name: name, plugin: name, contracts: embedded.filter { $0.value == name }.map(\.key))
    }
    throw ProviderProblem(
      ProviderProblem.Code(rawValue: "plugin_missing"), LocalizedText(verbatim: "no plugin for '\(name)'"),
      provider: name)
  }

  func installedPlugin(_ id: String) -> InstalledPluginOffer? { installed[id] }

  func embeddedDefault(for contract: String) -> String? { embedded[contract] }

  func remoteness(of name: String) -> LocalizedText? {
    remote.contains(name) ? LocalizedText(verbatim: "far away") : nil
  }

  func neutralises(_ name: String) -> Bool { neutral.contains(name) }

  func price(of route: ProviderRoute) -> Double? { prices[route.text] }

  /// A mailbox, a relay and two models.
  static func standard() -> FakeProviders {
    FakeProviders(
      [
        ProviderDescription(name: "home", plugin: "maildir", contracts: ["mail.store", "mail.transport"]),
        ProviderDescription(name: "local", plugin: "ollama", contracts: ["chat"]),
        ProviderDescription(name: "gpt", plugin: "openai", contracts: ["chat"]),
      ])
  }

  static let standardDefaults = ["mail.store": ["home"], "mail.transport": ["home"], "chat": ["local"]]
}
