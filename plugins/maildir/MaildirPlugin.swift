import Mail
import MailWire
public import PluginKit

/// Carries out `mail.store` and `mail.transport` on a local folder in Maildir format.
///
/// Keeps nothing in memory between calls but the dates of messages, which never change, so that any number of other programs may use the folder at the same time.
public struct MaildirPlugin: Plugin {
  /// The manifest.
  public static var manifest: Manifest {
    Manifest(
      id: "maildir", version: "2.0.0", summary: "Mail in a local folder in Maildir format",
      summaryGerman: "Mail in einem lokalen Ordner im Maildir-Format",
      contracts: ["mail.store/2", "mail.transport/2"],
      configuration: .object(
        .required("path", .string("The Maildir: the folder that holds cur, new and tmp", minimumLength: 1)),
        .optional("create", .boolean("Make the Maildir where it is missing", default: false)),
        .optional("from", .string("Sender of messages that name none, and owner of the mailbox", minimumLength: 1)),
        .optional("sent", .string("Folder that keeps a copy of what is sent", minimumLength: 1)),
        .optional(
          "deliver_to",
          .string("Folder that sent messages are delivered to", minimumLength: 1, default: "INBOX")),
        .optional(
          "folders",
          .object(
            ["sent", "drafts", "trash", "spam", "archive"].map { use in
              .optional(use, .string("Folder for this, where its name does not say so", minimumLength: 1))
            }))), files: [FileAccess("{path}", .readWrite, create: "{create}")])
  }

  let path: String
  let isMade: Bool
  let owner: Address?
  let sentFolder: FolderName?
  let deliveryFolder: FolderName
  let folderSettings: SpecialFolderSettings
  let dates = DateCache()
  let tidying = DatedState.Tidying()

  /// Checks the configuration; the folder itself is looked at when it is used.
  /// - Throws: `invalid_input` for folder names and addresses that are none.
  public init(configuration: MaildirConfiguration, context: PluginContext) throws {
    path = configuration.path
    isMade = configuration.create ?? false
    owner = try configuration.from.map { text throws(ActionError) in try Composer.address(text, "from") }
    sentFolder = try configuration.sent.map { name throws(ActionError) in try FolderName(name) }
    deliveryFolder = try configuration.deliverTo.map { name throws(ActionError) in try FolderName(name) } ?? .inbox
    folderSettings = configuration.folders ?? SpecialFolderSettings()
    for use in SpecialUse.allCases { if let name = folderSettings[use] { _ = try FolderName(name) } }
  }

  /// The actions and triggers of both contracts.
  public static var actions: ActionList<MaildirPlugin> {
    reading
    raw
    changing
    moving
    managing
    storing
    bulk
    sending
    watching
  }

  var writer: MessageJSON { MessageJSON(owners: owner.map { [$0.address] } ?? []) }
  var composer: Composer { Composer(defaultSender: owner) }

  /// Opens the Maildir and works with it; failed system calls become errors with kind and advice.
  func withMaildir<Result>(_ body: (Maildir) throws -> Result) throws -> Result {
    do {
      return try body(try Maildir(path: path, made: isMade))
    } catch let error as FileError {
      throw ActionError(error)
    }
  }
}
