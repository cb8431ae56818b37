import Expressions
import Localization
import Mail

/// A message, for people and for programs; the names are those of the contract `mail.store`.
struct MessageReport {
  private let message: Message
  private let classification: Classification
  private let marks: [Mark]

  init(_ message: Message) {
    self.message = message
    let classifier = Classifier()
    classification = classifier.classify(message)
    marks = classifier.marks(of: message, classification: classification)
  }

  // MARK: JSON

  /// `{message, html, headers, structure, calendar, marks, reasons, defects}`.
  var json: Value {
    [
      "message": .map(fields), "html": message.htmlBody.map { .string($0) } ?? .null,
      "headers": .list(message.headers.map { ["name": .string($0.name), "value": .string($0.text)] }),
      "structure": structure(message.body), "calendar": message.calendar.map(calendar) ?? .null,
      "marks": .list(marks.map(mark)),
      "reasons": .list(classification.reasons.map { .string($0.rawValue) }),
      "defects": .list(message.defects.map { ["code": .string($0.code.rawValue), "part": .string($0.partNumber)] }),
    ]
  }

  private var fields: ValueMap {
    let text = message.textBody
    return [
      "message_id": bracketed(message.messageID), "date": message.date.map { .string($0.rfc3339) } ?? .null,
      "from": (message.from.first ?? message.sender).map(address) ?? .null,
      "to": .list(message.to.map(address)), "cc": .list(message.cc.map(address)),
      "bcc": .list(message.bcc.map(address)),
      "reply_to": .list(message.replyTo.map(address)), "subject": .string(message.subject),
      "size": .int(Int64(clamping: message.size)), "text": .string(text),
      "snippet": .string(Message.snippet(of: text)), "attachments": .list(message.attachments.map(attachment)),
      "bulk": .bool(classification.isBulk), "human": .bool(classification.isHuman),
      "category": .string(classification.category.rawValue),
      "list_id": message.listID.map { .string($0) } ?? .null,
      "list_unsubscribe": message.listUnsubscribe.map(unsubscribe) ?? .null,
      "in_reply_to": bracketed(message.inReplyTo.first), "references": .list(message.references.map { bracketed($0) }),
    ]
  }

  private func bracketed(_ identifier: String?) -> Value { identifier.map { .string("<\($0)>") } ?? .null }

  private func address(_ address: Address) -> Value {
    ["name": .string(address.name ?? ""), "address": .string(address.address)]
  }

  private func attachment(_ attachment: Attachment) -> Value {
    [
      "name": .string(attachment.name ?? ""), "type": .string(attachment.type),
      "size": .int(Int64(clamping: attachment.size)), "part": .string(attachment.partNumber),
      "content_id": attachment.contentID.map { .string($0) } ?? .null,
      "inline": .bool(attachment.disposition == .inline),
    ]
  }

  private func unsubscribe(_ way: ListUnsubscribe) -> Value {
    [
      "http": .list(way.http.map { .string($0) }), "mailto": .list(way.mailto.map { .string($0) }),
      "one_click": .bool(way.isOneClick),
    ]
  }

  private func structure(_ part: Part) -> Value {
    var map: ValueMap = [
      "part": .string(part.number), "type": .string(part.contentType.mediaType),
      "charset": part.contentType.parameter("charset").map { .string($0) } ?? .null,
      "disposition": part.disposition.map { .string($0.rawValue) } ?? .null,
      "name": part.fileName.map { .string($0) } ?? .null,
    ]
    switch part.content {
    case .leaf: map["size"] = .int(Int64(clamping: part.decodedSize))
    case .multipart(let parts): map["parts"] = .list(parts.map(structure))
    case .message(let message): map["message"] = structure(message.body)
    }
    return .map(map)
  }

  private func calendar(_ calendar: CalendarData) -> Value {
    [
      "method": calendar.method.map { .string($0) } ?? .null, "events": .list(calendar.events.map(event)),
    ]
  }

  private func event(_ event: CalendarEvent) -> Value {
    func time(_ time: EventTime?) -> Value {
      time.map { ["time": .string($0.text), "zone": $0.zone.map { .string($0) } ?? .null] } ?? .null
    }
    func participant(_ participant: CalendarEvent.Participant) -> Value {
      [
        "name": .string(participant.address.name ?? ""), "address": .string(participant.address.address),
        "status": participant.status.map { .string($0) } ?? .null,
      ]
    }
    return [
      "uid": .string(event.uid), "summary": .string(event.summary),
      "location": event.location.map { .string($0) } ?? .null, "start": time(event.start), "end": time(event.end),
      "organizer": event.organizer.map(participant) ?? .null, "attendees": .list(event.attendees.map(participant)),
      "recurrence": event.recurrence.map { .string($0) } ?? .null, "status": event.status.map { .string($0) } ?? .null,
    ]
  }

  private func mark(_ mark: Mark) -> Value {
    [
      "kind": .string(mark.kind.rawValue), "reason": .string(mark.reason.rawValue),
      "detail": mark.detail.map { .string($0) } ?? .null, "amount": mark.amount.map { .string($0.text) } ?? .null,
      "day": mark.day.map { .string($0) } ?? .null,
    ]
  }

  // MARK: Text

  /// Lines for people: the main fields, the structure, what is wrong.
  var text: String {
    func list(_ addresses: [Address]) -> String { addresses.map(\.description).joined(separator: ", ") }
    let reasons = classification.reasons.map(\.rawValue).joined(separator: ", ")
    var rows: [(String, String)] = [
      (say("From", de: "Von"), list(message.from)), (say("To", de: "An"), list(message.to)),
      (say("Cc", de: "Kopie"), list(message.cc)), (say("Date", de: "Datum"), message.date?.rfc3339 ?? ""),
      (say("Subject", de: "Betreff"), message.subject),
      (say("Kind", de: "Art"), classification.category.words.spoken + (reasons.isEmpty ? "" : " (\(reasons))")),
    ]
    for mark in marks {
      let detail = mark.amount?.text ?? mark.day ?? mark.detail ?? mark.reason.rawValue
      rows.append((say("Mark", de: "Merkmal"), "\(mark.kind.rawValue): \(detail)"))
    }
    if let calendar = message.calendar, let event = calendar.events.first {
      let when = [event.start?.text, event.end?.text].compactMap(\.self).joined(separator: " – ")
      rows.append((say("Event", de: "Termin"), "\(calendar.method ?? "") \(event.summary), \(when)"))
    }
    var table = TextTable()
    for (name, value) in rows where !value.isEmpty { table.append([name, value]) }
    var lines = table.lines() + [""]
    appendStructure(message.body, depth: 0, to: &lines)
    for defect in message.defects {
      let place =
        defect.partNumber.isEmpty ? "" : say(" in part \(defect.partNumber)", de: " in Teil \(defect.partNumber)")
      lines.append(say("Defect: \(defect.code.rawValue)", de: "Mangel: \(defect.code.rawValue)") + place)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func appendStructure(_ part: Part, depth: Int, to lines: inout [String]) {
    let name = part.fileName.map { " ‘\($0)’" } ?? ""
    let indentation = String(repeating: "  ", count: depth)
    switch part.content {
    case .leaf:
      lines.append(
        "\(indentation)\(part.number) \(part.contentType.mediaType)\(name), \(part.decodedSize) "
          + say("bytes", de: "Bytes"))
    case .multipart(let parts):
      lines.append("\(indentation)\(part.number.isEmpty ? "-" : part.number) \(part.contentType.mediaType)")
      for inner in parts { appendStructure(inner, depth: depth + 1, to: &lines) }
    case .message(let message):
      lines.append("\(indentation)\(part.number) \(part.contentType.mediaType)\(name)")
      appendStructure(message.body, depth: depth + 1, to: &lines)
    }
  }
}

extension Classification.Category {
  /// The category for people: in English its name, which conditions of filters use.
  fileprivate var words: LocalizedText {
    let german =
      switch self {
      case .people: "von Menschen"
      case .newsletter: "Newsletter"
      case .mailingList: "Mailingliste"
      case .notification: "Benachrichtigung"
      case .security: "Anmeldung und Sicherheit"
      case .invoice: "Rechnung"
      case .calendar: "Termin"
      case .bounce: "unzustellbar"
      case .spam: "Spam"
      case .other: "Sonstiges"
      }
    return LocalizedText(rawValue, de: german)
  }
}
