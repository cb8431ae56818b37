import PluginKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// When a step first asked the server to keep a page: a bookmark of the same page that was there before is not its.
struct CreationNote {
  /// What clocks may differ by, in seconds.
  private static let tolerance = 60.0

  private let context: ActionContext
  /// `nil` where the host keeps nothing.
  private let key: String?

  init(_ context: ActionContext) {
    self.context = context
    let isKept =
      context.plugin.offers("sous.state/1") && !context.key.isEmpty && context.key.utf8.count <= 400
    key = isKept ? "create.\(context.key)" : nil
  }

  /// Notes the time, unless an earlier attempt of the step has; on disk when it returns.
  func begin() async throws(ActionError) {
    guard let key, try await time == nil else { return }
    try await context.state.set(["at": context.clock.now.timeIntervalSince1970], for: key)
  }

  /// Forgets the time: the answer is there.
  func end() async {
    guard let key else { return }
    // What stays is some bytes that nobody asks for.
    try? await context.state.remove(key)
  }

  private var time: Double? {
    get async throws(ActionError) {
      guard let key else { return nil }
      return try await context.state.value([String: Double].self, for: key)?["at"]
    }
  }

  /// The bookmark of a page among some that the server lists, which has been made since; `nil` where there is none, or
  /// nobody knows since when.
  ///
  /// The server puts the URL that redirects lead to in the place of the one that it was given: one may be there and not be
  /// found.
  func bookmark(of url: String, in bookmarks: [JSONValue]) async throws(ActionError) -> String? {
    guard let time = try await time else { return nil }
    let found = bookmarks.first { bookmark in
      guard bookmark["url"]?.string == url, let created = bookmark["created"]?.string.flatMap(Self.seconds) else {
        return false
      }
      return created >= time - Self.tolerance
    }
    return found?["id"]?.string
  }

  /// The seconds since 1970 of a time like `2026-11-23T05:00:00.123456789Z`.
  private static func seconds(_ text: String) -> Double? {
    var whole = text
    if let point = text.firstIndex(of: ".") {
      let rest = text[point...].dropFirst().drop { $0.isASCII && $0.isNumber }
      whole = String(text[..<point]) + rest
    }
    return try? Date(whole, strategy: Date.ISO8601FormatStyle()).timeIntervalSince1970
  }
}
