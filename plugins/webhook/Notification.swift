import PluginKit

/// A notification as `notify.send` gets it.
struct Notification: Decodable, Sendable {
  var title: String?
  var text: String
  var priority: String?
  var tags: [String]?
  var link: String?

  /// What is sent where the configuration does not say otherwise.
  func body(key: String) -> JSONValue {
    [
      "key": .string(key), "title": .string(title ?? ""), "text": .string(text),
      "priority": .string(priority ?? "normal"), "tags": .array((tags ?? []).map { .string($0) }),
      "link": link.map { .string($0) } ?? .null,
    ]
  }

  /// A template with the notification filled in: `{title}` and the like in its texts.
  func filled(_ template: JSONValue, key: String) -> JSONValue {
    switch template {
    case .string(let text): .string(filled(text, key: key))
    case .array(let elements): .array(elements.map { filled($0, key: key) })
    case .object(let members): .object(members.mapValues { filled($0, key: key) })
    default: template
    }
  }

  /// In one pass, so that what the notification itself says is never taken for a place to fill.
  private func filled(_ template: String, key: String) -> String {
    let values = [
      "title": title ?? "", "text": text, "priority": priority ?? "normal",
      "tags": (tags ?? []).joined(separator: ", "), "link": link ?? "", "key": key,
    ]
    var result = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      rest = rest[open...]
      if let close = rest.firstIndex(of: "}"), let value = values[String(rest[rest.index(after: open)..<close])] {
        result += value
        rest = rest[rest.index(after: close)...]
      } else {
        result += "{"
        rest = rest.dropFirst()
      }
    }
    return result + rest
  }
}
