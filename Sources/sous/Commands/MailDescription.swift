import Expressions
import Foundation
import Localization
import Mail

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
    "references", "headers", "message_id", "date",
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
    message.to = try addresses(map, "to")
    message.cc = try addresses(map, "cc")
    message.bcc = try addresses(map, "bcc")
    message.replyTo = try addresses(map, "reply_to")
    message.subject = try string(map, "subject") ?? ""
    message.text = try string(map, "text")
    message.html = try string(map, "html")
    message.inReplyTo = try string(map, "in_reply_to").map(MailDescription.bare)
    message.references = try strings(map, "references").map(MailDescription.bare)
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
    message.attachments = try attachments(map, "attachments")
    message.relatedFiles = try attachments(map, "inline")
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
    try strings(map, key).flatMap { Address.parseList($0) }
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
        key, "names '\(path)', which is no file that can be read",
        de: "nennt '\(path)', das ist keine lesbare Datei")
    }
    files.append(path)
    return OutgoingAttachment(name: name, type: type, source: files.count - 1, size: size, contentID: identifier)
  }
}
