public import Localization

/// Tells what configured providers offer. A plugin is looked at only when a step needs to know.
public protocol ProviderLookup: Sendable {
  /// The names of the configured providers, in the order of the configuration.
  var names: [String] { get }

  /// The id of a provider's plugin as the configuration names it, without looking at the plugin; `nil` where it names a
  /// file.
  func pluginID(of name: String) -> String?

  /// What a provider offers.
  ///
  /// - Throws: ``ProviderProblem`` where its plugin is missing or broken.
  func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription

  /// The provider that answers for a contract when nobody configured does; `nil` where Sous brings none.
  func embeddedDefault(for contract: String) -> String?

  /// What an installed plugin offers, whether a provider uses it or not; `nil` where there is none of that id.
  ///
  /// Asked for the sake of a message, when nothing else has an action.
  func installedPlugin(_ id: String) -> InstalledPluginOffer?

  /// Why a provider's work is not done on this machine or in the private network; `nil` where it is.
  func remoteness(of name: String) -> LocalizedText?

  /// Whether a provider gets neutral texts only.
  func neutralises(_ name: String) -> Bool

  /// What a million tokens of a model cost, input and output taken together; `nil` where that is not known.
  func price(of route: ProviderRoute) -> Double?
}

extension ProviderLookup {
  /// `nil`: everything is here.
  public func remoteness(of name: String) -> LocalizedText? { nil }

  /// No: texts go as they are.
  public func neutralises(_ name: String) -> Bool { false }

  /// Not known.
  public func price(of route: ProviderRoute) -> Double? { nil }

  /// None.
  public func installedPlugin(_ id: String) -> InstalledPluginOffer? { nil }
}

extension ProviderLookup {
  /// What is to be said of a list in which one provider gets neutral texts only, and another one outside gets the same texts
  /// as they are; `nil` for other lists.
  public func mixedPrivacy(of routes: [String]) -> LocalizedText? {
    let names = routes.map { ProviderRoute($0).provider }
    guard let neutral = names.first(where: neutralises),
      let open = names.first(where: { !neutralises($0) && remoteness(of: $0) != nil })
    else { return nil }
    return LocalizedText(
      "'\(neutral)' gets neutral texts only, but '\(open)' gets the same texts as they are where it answers instead; give it "
        + "'neutralise' too",
      de:
        "'\(neutral)' bekommt nur neutrale Texte, '\(open)' aber dieselben Texte im Klartext, wenn es an dessen Stelle "
        + "antwortet; auch dort 'neutralise' setzen")
  }
}

/// What an installed plugin offers, as far as messages speak of it.
public struct InstalledPluginOffer: Sendable, Hashable {
  /// The names of its actions.
  public var actions: [String]
  /// The names of its triggers.
  public var triggers: [String]

  /// Creates an offer.
  public init(actions: [String], triggers: [String] = []) {
    self.actions = actions
    self.triggers = triggers
  }
}

/// No provider at all.
public struct NoProviders: ProviderLookup {
  /// Creates the lookup.
  public init() {}

  /// None.
  public var names: [String] { [] }

  /// None.
  public func pluginID(of name: String) -> String? { nil }

  /// Always throws a problem with the code `provider_missing`.
  public func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    throw ProviderProblem.missing(name)
  }

  /// None.
  public func embeddedDefault(for contract: String) -> String? { nil }
}
