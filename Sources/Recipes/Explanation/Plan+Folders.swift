import Expressions

/// A folder of a mailbox.
public struct MailFolder: Sendable, Hashable {
  /// The provider of the mailbox.
  public var provider: String
  /// The folder's canonical name.
  public var name: String

  /// Creates a folder.
  public init(provider: String, name: String) {
    self.provider = provider
    self.name = Self.canonicalName(name)
  }

  /// The one spelling of a folder's name: `INBOX` has any case (RFC 9051, section 5.1), all other names are exact.
  public static func canonicalName(_ name: String) -> String { name.uppercased() == "INBOX" ? "INBOX" : name }
}

extension Plan {
  /// The folders whose messages a mail filter sorts, without those whose name is an expression.
  public var sortedFolders: [MailFolder] {
    steps.compactMap { step in
      guard step.selection != nil, let provider = step.providers.first, let name = step.literal("folder") else {
        return nil
      }
      return MailFolder(provider: provider, name: name)
    }
  }

  /// The folders that a mail filter moves messages to, without those whose name is an expression.
  public var moveTargets: [MailFolder] {
    steps.compactMap { step in
      guard kind == RecipeKind.mailFilter.rawValue, step.action.name == "mail.move",
        let provider = step.providers.first,
        let name = step.literal("to")
      else { return nil }
      return MailFolder(provider: provider, name: name)
    }
  }
}

extension PlanStep {
  /// A text of the input without expressions; `nil` for any other value.
  fileprivate func literal(_ name: String) -> String? {
    guard case .literal(let value)? = input.entry(name) else { return nil }
    return value.stringValue
  }
}

extension Plan.Concurrency {
  /// `{group, policy}`, and `order` for a mail filter.
  var explanation: Value {
    var fields: ValueMap = ["group": group.source, "policy": .string(policy.rawValue)]
    if let order { fields["order"] = .int(Int64(order)) }
    return .map(fields)
  }
}
