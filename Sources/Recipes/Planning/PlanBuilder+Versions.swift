import Expressions
import Localization

extension PlanBuilder {
  /// Reports what of a step's input a provider does not know that carries out an earlier version of the contract.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - action: Its action, as the current version of the contract has it.
  ///   - providers: The providers it uses.
  ///   - shape: What is known of its input.
  func checkVersions(_ step: Recipe.Step, _ action: ActionSignature, _ providers: [String], _ shape: Value) {
    guard let contract = action.contract, !step.isInputBroken else { return }
    // Lazily: most steps have no provider of an earlier version.
    var known: [SchemaViolation]?
    for name in providers {
      guard let (plugin, older) = resolver.earlierVersion(of: contract, name),
        let signature = older.signatures.first(where: { $0.name == action.name })
      else { continue }
      let now = known ?? action.input.validate(shape: shape)
      known = now
      for violation in signature.input.validate(shape: shape) where !now.contains(violation) {
        reader.report(
          .unsuitableProvider,
          LocalizedText(
            "the provider '\(name)' (plugin \(plugin)) carries out '\(contract)' in version \(older.version), which does "
              + "not know '\(violation.pathText)'; leave it out, or look for a newer version of the plugin",
            de: "der Provider '\(name)' (Plugin \(plugin)) bietet '\(contract)' in Version \(older.version), die "
              + "'\(violation.pathText)' nicht kennt; weglassen oder nach einer neueren Version des Plugins sehen"),
          at: range(of: violation, step))
      }
    }
  }
}
