import PluginKit

/// One field of `PATCH /bookmarks/ID`, which is compared with the bookmark afterwards.
struct BookmarkChange {
  private let name: String
  private let value: JSONValue

  init(_ name: String, _ value: JSONValue) {
    self.name = name
    self.value = value
  }

  /// Whether a bookmark has the change.
  ///
  /// - Parameter result: The answer if the bookmark does not have the field.
  func isMade(in bookmark: JSONValue, ifAbsent result: Bool) -> Bool {
    switch name {
    case "labels", "add_labels", "remove_labels":
      guard let shown = bookmark["labels"]?.array else { return result }
      let (present, wanted) = (Self.labels(shown), Self.labels(value.array ?? []))
      return switch name {
      case "labels": present == wanted
      case "add_labels": present.isSuperset(of: wanted)
      default: present.isDisjoint(with: wanted)
      }
    case "title":
      guard let shown = bookmark[name]?.string, let wanted = value.string else { return result }
      // The server may replace an empty title by the title of the page.
      return Self.trimmed(wanted).isEmpty || Self.trimmed(shown) == Self.trimmed(wanted)
    default:
      guard let shown = bookmark[name], shown != .null else { return result }
      return shown == value
    }
  }

  private static func labels(_ list: [JSONValue]) -> Set<String> {
    Set(list.compactMap(\.string).map(trimmed).filter { !$0.isEmpty })
  }

  /// Without surrounding white space and with single spaces, as the server stores texts.
  private static func trimmed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
