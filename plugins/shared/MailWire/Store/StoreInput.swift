public import PluginKit

/// The inputs of the actions of `mail.store`, as the contract describes them.
public enum StoreInput {
  /// The input of `mail.fetch` and `mail.thread`.
  public struct Fetch: Decodable, Sendable {
    /// The folder.
    public var folder: String
    /// The message.
    public var uid: String
    /// The fields that are wanted.
    public var fields: [String]?
    /// Header fields that are wanted by name.
    public var headers: [String]?
  }

  /// The input of `mail.raw`.
  public struct Raw: Decodable, Sendable {
    /// The folder.
    public var folder: String
    /// The message.
    public var uid: String
  }

  /// The input of `mail.attachment`.
  public struct Attachment: Decodable, Sendable {
    /// The folder.
    public var folder: String
    /// The message.
    public var uid: String
    /// The part's number.
    public var part: String
  }

  /// The input of `mail.flag`.
  public struct Flag: Decodable, Sendable {
    /// The folder.
    public var folder: String
    /// The messages.
    public var uids: [String]
    /// The flags and labels to add.
    public var add: [String]?
    /// The flags and labels to remove.
    public var remove: [String]?
    /// Only messages whose flags have not changed since are changed: their `modseq`, or the highest of several.
    public var modseq: Int64?
  }

  /// The input of `mail.move` and `mail.copy`.
  public struct Transfer: Decodable, Sendable {
    /// The folder.
    public var folder: String
    /// The messages.
    public var uids: [String]
    /// The folder they are moved or copied to.
    public var to: String
    /// Whether that folder is made if it is missing; it is, where absent.
    public var create: Bool?

    /// Creates an input; the folder is made if it is missing.
    public init(folder: String, uids: [String], to: String) {
      self.folder = folder
      self.uids = uids
      self.to = to
    }
  }

  /// The input of `mail.archive` and `mail.spam`.
  public struct Filing: Decodable, Sendable {
    /// The folder.
    public var folder: String
    /// The messages.
    public var uids: [String]
  }

  /// The input of `mail.delete`.
  public struct Deletion: Decodable, Sendable {
    /// The folder.
    public var folder: String
    /// The messages.
    public var uids: [String]
    /// Whether they are removed rather than moved to the trash.
    public var permanently: Bool?
  }

  /// The input of `mail.folder`.
  public struct Folder: Decodable, Sendable {
    /// The change of a folder.
    public enum Operation: String, Decodable, Sendable {
      /// It is made.
      case create
      /// It gets another name.
      case rename
      /// It is removed.
      case delete
      /// It is put on the list of those that programs show.
      case subscribe
      /// It is taken off that list.
      case unsubscribe
    }

    /// The change.
    public var operation: Operation
    /// The folder.
    public var folder: String
    /// The new name, for `rename`.
    public var to: String?
  }

  /// The settings of `mail.new`.
  public struct Watch: Decodable, Sendable {
    /// The folder; the inbox where absent.
    public var folder: String?
    /// The fields that are wanted of each message.
    public var fields: [String]?
    /// Header fields that are wanted by name.
    public var headers: [String]?
  }
}

extension StoreInput.Flag {
  /// The flags to add and to remove in their usual spelling.
  ///
  /// - Throws: `invalid_input` for what cannot be set, and for a flag that is in both lists.
  public var changes: (adding: [String], removing: [String]) {
    get throws(ActionError) {
      let adding = try (add ?? []).map { name throws(ActionError) in try MailFlag.checked(name) }
      let removing = try (remove ?? []).map { name throws(ActionError) in try MailFlag.checked(name) }
      let refused = Set(removing.map { $0.lowercased() })
      if let both = adding.first(where: { refused.contains($0.lowercased()) }) {
        throw ActionError(
          .invalidInput, "The flag \(both) is to be added and removed.",
          german: "Die Markierung \(both) soll gesetzt und gelöscht werden.")
      }
      return (adding, removing)
    }
  }
}

extension ActionError {
  /// A store does not number the changes of flags, so a change of a message cannot be detected.
  ///
  /// - Parameter store: The name for people.
  public static func unnumbered(_ store: String) -> ActionError {
    ActionError(
      .unsupported, "\(store) does not number changes of flags, so 'modseq' says nothing here.",
      german: "\(store) zählt Änderungen an Markierungen nicht, 'modseq' sagt hier also nichts.",
      advice: "Leave out 'modseq'.", adviceGerman: "'modseq' weglassen.")
  }
}
