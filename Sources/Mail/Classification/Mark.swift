/// Something that makes a message worth a look, whatever its category; a message has any number of them.
public struct Mark: Sendable, Hashable {
  /// The reason why the message is worth a look.
  public enum Kind: String, Sendable, CaseIterable {
    /// From a sender who is important to the owner.
    case vip
    /// From a sender whom the owner has blocked.
    case blocked
    /// About money.
    case money
    /// Something is due on a day.
    case deadline
    /// A person waits for an answer.
    case needsReply = "needs_reply"
    /// About signing in, passwords and codes.
    case security
  }

  /// The reason why the message is worth a look.
  public var kind: Kind
  /// The sign that was found.
  public var reason: Classification.Reason
  /// The match, on one line of at most 120 characters: an amount, the words before a day, a question.
  public var detail: String?
  /// The amount, where the mark is about one.
  public var amount: MoneyAmount?
  /// The day, as `2026-11-30`, where the mark is about one.
  public var day: String?

  init(
    _ kind: Kind, _ reason: Classification.Reason, detail: String? = nil, amount: MoneyAmount? = nil, day: String? = nil
  ) {
    self.kind = kind
    self.reason = reason
    self.detail = detail.map { String($0.prefix(120)) }
    self.amount = amount
    self.day = day
  }
}

extension Classifier {
  /// Looks for what a message asks of its owner: a pure function of the message, the rules and the owner.
  ///
  /// Texts are read up to 50 000 characters, without quoted lines and signature.
  ///
  /// - Parameters:
  ///   - message: The whole message.
  ///   - classification: What ``classify(_:isOwnThread:)`` said of it.
  /// - Returns: At most one mark of each kind but ``Mark/Kind/money``, of which there may be ten.
  public func marks(of message: Message, classification: Classification) -> [Mark] {
    var marks: [Mark] = []
    let registry = DomainRegistry.standard
    let senders = message.from + (message.sender.map { [$0] } ?? [])
    if senders.contains(where: { registry.list(rules.vipSenders, holds: $0) }) { marks.append(Mark(.vip, .vipSender)) }
    if senders.contains(where: { registry.list(rules.blockedSenders, holds: $0) }) {
      marks.append(Mark(.blocked, .blockedSender))
    }
    if classification.category == .spam { return marks }
    let text = MarkedText(message)
    let isOwn = classification.reasons.contains(.ownMessage)
    let isForMany = classification.category == .newsletter
    if let mark = security(classification, text) { marks.append(mark) }
    if !isForMany { marks += money(classification, text) }
    if !isForMany, let found = text.deadline(rules: rules) {
      marks.append(Mark(.deadline, .deadlinePhrase, detail: found.words, day: found.day))
    }
    if !isOwn, let mark = request(message, classification, text) { marks.append(mark) }
    return marks
  }

  private func security(_ classification: Classification, _ text: MarkedText) -> Mark? {
    if classification.category == .security { return Mark(.security, .securitySubject) }
    if let phrase = rules.securityPhrases.first(where: text.subject.contains), !classification.isBulk {
      return Mark(.security, .securitySubject, detail: phrase)
    }
    guard !classification.isHuman, !classification.isBulk || classification.isAutomatic,
      let phrase = rules.securityTexts.first(where: text.lowercased.contains)
    else { return nil }
    return Mark(.security, .securityText, detail: phrase)
  }

  private func money(_ classification: Classification, _ text: MarkedText) -> [Mark] {
    let isInvoice = classification.category == .invoice
    let amounts = text.amounts()
    guard isInvoice || !amounts.isEmpty && text.hasWord(startingWith: rules.moneyWords) else { return [] }
    if amounts.isEmpty { return [Mark(.money, .invoice)] }
    return amounts.prefix(10).map { Mark(.money, isInvoice ? .invoice : .amount, detail: $0.words, amount: $0.amount) }
  }

  private func request(_ message: Message, _ classification: Classification, _ text: MarkedText) -> Mark? {
    if classification.category == .calendar, let calendar = message.calendar, calendar.method == "REQUEST" {
      let attendees = calendar.events.flatMap(\.attendees)
      let isWanted = attendees.contains { attendee in
        attendee.isAnswerWanted && (owners.isEmpty || owners.contains(attendee.address.comparable))
      }
      return isWanted ? Mark(.needsReply, .invitation) : nil
    }
    guard classification.category == .people || classification.category == .invoice && classification.isHuman else {
      return nil
    }
    // Who only gets a copy is not the one who is asked.
    let isCopy =
      !owners.isEmpty && !message.to.contains { owners.contains($0.comparable) }
      && message.cc.contains { owners.contains($0.comparable) }
    if isCopy { return nil }
    if let phrase = rules.requestPhrases.first(where: { text.lowercased.contains($0) || text.subject.contains($0) }) {
      return Mark(.needsReply, .requestPhrase, detail: phrase)
    }
    return text.question.map { Mark(.needsReply, .question, detail: $0) }
  }
}
