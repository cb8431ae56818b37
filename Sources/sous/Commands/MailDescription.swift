import Expressions
import Foundation
import Localization
import Mail
import RecipeSyntax

/// A message as `sous mail build` takes it: the fields of the input of `mail.send`, and a few more.
struct MailDescription {
  private(set) var message: OutgoingMessage
  private(set) var messageID: String?
  private(set) var date: MessageDate?
  /// The files that the message's attachments are read from, by their sources.
  private(set) var files: [String] = []
  private let file: String

  private static let keys: Set<String> = [
    "from", "to", "cc", "bcc", "reply_to", "subject", "text", "html", "attachments", "inline", "in_reply_to",
    "references", "headers", "message_id", "date", "answer", "forward",
  ]

  init(_ map: ValueMap, file: String) throws(CommandError) {
    self.file = file
    message = OutgoingMessage(from: Address(address: ""))
    for (key, _) in map.entries where !MailDescription.keys.contains(key.text) {
      let known = MailDescription.keys.sorted().joined(separator: ", ")
      throw wrong(
        key.text, "is not known; these are: \(known)", de: "ist nicht bekannt; es gibt: \(known)")
    }
    guard let from = try addresses(map, "from").first else {
      throw wrong(
        "from", "is missing; name the author's address", de: "fehlt; gebraucht wird die Adresse des Absenders")
    }
    message.from = from
    message.text = try string(map, "text")
    message.html = try string(map, "html")
    try takeOriginal(map)
    // Explicit values override those of the original.
    if map["to"] != nil { message.to = try addresses(map, "to") }
    if map["cc"] != nil { message.cc = try addresses(map, "cc") }
    message.bcc = try addresses(map, "bcc")
    message.replyTo = try addresses(map, "reply_to")
    if let subject = try string(map, "subject") { message.subject = subject }
    if let identifier = try string(map, "in_reply_to") { message.inReplyTo = MailDescription.bare(identifier) }
    if map["references"] != nil { message.references = try strings(map, "references").map(MailDescription.bare) }
    messageID = try string(map, "message_id").map(MailDescription.bare)
    if let text = try string(map, "date") {
      guard let date = MessageDate(parsing: text) else {
        throw wrong(
          "date", "is not a time such as 2026-11-21T07:00:00+01:00", de: "ist keine Zeit wie 2026-11-21T07:00:00+01:00")
      }
      self.date = date
    }
    if case .map(let headers)? = map["headers"] {
      for (name, value) in headers.entries {
        message.additionalFields.append(.init(name: name.text, value: value.stringValue ?? value.jsonString))
      }
    }
    message.attachments += try attachments(map, "attachments")
    message.relatedFiles += try attachments(map, "inline")
  }

  /// Makes the message an answer to another one (`answer: FILE`, or `{ message, recipients, quotes }`), or passes another one
  /// on (`forward: FILE`, or `{ message, as }`).
  private mutating func takeOriginal(_ map: ValueMap) throws(CommandError) {
    if map["answer"] != nil, map["forward"] != nil {
      throw wrong("answer", "cannot be combined with 'forward'", de: "kann nicht neben 'forward' stehen")
    }
    if let answer = try original(map, "answer", known: ["message", "recipients", "quotes"]) {
      message = .reply(
        to: answer.message, from: message.from,
        recipients: try choice(answer.options, "recipients", otherwise: .sender), text: message.text ?? "",
        html: message.html, quotes: answer.options["quotes"]?.boolValue ?? true, language: Speech.language)
    } else if let passed = try original(map, "forward", known: ["message", "as"]) {
      message = .forward(
        passed.message, from: message.from, to: [], form: try choice(passed.options, "as", otherwise: .inline),
        text: message.text ?? "", html: message.html, language: Speech.language)
    }
  }

  private func original(
    _ map: ValueMap, _ key: String, known: Set<String>
  ) throws(CommandError) -> (message: Message, options: ValueMap)? {
    guard let value = map[key], value != .null else { return nil }
    let options = value.mapValue ?? ["message": value]
    guard let path = options["message"]?.stringValue, options.keys.allSatisfy({ known.contains($0.text) }) else {
      let names = known.sorted().joined(separator: ", ")
      throw wrong(
        key, "wants a file with a message, or a map of \(names)",
        de: "braucht eine Datei mit einer Nachricht, oder eine Map mit \(names)")
    }
    return (Message(parsing: try MessageArgument.source(path, limit: MessageArgument.limit).bytes), options)
  }

  private func choice<Choice: RawRepresentable & CaseIterable>(
    _ options: ValueMap, _ key: String, otherwise: Choice
  ) throws(CommandError) -> Choice where Choice.RawValue == String {
    guard let value = options[key] else { return otherwise }
    guard let choice = value.stringValue.flatMap(Choice.init(rawValue:)) else {
      let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong(key, "must be one of: \(names)", de: "muss eines davon sein: \(names)")
    }
    return choice
  }

  private static func bare(_ identifier: String) -> String {
    identifier.hasPrefix("<") && identifier.hasSuffix(">") ? String(identifier.dropFirst().dropLast()) : identifier
  }

  private func wrong(_ key: String, _ english: String, de german: String) -> CommandError {
    CommandError(
      ExitStatus.wrongInput, LocalizedText("\(file): '\(key)' \(english)", de: "\(file): '\(key)' \(german)"))
  }

  private func string(_ map: ValueMap, _ key: String) throws(CommandError) -> String? {
    guard let value = map[key], value != .null else { return nil }
    guard let text = value.stringValue else { throw wrong(key, "must be a text", de: "muss ein Text sein") }
    return text
  }

  private func strings(_ map: ValueMap, _ key: String) throws(CommandError) -> [String] {
    switch map[key] {
    case nil, .null?: return []
    case .list(let values)?:
      var texts: [String] = []
      for value in values {
        guard let text = value.stringValue else {
          throw wrong(key, "must be a list of texts", de: "muss eine Liste von Texten sein")
        }
        texts.append(text)
      }
      return texts
    default: return try string(map, key).map { [$0] } ?? []
    }
  }

  private func addresses(_ map: ValueMap, _ key: String) throws(CommandError) -> [Address] {
    var addresses: [Address] = []
    for text in try strings(map, key) {
      let list = Address.parseList(text)
      guard list.allSatisfy({ $0.address.contains("@") }) else {
        throw wrong(
          key, "contains '\(text.singleLine)', which is not a mail address",
          de: "enthält '\(text.singleLine)', das ist keine Mailadresse")
      }
      addresses += list
    }
    return addresses
  }

  private mutating func attachments(_ map: ValueMap, _ key: String) throws(CommandError) -> [OutgoingAttachment] {
    guard let value = map[key], value != .null else { return [] }
    guard case .list(let entries) = value else { throw wrong(key, "must be a list", de: "muss eine Liste sein") }
    var attachments: [OutgoingAttachment] = []
    for entry in entries {
      guard case .map(let fields) = entry else {
        throw wrong(
          key, "must list maps with 'path' or 'content'", de: "muss Maps mit 'path' oder 'content' auflisten")
      }
      attachments.append(try attachment(fields, key))
    }
    return attachments
  }

  private mutating func attachment(_ fields: ValueMap, _ key: String) throws(CommandError) -> OutgoingAttachment {
    let path = try string(fields, "path")
    let name = try string(fields, "name") ?? path.map { ($0 as NSString).lastPathComponent } ?? ""
    let type = try string(fields, "type") ?? FileType.mediaType(ofFile: name)
    let identifier = try string(fields, "content_id").map(MailDescription.bare)
    if let content = try string(fields, "content") {
      guard let data = Data(base64Encoded: content.filter { !$0.isWhitespace }) else {
        throw wrong(key, "holds a content that is not Base64", de: "enthält einen Inhalt, der kein Base64 ist")
      }
      return OutgoingAttachment(name: name, type: type, data: Array(data), contentID: identifier)
    }
    guard let path else { throw wrong(key, "needs 'path' or 'content'", de: "braucht 'path' oder 'content'") }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? Int,
      FileManager.default.isReadableFile(atPath: path)
    else {
      throw wrong(
        key, "names '\(path)', which is not a readable file",
        de: "nennt '\(path)', das ist keine lesbare Datei")
    }
    files.append(path)
    return OutgoingAttachment(name: name, type: type, source: files.count - 1, size: size, contentID: identifier)
  }
}
