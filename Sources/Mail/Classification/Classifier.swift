/// Sorts messages by what their headers say; a pure function of the message, the rules and the owner.
///
/// People are human and not bulk; a message of a thread that the owner takes part in counts as people, too.
public struct Classifier: Sendable {
  /// The words and domains to go by.
  public var rules: ClassificationRules {
    get { tables.rules }
    set { tables = RuleTables(newValue) }
  }
  private var tables: RuleTables
  /// The addresses of the mailbox's owner, each as ``Address/comparable``.
  public var owners: Set<String>

  /// Creates a classifier.
  ///
  /// - Parameters:
  ///   - rules: The words and domains to go by.
  ///   - owners: The addresses of the mailbox's owner; messages from them count as written by people.
  public init(rules: ClassificationRules = ClassificationRules(), owners: some Sequence<String> = []) {
    tables = RuleTables(rules)
    self.owners = Set(owners.map { Address.comparable($0) })
  }

  /// Classifies a message.
  ///
  /// - Parameters:
  ///   - message: The message; a header without its body will do, except for attachments.
  ///   - isOwnThread: Whether the owner wrote something earlier in the thread, which only the mailbox knows.
  public func classify(_ message: Message, isOwnThread: Bool = false) -> Classification {
    var (evidence, isOwn, isHuman, isBulk) = examine(message)
    let isAutomatic = evidence.findAutomation()
    let special = evidence.findSpecialCategory(isAutomatic: isAutomatic || isBulk || !isHuman)
    if isOwnThread { evidence.reasons.append(.ownThread) }
    let category: Classification.Category
    if let special {
      category = special
    } else if isOwn || (isHuman && !isBulk && !isAutomatic) || (isOwnThread && !isAutomatic) {
      category = .people
    } else {
      category = evidence.impersonalCategory(isBulk: isBulk, isAutomatic: isAutomatic)
    }
    return Classification(
      category: category, isHuman: isHuman, isBulk: isBulk, isAutomatic: isAutomatic, reasons: evidence.reasons)
  }

  /// Checks only whether a person sent a message, and whether it went to many; faster than ``classify(_:isOwnThread:)``.
  ///
  /// - Parameter authors: The mailboxes of its `From`, if they are known.
  public func origin(of message: Message, from authors: [Address]? = nil) -> (isHuman: Bool, isBulk: Bool) {
    let (_, _, isHuman, isBulk) = examine(message, from: authors)
    return (isHuman, isBulk)
  }

  private func examine(
    _ message: Message, from authors: [Address]? = nil
  ) -> (Evidence, isOwn: Bool, isHuman: Bool, isBulk: Bool) {
    let authors = authors ?? message.from
    var evidence = Evidence(message: message, authors: authors, tables: tables)
    let isOwn = !owners.isEmpty && authors.contains { owners.contains($0.comparable) }
    let isHuman = evidence.findSender(isOwn: isOwn)
    let isBulk = evidence.findBulk() && !isOwn
    return (evidence, isOwn, isHuman, isBulk)
  }
}
