import MailWire
import PluginKit

extension IMAPPlugin {
  /// What `imap.test` has found out.
  struct CheckOutput: Codable, Sendable {
    var host: String
    var port: Int
    var tls: String
    var user: String
    var folders: Int
    var inbox: Int
    /// The capabilities of the server, as it sends them.
    var capabilities: [String]
    /// Special folders by use: `\Sent`.
    var special: [String: String]
  }

  /// `imap.test`.
  @ActionListBuilder<IMAPPlugin> static var checking: ActionList<IMAPPlugin> {
    Action(
      "imap.test", effect: .read, summary: "Connects, signs in and says what the server can do",
      summaryGerman: "Verbindet sich, meldet sich an und sagt, was der Server kann", input: NoConfiguration.self,
      output: CheckOutput.self
    ) { plugin, _, context in
      try await plugin.check(context)
    }
  }

  /// On a connection of its own, so that it says something about the settings as they are now.
  private func check(_ context: ActionContext) async throws(ActionError) -> CheckOutput {
    let session = try await account.connect(context.streams)
    let (table, counts) = try await session.folders(counting: false)
    var inbox = 0
    if counts.isEmpty, let status = try await session.status(of: Array("INBOX".utf8)) {
      inbox = Int(status.messages ?? 0)
    }
    var special: [String: String] = [:]
    for folder in table.folders {
      if let use = table.special.use(of: folder.name) { special[use.rawValue] = folder.name }
    }
    let output = CheckOutput(
      host: account.settings.host, port: account.settings.port, tls: account.settings.tls.rawValue,
      user: account.settings.user, folders: table.folders.count, inbox: inbox,
      capabilities: await session.capabilities, special: special)
    await session.logOut()
    return output
  }
}

extension Session {
  /// The capabilities of the server, sorted.
  var capabilities: [String] { machine.capabilities.sorted() }

  /// Ends the connection in good order.
  func logOut() async {
    _ = try? await perform(Command("LOGOUT"), .logout)
    abandon()
  }
}
