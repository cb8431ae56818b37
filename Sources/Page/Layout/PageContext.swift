package import Access
package import Localization
package import Schedules

/// The facts about a request that each page needs.
package struct PageContext: Sendable {
  /// The user; `nil` for a visitor.
  package let actor: Actor?
  /// The language of the page.
  package let language: Language
  /// The path of the page.
  package let path: String
  /// The token that changes of a browser session need; `nil` for callers without a session.
  package let csrfToken: String?
  /// The version of the program.
  package let version: String
  /// How many notifications are unread.
  package var unread = 0
  /// How many questions wait for a decision.
  package var questions = 0
  /// The zone of all times on the page, shown and typed ones.
  package var zone = Zone.current

  /// Creates the facts.
  package init(actor: Actor?, language: Language, path: String, csrfToken: String?, version: String) {
    (self.actor, self.language, self.path) = (actor, language, path)
    (self.csrfToken, self.version) = (csrfToken, version)
  }

  /// A text in the language of the page.
  func say(_ english: String, de german: String) -> String { language == .german ? german : english }

  /// Whether the user may do something with some objects of a kind.
  func may(_ verb: AccessVerb, _ object: AccessObject) -> Bool { actor?.mayAnywhere(verb, object) ?? false }
}

/// One page.
package protocol PageView: Sendable {
  /// The title.
  func title(_ context: PageContext) -> String
  /// The contents below the title.
  func contents(_ context: PageContext) -> HTML
  /// The scripts beyond that of all pages.
  var scripts: [String] { get }
  /// Whether the page has no navigation, as that of the sign-in.
  var isPlain: Bool { get }
  /// Whether changes need scripts.
  var needsScripts: Bool { get }
  /// Buttons beside the title.
  func actions(_ context: PageContext) -> HTML
}

extension PageView {
  package var scripts: [String] { [] }
  package var isPlain: Bool { false }
  package var needsScripts: Bool { true }
  package func actions(_ context: PageContext) -> HTML { .empty }
}
