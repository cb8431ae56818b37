public import Expressions

/// What a step `mail.select` decides by: the compiled rules of a mail filter, and how their messages are asked for.
///
/// The step asks a provider of `mail.store` page by page and evaluates the rules on each message by itself.
public struct MessageSelection: Sendable {
  /// What a rule does once with a message, over all runs: it goes out, or is copied.
  public struct Sending: Sendable {
    /// The action: `forward`.
    public var word: String
    /// The name of the list of its messages in the step's output.
    public var list: String
    /// What it is remembered by, beside the message.
    public var mark: String
    /// Whether all messages are dealt with at once: the list then has their uids instead of their fields.
    public var isBatch: Bool
    /// Whether it is for messages that earlier filters have moved to other folders: the list has their uids and folders.
    public var isElsewhere: Bool
    /// Whether the record of it is deleted once the message has left its folder.
    public var endsWithMessage: Bool { isBatch || isElsewhere || word == "run" }
    /// The folder that messages are copied to; `nil` for other actions, and if an expression makes its name.
    public var copyFolder: String? {
      // The mark is `copy/PROVIDER/FOLDER`.
      let parts = mark.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      guard isBatch, parts.count == 3, !parts[2].isEmpty, !parts[2].contains("{{") else { return nil }
      return String(parts[2])
    }

    /// Creates one.
    public init(word: String, list: String, mark: String, isBatch: Bool = false, isElsewhere: Bool = false) {
      (self.word, self.list, self.mark) = (word, list, mark)
      (self.isBatch, self.isElsewhere) = (isBatch, isElsewhere)
    }
  }

  /// One rule.
  public struct Rule: Sendable {
    /// Its name in the step's output, unique in the filter: the id of the step that has its messages.
    public var name: String
    /// What people call it; `nil` where it has only a name.
    public var title: String?
    /// Over `message` and what every step's condition sees; `nil` where the rule is for every message.
    public var condition: Expression?
    /// The operands where the condition is `a || b || …`: the first that holds is the reason; empty otherwise.
    public var alternatives: [Expression] = []
    /// What the rule does, in words of the recipe: `move Newsletters`.
    public var actions: [String] = []
    /// Whether later rules do not see its messages: it stops, moves or deletes.
    public var ends = false
    /// Whether it takes its messages out of the folder.
    public var takes = false
    /// Whether later rules may not take its messages out of the folder.
    public var keeps = false
    /// The fields of its messages that go into the step's output; `nil` for all, empty for no messages at all.
    public var carried: [String]? = []
    /// What is done once with a message, over all runs.
    public var sends: [Sending] = []
    /// The media types of the attachments that it saves, `image/*` among them, empty for all; `nil` where it saves none.
    public var saves: [String]?
    /// How it leaves the lists that its messages come from; `nil` where it does not.
    public var unsubscription: UnsubscriptionPolicy?
    /// How it answers its messages; `nil` where it does not.
    public var reply: AutomaticReply?

    /// Creates a rule.
    public init(name: String, title: String? = nil, condition: Expression? = nil) {
      self.name = name
      self.title = title
      self.condition = condition
    }
  }

  /// The most bytes of a query as JSON; a longer one is not sent.
  private static let longestQuery = 8000

  /// What the provider is asked for its messages with.
  public var search: ActionSignature
  /// The rules in their order.
  public var rules: [Rule]
  /// The fields of a message that are needed beside `uid` and `folder`; `nil` for all.
  public var fields: [String]?
  /// The header fields that rules look at.
  public var headers: [String]
  /// Whether the output says from whom messages are and what their subject is; only for what is not recorded.
  public var describes = false
  /// The version of the recipe's text, see ``Fingerprint/version(of:)``. After a change the filter judges messages again that an
  /// undo has put back.
  public var version = ""

  /// Creates a selection.
  public init(
    search: ActionSignature, rules: [Rule], fields: [String]? = nil, headers: [String] = []
  ) {
    self.search = search
    self.rules = rules
    self.fields = fields
    self.headers = headers
  }

  /// What a message must be for any rule to be for it, as a server can search by it; `nil` for every message.
  ///
  /// It may find more than the rules are for, never less.
  ///
  /// - Parameter constant: The value of a part of a condition that does not speak of the message, of the tree with the text
  ///   it was made from; `nil` where it has none.
  /// - Returns: The query tree of `mail.search`, version 2.
  public func query(_ constant: @escaping (_ tree: ExpressionTree, _ source: String) -> Value?) -> Value? {
    var alternatives: [Value] = []
    var size = 0
    for rule in rules {
      guard let condition = rule.condition else { return nil }
      let translator = MessageQuery { constant($0, condition.source) }
      guard let query = translator.query(condition.tree) else { return nil }
      size += query.jsonSize
      // Servers limit the length of commands, and providers that of queries.
      guard size <= Self.longestQuery else { return nil }
      // A rule that is for no message finds none.
      if query != MessageQuery.nothing, !alternatives.contains(query) { alternatives.append(query) }
    }
    if alternatives.isEmpty { return rules.isEmpty ? nil : MessageQuery.nothing }
    return alternatives.count == 1 ? alternatives.first : ["or": .list(alternatives)]
  }
}

/// How a rule answers its messages by itself: RFC 3834 and RFC 5230.
public struct AutomaticReply: Sendable, Hashable {
  /// The header fields that tell lists, programs and their answers from people, with the sender of the envelope.
  public static let headers: Set<String> = [
    "Auto-Submitted", "List-Id", "List-Post", "List-Unsubscribe", "Precedence", "Return-Path",
    "X-Auto-Response-Suppress",
  ]

  /// The recipient's own addresses, lower case: only what names one of them in To or Cc is answered.
  public var addresses: [String]
  /// Seconds in which a sender gets one answer.
  public var period: Double
  /// Whose memory of senders it shares; `nil` where its addresses say it.
  public var handle: String?

  /// Creates settings.
  public init(addresses: [String], period: Double, handle: String? = nil) {
    self.addresses = addresses
    self.period = period
    self.handle = handle
  }
}

/// When a rule leaves a list with one request.
public struct UnsubscriptionPolicy: Sendable, Hashable {
  /// The header fields that tell whether a message is its sender's.
  public static let headers: Set<String> = ["Authentication-Results", "DKIM-Signature"]

  /// The names of the recipient's own server in `Authentication-Results`, lower case (RFC 8601, 2.5); empty: nobody's word
  /// counts, and no request is made.
  public var authenticators: [String]

  /// Creates a policy.
  public init(authenticators: [String] = []) { self.authenticators = authenticators }
}
