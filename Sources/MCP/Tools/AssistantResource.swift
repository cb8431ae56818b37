import Expressions
import Foundation

/// A resource: a recipe, a run or the log of a run.
enum AssistantResource: Sendable, Hashable {
  /// The text of a recipe.
  case recipe(String)
  /// A run with its steps.
  case run(String)
  /// The lines of a run's log.
  case log(String)

  private static let start = "sous://"

  /// Reads a URI; `nil` for other ones.
  init?(uri: String) {
    guard uri.hasPrefix(Self.start), uri.utf8.count <= 2000 else { return nil }
    let parts = uri.dropFirst(Self.start.count).split(separator: "/", omittingEmptySubsequences: false)
    let names = parts.compactMap { $0.removingPercentEncoding }
    guard names.count == parts.count, names.count >= 2, !names[1].isEmpty else { return nil }
    switch (names[0], names.count) {
    case ("recipes", 2): self = .recipe(names[1])
    case ("runs", 2): self = .run(names[1])
    case ("runs", 3) where names[2] == "log": self = .log(names[1])
    default: return nil
    }
  }

  /// The URI.
  var uri: String {
    switch self {
    case .recipe(let name): Self.start + "recipes/" + Self.escaped(name)
    case .run(let run): Self.start + "runs/" + Self.escaped(run)
    case .log(let run): Self.start + "runs/" + Self.escaped(run) + "/log"
    }
  }

  /// The media type.
  var type: String {
    switch self {
    case .recipe: "application/yaml"
    case .run: "application/json"
    case .log: "text/plain"
    }
  }

  /// The operation that reads it.
  var operation: String {
    switch self {
    case .recipe: "readRecipe"
    case .run: "showRun"
    case .log: "listLogs"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-_.~"))) ?? text
  }
}
