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

  /// The folders that filters sort which the recipe runs, directly or through others.
  var foldersSortedByOthers: [MailFolder] {
    steps.compactMap(\.child).flatMap { $0.sortedFolders + $0.foldersSortedByOthers }
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
  /// The folder that it puts messages into, as far as that is known before it runs.
  var storingFolder: MailFolder? {
    guard let provider = providers.first else { return nil }
    let name: String? =
      switch action.name {
      case "mail.append", "mail.import": literal("folder")
      case "mail.copy", "mail.move": literal("to")
      default: nil
      }
    return name.map { MailFolder(provider: provider, name: $0) }
  }

  /// A text of the input that holds no expression.
  fileprivate func literal(_ name: String) -> String? {
    guard case .literal(let value)? = input.entry(name) else { return nil }
    return value.stringValue
  }
}
