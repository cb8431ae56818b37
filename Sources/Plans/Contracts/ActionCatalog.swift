/// The actions that recipes can name, as a recipe is checked against them.
///
/// The composition root fills it from the built-in actions, the published contracts and the manifests of the plugins
/// that the configuration names.
public struct ActionCatalog: Sendable {
  /// Signatures that were given, by name.
  private var given: [String: ActionSignature]
  /// Contracts whose documents are read when one of their actions is asked for.
  private var contracts: [BundledContract]
  /// Makes the signature of a built-in action when it is asked for; with `nil` those of all.
  private var builtins: @Sendable (String?) -> [ActionSignature] = { _ in [] }

  /// Creates a catalog; of equal names the last counts, and a given signature counts more than a contract's. The actions
  /// with which a step waits are always there, since the engine has them.
  ///
  /// - Parameters:
  ///   - signatures: The signatures of built-in and further actions.
  ///   - contracts: The contracts whose actions recipes may name.
  public init(_ signatures: [ActionSignature] = [], contracts: [BundledContract] = []) {
    given = Dictionary((ActionSignature.waitSignatures + signatures).map { ($0.name, $0) }) { _, last in last }
    self.contracts = contracts
  }

  /// Creates a catalog whose built-in actions are looked at when they are asked for.
  ///
  /// - Parameters:
  ///   - contracts: The contracts whose actions recipes may name.
  ///   - builtins: Gives the signature of the built-in action of a name, or none; with `nil` those of all.
  public init(contracts: [BundledContract], builtins: @escaping @Sendable (String?) -> [ActionSignature]) {
    self.init(contracts: contracts)
    self.builtins = builtins
  }

  /// All signatures by action name: `CONTRACT.ACTION`, `PLUGIN.ACTION` or the bare name of a built-in action.
  public var signatures: [String: ActionSignature] {
    var all: [String: ActionSignature] = [:]
    for contract in contracts {
      for signature in contract.signatures { all[signature.name] = signature }
    }
    for signature in builtins(nil) { all[signature.name] = signature }
    return all.merging(given) { $1 }
  }

  /// The names of the contracts.
  public var contractNames: [String] { contracts.map(\.name) }

  /// The signature of an action.
  public subscript(name: String) -> ActionSignature? {
    if let signature = given[name] ?? builtins(name).first { return signature }
    return contracts(thatMayHave: name).lazy.flatMap(\.signatures).first { $0.name == name }
  }

  /// Why a contract that may have an action cannot be read; `nil` in a sound build of Sous.
  package func problem(of action: String) -> ContractProblem? {
    contracts(thatMayHave: action).lazy.compactMap(\.problem).first
  }

  /// The contracts that may have an action: their names begin with its first word (mail.search: mail.store, note.save:
  /// notes), so the others need not be read.
  private func contracts(thatMayHave action: String) -> [BundledContract] {
    let word = action.prefix { $0 != "." }
    return contracts.filter { $0.name.hasPrefix(word) }
  }

  /// Adds signatures; of equal names the last counts.
  public mutating func insert(_ added: [ActionSignature]) {
    for signature in added { given[signature.name] = signature }
  }
}
