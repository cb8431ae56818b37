import Mail
import MailWire
import PluginKit
import SASL

extension SMTPPlugin {
  /// `mail.verify` and `smtp.test`.
  @ActionListBuilder<SMTPPlugin> static var checking: ActionList<SMTPPlugin> {
    Action(
      "mail.verify", effect: .read, summary: "Says whether a message was sent by this provider",
      summaryGerman: "Sagt, ob eine Nachricht über diesen Provider verschickt wurde", input: Question.self,
      output: JSONValue.self
    ) { plugin, question, context in
      try await plugin.verify(question, context)
    }
    Action(
      "smtp.test", effect: .read, summary: "Connects and signs in, also where copies go, and sends nothing",
      summaryGerman: "Verbindet und meldet an, auch wo Kopien hingehen, und verschickt nichts", input: NoInput.self,
      output: Report.self
    ) { plugin, _, context in
      try await plugin.test()
    }
  }

  struct NoInput: Codable, Sendable {}

  struct Question: Decodable, Sendable {
    var messageID: String

    enum CodingKeys: String, CodingKey { case messageID = "messageId" }
  }

  /// The properties of a server.
  struct Report: Codable, Sendable {
    var host: String
    var port: Int
    /// The server's own words.
    var greeting: String
    var encrypted: Bool
    /// The sign-in mechanism; absent without sign-in.
    var signedInBy: String?
    /// The capabilities of the server.
    var extensions: [String]
    /// The largest message in bytes; absent where the server does not say.
    var sizeLimit: Int?
  }

  private func verify(_ question: Question, _ context: ActionContext) async throws(ActionError) -> JSONValue {
    let messageID = question.messageID.trimmedIdentifier
    if let record = try await ledger.record(messageID: messageID), record.stage == .sent {
      return ["found": true, "evidence": .string(record.queueID ?? record.reply ?? "sent")]
    }
    if let place = try await copies?.find(messageID) { return ["found": true, "evidence": .string(place)] }
    return ["found": false, "evidence": .null]
  }

  /// Does all that sending does, up to the message.
  private func test() async throws(ActionError) -> Report {
    try checkActive()
    let connection = try await connect()
    do {
      if let sender = account.sender { try await connection.probe(sender: sender.address) }
    } catch {
      await connection.close()
      throw error
    }
    await connection.close()
    try await copies?.test()
    return Report(
      host: host, port: port, greeting: connection.greeting, encrypted: connection.isEncrypted,
      signedInBy: connection.mechanism?.rawValue, extensions: connection.features.keywords.keys.sorted(),
      sizeLimit: connection.features.sizeLimit)
  }
}
