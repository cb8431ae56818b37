import Expressions
import RecipeSyntax

/// A rule of a mail filter as it is written.
struct MailFilterRule {
  /// What becomes of the message in its folder.
  enum End {
    case move(Node)
    case archive
    case spam
    case delete(permanently: Bool)
  }

  /// A text, or a map of further settings, that goes out for each message.
  struct Outgoing {
    var word: String
    var node: Node
    var place: SourceRange
    /// What `reply` waits between two answers to one sender, in seconds.
    var period = 0.0
    var addresses: [String] = []
    /// Whose memory of senders `reply` shares; `nil` where its addresses say it.
    var handle: String?
    /// Whose word on DKIM `unsubscribe` takes, lower case.
    var authenticators: [String] = []
    /// What tells this from another such action of the rule, in what is remembered of sent messages.
    var mark = ""
    /// The values that the recipe gives, by the names of the action that sends.
    var values: [(name: String, value: MadeValue)] = []
    var providers: [Located<String>]?
  }

  /// The id of its steps.
  var name: String
  var title: String?
  var node: Node
  var place: SourceRange
  var condition: Node?
  var flags: (add: [MadeValue], remove: [MadeValue]) = ([], [])
  /// Where each word of the rule stands first.
  var words: [String: SourceRange] = [:]
  var copies: [Node] = []
  var runs: [(recipe: Located<String>, node: Node, inputs: Node?)] = []
  var outgoing: [Outgoing] = []
  var end: (kind: End, place: SourceRange)?
  var keeps: SourceRange?
  var stops = false
  /// What it does, as it is written.
  var actions: [String] = []

  /// Whether later rules must leave its messages alone.
  var ends: Bool { stops || end != nil }
  /// The media types of the attachments that it saves, `image/*` among them; `nil` where it saves none.
  var saves: [String]?
}
