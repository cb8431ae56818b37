/// Something that happens in a mailbox.
public struct MailEvent: Sendable, Hashable {
  /// What happens.
  public enum Kind: String, Sendable, CaseIterable {
    /// A message arrives.
    case new
  }

  /// What happens.
  public var kind: Kind
  /// The provider whose mailbox it is; `nil` means the default for `mail.store`.
  public var provider: String?
  /// The folder.
  public var folder: String = "INBOX"

  package init(kind: Kind, provider: String? = nil, folder: String = "INBOX") {
    self.kind = kind
    self.provider = provider
    self.folder = folder
  }
}

/// A file comes or changes.
public struct FileEvent: Sendable, Hashable {
  /// The folder, resolved from the recipe's.
  public var folder: String
  /// Which names count: `*` and `?` stand for any.
  public var match: String
  /// Seconds for which a file has to stay as it is before it counts.
  public var settle = 1.0

  package init(folder: String, match: String, settle: Double = 1.0) {
    self.folder = folder
    self.match = match
    self.settle = settle
  }

  /// Whether a file's name counts. Hidden ones do only where the pattern begins with a point.
  public func matches(_ name: String) -> Bool {
    if name.hasPrefix("."), !match.hasPrefix(".") { return false }
    return NamePattern.matches(name, match)
  }
}

/// Names with `*` for any characters and `?` for one.
package enum NamePattern {
  /// Whether a text is a pattern and not a plain name.
  package static func isPattern(_ text: String) -> Bool { text.contains { $0 == "*" || $0 == "?" } }

  /// Whether a name fits a pattern. The time grows with the product of both lengths.
  package static func matches(_ name: String, _ pattern: String) -> Bool {
    matches(Array(name.unicodeScalars), Array(pattern.unicodeScalars))
  }

  private static func matches(_ name: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var (at, from) = (0, 0)
    var star: (pattern: Int, name: Int)?
    while at < name.count {
      if from < pattern.count, pattern[from] == "*" {
        star = (from, at)
        from += 1
      } else if from < pattern.count, pattern[from] == "?" || pattern[from] == name[at] {
        (at, from) = (at + 1, from + 1)
      } else if let last = star {
        star = (last.pattern, last.name + 1)
        (from, at) = (last.pattern + 1, last.name + 1)
      } else {
        return false
      }
    }
    return pattern[from...].allSatisfy { $0 == "*" }
  }
}

/// A request of another program to the daemon.
public struct Webhook: Sendable, Hashable {
  /// How a request shows that it comes from who it should.
  public enum Signature: String, Sendable, CaseIterable {
    /// It has the secret in `Authorization: Bearer`.
    case bearer
    /// `X-Hub-Signature-256: sha256=…` over the body, as GitHub, Gitea and others send it.
    case github
    /// `webhook-id`, `webhook-timestamp` and `webhook-signature` as by standardwebhooks.com.
    case standard
  }

  /// The bytes of a body, at most, where a recipe does not say.
  public static let usualLimit = 1 << 20

  /// The name in `/hooks/NAME`.
  public var name: String
  /// The name of the secret.
  public var secret: String
  /// How the secret is used.
  public var signature = Signature.bearer
  /// The bytes of a body, at most.
  public var limit = Self.usualLimit

  package init(name: String, secret: String, signature: Signature = Signature.bearer, limit: Int = Self.usualLimit) {
    self.name = name
    self.secret = secret
    self.signature = signature
    self.limit = limit
  }
}

/// A run of another recipe ends.
public struct RecipeEnd: Sendable, Hashable {
  /// How a run has to end.
  public enum Ending: String, Sendable, CaseIterable {
    /// It succeeded.
    case succeeded
    /// It failed.
    case failed
    /// It stopped because a person has to decide: the outcome of a step is unknown.
    case needsAttention = "needs_attention"
    /// It succeeded, failed, was cancelled or skipped.
    case any
  }

  /// The statuses that `failed: true` means.
  package static let failures: Set<Ending> = [.failed, .needsAttention]

  /// The other recipe's name, or a pattern with `*` and `?`. A pattern never means the recipe that has the trigger.
  public var recipe: String
  /// How its run has to end.
  public var ended: Set<Ending> = [.succeeded]

  package init(recipe: String, ended: Set<Ending> = [.succeeded]) {
    self.recipe = recipe
    self.ended = ended
  }

  /// Whether `recipe` is a pattern.
  package var isPattern: Bool { NamePattern.isPattern(recipe) }

  /// The endings as words, always in the same order: `failed,needs_attention`.
  package var endings: String { ended.map(\.rawValue).sorted().joined(separator: ",") }
}

/// An event of a plugin.
public struct PluginEvent: Sendable, Hashable {
  /// The trigger as the plugin names it: `weather.changed`.
  public var trigger: String
  /// The provider; `nil` means the only one whose plugin has the trigger.
  public var provider: String?
  /// What to listen for, as JSON.
  public var settings = "{}"

  package init(trigger: String, provider: String? = nil, settings: String = "{}") {
    self.trigger = trigger
    self.provider = provider
    self.settings = settings
  }
}
