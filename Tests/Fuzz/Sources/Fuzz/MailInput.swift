import Localization
import Mail

/// Messages: whatever comes is read, and what is read stays in proportion to it.
enum MailInput {
  static func read(_ bytes: [UInt8]) {
    let message = Message(parsing: bytes)
    var size = message.subject.utf8.count + message.textBody.utf8.count + message.snippet().utf8.count
    for addresses in [message.from, message.to, message.cc, message.bcc, message.replyTo] {
      for address in addresses {
        size += address.description.utf8.count + DomainRegistry.standard.key(address.address).utf8.count
      }
    }
    for attachment in message.attachments { size += (attachment.name ?? "").utf8.count + min(attachment.size, 1) }
    demand(size <= bytes.count * 14 + 4000, "a message that grows")
    let classification = Classifier().classify(message)
    _ = (message.date, message.threadReferences, message.listUnsubscribe, message.listPost, message.calendar)
    _ = Classifier().marks(of: message, classification: classification)
    sanitize(message)
    answer(message)
    stream(bytes)
  }

  private static func demand(_ condition: Bool, _ what: String) {
    if !condition { fatalError(what) }
  }

  /// Safe HTML names nothing that runs or loads by itself, and stays as it is when it is cleaned again.
  private static func sanitize(_ message: Message) {
    guard let html = message.htmlBody else { return }
    let once = HTMLSanitizer().sanitize(html).html
    demand(once.utf8.count <= html.utf8.count * 8 + 20_000, "HTML that grows")
    for mark in [
      "<script", "<iframe", "<form", "<meta", "<base", "<link", "<object", "@import", "srcset=", "javascript:",
    ] {
      // Words of a text are no tags: their brackets are written as references.
      demand(!mark.hasPrefix("<") || !once.lowercased().contains(mark), "\(mark) in safe HTML")
    }
    demand(HTMLSanitizer().sanitize(once).html == once, "safe HTML that is cleaned again differs")
  }

  private static func answer(_ message: Message) {
    let own = Address(name: "Jana", address: "jana@example.com")
    let date = MessageDate(secondsSinceEpoch: 1_790_000_000)
    let answers = [
      OutgoingMessage.reply(to: message, from: own, recipients: .all, text: "Ja", html: "<p>Ja</p>", language: .german),
      OutgoingMessage.forward(message, from: own, to: [own], text: "Da"),
      OutgoingMessage.forward(message, from: own, to: [own], form: .attachment),
    ]
    for answer in answers {
      // What is no address in the message is refused, with an error.
      guard let written = try? answer.encoded(messageID: "1@example.com", date: date) else { continue }
      let read = Message(parsing: written)
      demand(
        read.defects.allSatisfy { !$0.partNumber.isEmpty } && read.messageID == "1@example.com",
        "an answer with a defect")
    }
  }

  private static func stream(_ bytes: [UInt8]) {
    var reader = MessageStreamReader()
    var size = 0
    func take(_ events: [MessageStreamReader.Event]) {
      for event in events { if case .content(let content) = event { size += content.count } }
    }
    var start = 0
    var length = 1
    while start < bytes.count {
      let end = min(start + length, bytes.count)
      take(reader.read(bytes[start..<end]))
      start = end
      length = length % 97 + 1
    }
    take(reader.finish())
    demand(size <= bytes.count, "content that grows")
  }
}
