import Localization
import Plans
package import RecipeSyntax

extension FieldReader {
  /// Providers in their order: a name, `{ provider, model }`, or a list of those.
  package func routes(_ node: Node, _ field: String) -> [Located<String>]? {
    guard let elements = node.sequence else { return route(node, field).map { [$0] } }
    return elements.enumerated().compactMap { route($1, "\(field)[\($0)]") }
  }

  private func route(_ node: Node, _ field: String) -> Located<String>? {
    guard node.mapping != nil else {
      guard node.string != nil else {
        mismatch(
          node, field,
          wanted: LocalizedText(
            "a provider, { provider, model }, or a list of those",
            de: "ein Provider, { provider, model }, oder eine Liste davon"))
        return nil
      }
      return name(node, field)
    }
    guard let map = map(node, field, RecipeDefinitions.route),
      let provider = map["provider"].flatMap({ name($0, "\(field).provider") })
    else { return nil }
    let model = map["model"].flatMap { name($0, "\(field).model")?.value }
    return Located(ProviderRoute(provider: provider.value, model: model).text, at: provider.range)
  }
}

extension RecipeDefinitions {
  package static let route = MappingDefinition(
    .route, "A provider and one of its models.", de: "Ein Provider und eines seiner Modelle.",
    [
      KeyDefinition("provider", .name(.provider), "The provider.", de: "Der Provider.", isRequired: true),
      KeyDefinition(
        "model", .text, "The model, by the provider's name for it; default: the provider's own.",
        de: "Das Modell, wie der Provider es nennt; Vorgabe: das des Providers."),
    ])
}

extension ValueShape {
  /// Providers in the order in which they are asked.
  static let routes = ValueShape.any([
    .name(.provider), .mapping(.route), .list(.any([.name(.provider), .mapping(.route)])),
  ])
}
