import Access
import Foundation
import Page

/// A page and who may see it.
struct PageRoute: Sendable {
  /// The path, with parameters in braces.
  let path: String
  /// Who may see it.
  let right: Route.Right
  /// Reads the page.
  let load: @Sendable (PageRequest) async throws -> any PageView

  init(_ path: String, _ right: Route.Right, load: @escaping @Sendable (PageRequest) async throws -> any PageView) {
    (self.path, self.right, self.load) = (path, right, load)
  }

  /// The pages.
  static let all: [PageRoute] =
    RunPages.all + RecipePages.all + SchedulePages.all + AccessPages.all
    + ContentPages.all + operatorPages

  private static let operatorPages: [PageRoute] = FilterPages.all + UsagePages.all + ProviderPages.all

  /// The parameters of a path; `nil` if it is not that of this page.
  func parameters(of path: String) -> [String: String]? {
    let own = self.path.split(separator: "/")
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard path.hasPrefix("/"), path == "/" ? own.isEmpty : parts.count == own.count else { return nil }
    var found: [String: String] = [:]
    for (name, part) in zip(own, parts) where path != "/" {
      if name.hasPrefix("{") {
        guard let text = part.removingPercentEncoding, !text.isEmpty else { return nil }
        found[String(name.dropFirst().dropLast())] = text
      } else if name != part {
        return nil
      }
    }
    return found
  }
}
