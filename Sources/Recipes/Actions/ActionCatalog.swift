/// The actions that recipes can name, as a recipe is checked against them.
///
/// The composition root fills it from the built-in actions, the published contracts and the manifests of the plugins
/// that the configuration names.
public struct ActionCatalog: Sendable {
  /// The signatures by action name: `CONTRACT.ACTION`, `PLUGIN.ACTION` or the bare name of a built-in action.
  public private(set) var signatures: [String: ActionSignature]

  /// Creates a catalog; of equal names the last counts.
  public init(_ signatures: [ActionSignature] = []) {
    self.signatures = Dictionary(signatures.map { ($0.name, $0) }) { _, last in last }
  }

  /// The signature of an action.
  public subscript(name: String) -> ActionSignature? { signatures[name] }

  /// Adds signatures; of equal names the last counts.
  public mutating func insert(_ added: [ActionSignature]) {
    for signature in added { signatures[signature.name] = signature }
  }
}
