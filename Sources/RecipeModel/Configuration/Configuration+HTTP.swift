import Localization
import Plans
import RecipeSyntax

extension Configuration {
  /// Reads the map under `http`.
  mutating func readHTTP(_ node: Node, _ reader: FieldReader) {
    guard let map = reader.map(node, "http", RecipeDefinitions.http) else { return }
    http.hosts = map["hosts"].flatMap { reader.strings($0, "http.hosts") } ?? []
    http.trust = map["trust"].map { readTrust($0, reader) } ?? ConfiguredProvider.Trust()
    guard let node = map["credentials"], let elements = reader.list(node, "http.credentials") else { return }
    http.credentials = elements.enumerated().compactMap { index, element in
      Self.credential(element, "http.credentials[\(index)]", reader)
    }
  }

  private static func credential(
    _ node: Node, _ field: String, _ reader: FieldReader
  ) -> ConfiguredHTTP.Credential? {
    guard let map = reader.map(node, field, RecipeDefinitions.credential),
      let host = map["host"].flatMap({ reader.name($0, "\(field).host") })
    else { return nil }
    let given = ["bearer", "password", "value"].filter { map[$0] != nil }
    guard given.count == 1, let key = given.first, let secretNode = map[key] else {
      reader.report(
        .invalidValue,
        LocalizedText(
          "'\(field)' needs exactly one of bearer, password, value",
          de: "'\(field)' braucht genau eines von bearer, password, value"),
        at: node.range)
      return nil
    }
    let form: ConfiguredHTTP.Credential.Form
    switch key {
    case "password":
      guard let user = required("user", beside: key, map, field, node, reader) else { return nil }
      form = .basic(user: user)
    case "value":
      guard let header = required("header", beside: key, map, field, node, reader) else { return nil }
      form = .header(header)
    default: form = .bearer
    }
    guard let inner = reader.map(secretNode, "\(field).\(key)", RecipeDefinitions.secret)?["secret"],
      let secret = secret(inner, at: secretNode.range, reader)
    else { return nil }
    return ConfiguredHTTP.Credential(host: host, form: form, secret: secret)
  }

  /// A text that one key needs beside another.
  private static func required(
    _ key: String, beside other: String, _ map: Node.Mapping, _ field: String, _ node: Node, _ reader: FieldReader
  ) -> String? {
    guard let found = map[key] else {
      reader.report(
        .missingKey,
        LocalizedText(
          "'\(field)' needs '\(key)' beside '\(other)'", de: "'\(field)' braucht '\(key)' neben '\(other)'"),
        at: node.range)
      return nil
    }
    return reader.name(found, "\(field).\(key)")?.value
  }
}
