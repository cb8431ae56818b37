package import Plans
package import RecipeSyntax

extension RoutingSettings {
  package static func read(_ map: Node.Mapping, _ reader: FieldReader) -> RoutingSettings {
    var settings = RoutingSettings()
    settings.locality = map["local"].flatMap { reader.choice($0, "local", of: Locality.self) }
    settings.preference = map["prefer"].flatMap { reader.choice($0, "prefer", of: Preference.self) }
    return settings
  }
}

extension RecipeDefinitions {
  static let localKey = KeyDefinition(
    "local", .words(of: RoutingSettings.Locality.self),
    "`required`: only providers on this machine or in the private network are asked.",
    de: "`required`: gefragt werden nur Provider auf dieser Maschine oder im privaten Netz.")
  static let preferKey = KeyDefinition(
    "prefer", .words(of: RoutingSettings.Preference.self),
    "Who of several providers is asked first; default: the first of the list.",
    de: "Wer von mehreren Providern zuerst gefragt wird; Vorgabe: der erste der Liste.")
}
