import PluginKit

/// A notification as `notify.send` gets it.
struct Notification: Decodable, Sendable {
  var title: String?
  var text: String
  var priority: String?
  var tags: [String]?
  var link: String?

  /// Bytes of a text that ntfy takes for a message; of a longer one it makes a file.
  static let longestText = 4096

  /// The message that ntfy gets, as https://docs.ntfy.sh/publish/#publish-as-json describes it.
  ///
  /// - Parameters:
  ///   - topic: Where it goes.
  ///   - sequence: What names it: a server from 2.16 on takes another message with the same name for the same one.
  ///   - icon: The URL of its picture.
  func message(to topic: String, sequence: String, icon: String?) -> JSONObject {
    var message: JSONObject = [
      "topic": .string(topic), "message": .string(shortText), "sequence_id": .string(sequence),
    ]
    if let title, !title.isEmpty { message["title"] = .string(title) }
    if let number = Self.priorities[priority ?? ""] { message["priority"] = .integer(number) }
    if let tags, !tags.isEmpty { message["tags"] = .array(tags.map { .string($0) }) }
    if let link, !link.isEmpty { message["click"] = .string(link) }
    if let icon { message["icon"] = .string(icon) }
    return message
  }

  /// The text, cut to what fits; an empty one would become "triggered".
  var shortText: String {
    if text.isEmpty { return title.flatMap { $0.isEmpty ? nil : $0 } ?? " " }
    guard text.utf8.count > Self.longestText else { return text }
    var kept = ""
    var bytes = "…".utf8.count
    for character in text {
      bytes += character.utf8.count
      if bytes > Self.longestText { break }
      kept.append(character)
    }
    return kept + "…"
  }

  private static let priorities: [String: Int64] = ["min": 1, "low": 2, "normal": 3, "high": 4, "urgent": 5]
}
