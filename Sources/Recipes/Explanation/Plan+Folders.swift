import Expressions

/// A folder of a mailbox.
public struct MailFolder: Sendable, Hashable {
  /// The provider that has the mailbox.
  public var provider: String
  /// The folder's name; `INBOX` in capital letters.
  public var name: String

  /// Creates a folder.
  public init(provider: String, name: String) {
    self.provider = provider
    self.name = name.uppercased() == "INBOX" ? "INBOX" : name
  }
}

extension Plan {
  /// The folders whose messages a mail filter sorts, as far as they are known before it runs.
  public var sortedFolders: [MailFolder] {
    steps.compactMap { step in
      guard step.selection != nil, let provider = step.providers.first, let name = step.literal("folder") else {
        return nil
      }
      return MailFolder(provider: provider, name: name)
    }
  }

  /// The folders that a mail filter moves messages to, as far as they are known before it runs.
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
  /// A text of the input that holds no expression.
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
