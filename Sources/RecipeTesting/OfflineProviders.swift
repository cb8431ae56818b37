import Expressions
import Localization
import Plans
import RecipePlanning
import RecipeSyntax
import Schemas

/// Providers for planning without any configuration: every name that a recipe uses is there and offers everything.
struct OfflineProviders: ProviderLookup {
  /// The contracts that actions belong to.
  let contracts: [String]
  /// The names that recipes use.
  var names: [String] = []
  /// Actions that belong to no contract and stand for those of plugins.
  var actions: Set<String> = []

  func pluginID(of name: String) -> String? { name }

  func describe(_ name: String) throws(ProviderProblem) -> ProviderDescription {
    ProviderDescription(name: name, plugin: name, contracts: contracts, actions: signatures)
  }

  private var signatures: [ActionSignature] {
    actions.sorted().map { action in
      ActionSignature(
        name: action, summary: LocalizedText(verbatim: action), effect: .idempotent, input: .anything,
        output: .anything)
    }
  }

  func embeddedDefault(for contract: String) -> String? { contract }

  /// Plans a recipe; each provider and plugin action it turns out to name is then there.
  static func planning(_ source: SourceText, with planner: Planner) -> Planning {
    let contracts = planner.catalog.contractNames
    var providers = OfflineProviders(contracts: contracts)
    var planner = planner
    planner.defaults = Dictionary(contracts.map { ($0, [$0]) }) { $1 }
    // Each round adds a name, and a recipe has few.
    for _ in 0..<100 {
      planner.providers = providers
      planner.catalog.insert(providers.signatures)
      let planning = planner.plan(source)
      guard providers.add(planning) else { return planning }
    }
    return planner.plan(source)
  }

  /// Adds what a planning did not find; false where there is nothing to add.
  private mutating func add(_ planning: Planning) -> Bool {
    var isNew = false
    for diagnostic in planning.diagnostics {
      guard let range = diagnostic.range, let bytes = planning.sources[diagnostic.path]?.bytes,
        range.start.offset >= 0, range.end.offset <= bytes.count, range.start.offset < range.end.offset
      else { continue }
      let written = String(decoding: bytes[range.start.offset..<range.end.offset], as: UTF8.self)
      let name = written.trimmingQuotes
      switch diagnostic.code {
      case .unknownProvider where !names.contains(name):
        names.append(name)
        isNew = true
      case .unknownAction where isPluginAction(name) && !actions.contains(name):
        actions.insert(name)
        if let dot = name.lastIndex(of: ".") {
          let plugin = String(name[..<dot])
          if !names.contains(plugin) { names.append(plugin) }
        }
        isNew = true
      default: break
      }
    }
    return isNew
  }

  /// Whether an action can be one of a plugin's own: its first word is none of a contract's.
  private func isPluginAction(_ name: String) -> Bool {
    guard let dot = name.firstIndex(of: ".") else { return false }
    let word = name[..<dot]
    return !contracts.contains { $0.prefix { $0 != "." } == word }
  }
}

extension String {
  fileprivate var trimmingQuotes: String {
    guard count >= 2, let first, first == last, first == "\"" || first == "'" else { return self }
    return String(dropFirst().dropLast())
  }
}
