import Foundation

@testable import Mail

/// What another parser made of a sample, and how that differs from what ours makes of it.
struct ExpectedMessage {
  private let json: [String: Any]
  private let parts: [[String: Any]]

  init(_ json: Any) {
    self.json = json as? [String: Any] ?? [:]
    parts = self.json["parts"] as? [[String: Any]] ?? []
  }

  /// The names of the aspects in which a message differs, each with both readings.
  func differences(from message: Message) -> [String: String] {
    var found: [String: String] = [:]
    func compare(_ aspect: String, _ expected: some Equatable & CustomStringConvertible, _ actual: String) {
      if expected.description != actual { found[aspect] = "expected \(expected)\n   actual \(actual)" }
    }
    let subject = (header("subject", in: 0)?["Text"] as? String) ?? ""
    compare("subject", subject.debugDescription, message.subject.debugDescription)
    for (name, actual) in [("from", message.from), ("to", message.to), ("cc", message.cc)] {
      compare(name, addresses(header(name, in: 0)).description, ExpectedMessage.describe(actual).description)
    }
    let date = (header("date", in: 0)?["DateTime"]).flatMap(ExpectedMessage.date)?.rfc3339 ?? "none"
    compare("date", date, message.date?.rfc3339 ?? "none")
    let structure = BodyStructure(message.body)
    compare("text", bodies("text_body").debugDescription, ExpectedMessage.bodies(structure.textParts).debugDescription)
    compare("html", bodies("html_body").debugDescription, ExpectedMessage.bodies(structure.htmlParts).debugDescription)
    compare("parts", String(parts.count), String(ExpectedMessage.count(message.body)))
    let indices = json["attachments"] as? [Int] ?? []
    compare("attachments", String(indices.count), String(structure.attachments.count))
    compare(
      "names", indices.map(fileName).description, structure.attachments.map { $0.fileName ?? "-" }.description)
    return found
  }

  static func date(_ json: Any) -> MessageDate? {
    guard let fields = json as? [String: Any], let year = fields["year"] as? Int, let month = fields["month"] as? Int,
      let day = fields["day"] as? Int, let hour = fields["hour"] as? Int, let minute = fields["minute"] as? Int,
      let second = fields["second"] as? Int, let zoneHour = fields["tz_hour"] as? Int,
      let zoneMinute = fields["tz_minute"] as? Int, let isWest = fields["tz_before_gmt"] as? Bool
    else { return nil }
    return MessageDate(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      zoneOffset: (zoneHour * 60 + zoneMinute) * (isWest ? -60 : 60))
  }

  /// `name <address>` for each address of a parsed field, groups flattened.
  static func describeAddresses(_ json: Any?) -> [String] {
    guard let json = json as? [String: Any] else { return [] }
    var entries = json["List"] as? [[String: Any]] ?? []
    for group in json["Group"] as? [[String: Any]] ?? [] { entries += group["addresses"] as? [[String: Any]] ?? [] }
    return entries.map { "\($0["name"] as? String ?? "") <\($0["address"] as? String ?? "")>" }
  }

  static func describe(_ addresses: [Address]) -> [String] { addresses.map { "\($0.name ?? "") <\($0.address)>" } }

  private func addresses(_ value: [String: Any]?) -> [String] { ExpectedMessage.describeAddresses(value?["Address"]) }

  private func header(_ name: String, in part: Int) -> [String: Any]? {
    guard parts.indices.contains(part), let headers = parts[part]["headers"] as? [[String: Any]] else { return nil }
    // Of duplicates that library answers the last.
    return headers.last { $0["name"] as? String == name }?["value"] as? [String: Any]
  }

  private func bodies(_ key: String) -> [String] {
    (json[key] as? [Int] ?? []).compactMap { index in
      guard parts.indices.contains(index), let body = parts[index]["body"] as? [String: Any],
        let text = (body["Text"] ?? body["Html"]) as? String
      else { return nil }
      return text.withPlainLineEnds
    }
  }

  private static func bodies(_ parts: [Part]) -> [String] {
    parts.map { part in
      guard part.contentType.parameter("format") == "flowed" else { return part.text ?? "" }
      // That library does not join flowed lines.
      return Charset.decode(part.decodedBytes[...], label: part.contentType.parameter("charset")).text.withPlainLineEnds
    }
  }

  private func fileName(_ part: Int) -> String {
    for field in ["content_disposition", "content_type"] {
      guard let value = header(field, in: part)?["ContentType"] as? [String: Any],
        let attributes = value["attributes"] as? [[String: Any]]
      else { continue }
      for attribute in attributes where ["filename", "name"].contains(attribute["name"] as? String ?? "") {
        return attribute["value"] as? String ?? "-"
      }
    }
    return "-"
  }

  private static func count(_ part: Part) -> Int { 1 + part.parts.reduce(0) { $0 + count($1) } }
}
