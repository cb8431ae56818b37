import Expressions
import Mail

/// Messages in the views of a briefing: blocked senders are left out, then a view is chosen, then a filter, then the newest
/// come first.
struct MailBriefing {
  /// The reason why a message is primary.
  enum Rule: String, CaseIterable {
    case people, vip, security, money, deadlines
  }

  /// The options of the third view.
  enum View: String, CaseIterable {
    case other, money, deadlines
    case needsReply = "needs_reply"
    case unread, newsletters, people
  }

  /// The views that a filter may be.
  static let filters: [View] = [.unread, .needsReply, .deadlines, .money, .newsletters]

  private struct Entry {
    var message: Value
    var date: Timestamp
    var marks: [Mark]
    var isPeople: Bool
    var isNewsletter: Bool
    var isPrimary = false

    func has(_ kind: Mark.Kind) -> Bool { marks.contains { $0.kind == kind } }
  }

  private let classifier: Classifier
  private let rules: Set<Rule>
  private let pinned: View
  private let filter: View?
  private var entries: [Entry] = []
  private var blocked = 0

  init(_ input: Value) {
    var words = ClassificationRules()
    words.vipSenders = Set(Self.texts(input["vip"]))
    words.blockedSenders = Set(Self.texts(input["blocked"]))
    classifier = Classifier(rules: words, owners: Self.texts(input["owners"]))
    rules = Set(Rule.allCases.filter { input["rules"]?[$0.rawValue]?.boolValue ?? true })
    pinned = input["pinned"]?.stringValue.flatMap { View(rawValue: $0) } ?? .other
    filter = input["filter"]?.stringValue.flatMap { View(rawValue: $0) }
    for message in input["messages"]?.listValue ?? [] { add(message) }
    entries.sort { $1.date < $0.date }
  }

  private static func texts(_ value: Value?) -> [String] {
    (value?.listValue ?? []).compactMap { $0.stringValue?.lowercased() }
  }

  private mutating func add(_ message: Value) {
    let marks = marks(of: message)
    guard !marks.contains(where: { $0.kind == .blocked }) else {
      blocked += 1
      return
    }
    let isBulk = message["bulk"]?.boolValue ?? false
    var entry = Entry(
      message: message, date: Timestamp(rfc3339: message["date"]?.stringValue ?? "") ?? Timestamp(seconds: 0),
      marks: marks, isPeople: message["human"]?.boolValue == true && !isBulk,
      isNewsletter: message["category"]?.stringValue == "newsletter")
    entry.isPrimary = rules.contains { rule in
      switch rule {
      case .people: entry.isPeople
      case .vip: entry.has(.vip)
      case .security: entry.has(.security)
      case .money: entry.has(.money)
      case .deadlines: entry.has(.deadline)
      }
    }
    entries.append(entry)
  }

  private func holds(_ view: View, _ entry: Entry) -> Bool {
    switch view {
    case .other: !entry.isPrimary
    case .money: entry.has(.money)
    case .deadlines: entry.has(.deadline)
    case .needsReply: entry.has(.needsReply) && entry.message["answered"]?.boolValue != true
    case .unread: entry.message["seen"]?.boolValue != true
    case .newsletters: entry.isNewsletter
    case .people: entry.isPeople
    }
  }

  /// The requests in a message. The store's classification wins, because it had the whole header.
  private func marks(of fields: Value) -> [Mark] {
    var source = ""
    for (name, key) in [("Subject", "subject"), ("Message-ID", "message_id"), ("In-Reply-To", "in_reply_to")] {
      if let text = fields[key]?.stringValue { source += "\(name): \(Self.line(text))\r\n" }
    }
    for (name, key) in [("From", "from"), ("To", "to"), ("Cc", "cc")] {
      let people = fields[key]?.listValue ?? (fields[key].map { [$0] } ?? [])
      let list = people.prefix(100).compactMap { Self.person($0) }
      if !list.isEmpty { source += "\(name): \(list.joined(separator: ", "))\r\n" }
    }
    if let date = fields["date"]?.stringValue.flatMap({ MessageDate(parsing: $0) }) {
      source += "Date: \(date.rfc5322)\r\n"
    }
    source += "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    source += fields["text"]?.stringValue ?? ""
    let message = Message(parsing: Array(source.utf8))
    var classification = classifier.classify(message)
    classification.isBulk = fields["bulk"]?.boolValue ?? classification.isBulk
    classification.isHuman = fields["human"]?.boolValue ?? classification.isHuman
    if let category = fields["category"]?.stringValue.flatMap({ Classification.Category(rawValue: $0) }) {
      classification.category = category
    }
    return classifier.marks(of: message, classification: classification)
  }

  private static func person(_ value: Value) -> String? {
    guard let address = value["address"]?.stringValue, address.contains("@") else { return nil }
    let name = line(value["name"]?.stringValue ?? "").filter { $0 != "\"" && $0 != "\\" }
    return "\"\(name)\" <\(line(address).filter { $0 != "<" && $0 != ">" })>"
  }

  /// A text on one line, so that it ends no field.
  private static func line(_ text: String) -> String {
    String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
  }

  // MARK: Output

  /// `{counts, views: [{view, count, messages}]}`.
  var value: Value {
    let views: [(name: String, entries: [Entry])] = [
      ("primary", entries.filter(\.isPrimary)), (pinned.rawValue, entries.filter { holds(pinned, $0) }),
      ("all", entries),
    ]
    var counts = ValueMap()
    for view in views { counts[view.name] = .int(Int64(view.entries.count)) }
    counts["blocked"] = .int(Int64(blocked))
    return [
      "counts": .map(counts),
      "views": .list(
        views.map { view in
          let shown = view.entries.filter { entry in filter.map { holds($0, entry) } ?? true }
          return [
            "view": .string(view.name), "count": .int(Int64(view.entries.count)),
            "messages": .list(shown.map(Self.value)),
          ]
        }),
    ]
  }

  private static func value(_ entry: Entry) -> Value {
    let from = entry.message["from"]
    let address = from?["address"]?.stringValue ?? ""
    let name = from?["name"]?.stringValue ?? ""
    var reasons: [String] = entry.isPeople ? ["people"] : []
    for mark in entry.marks {
      reasons.append(mark.detail.map { "\(mark.kind.rawValue): \(line($0))" } ?? mark.kind.rawValue)
    }
    func text(_ key: String) -> Value { entry.message[key] ?? "" }
    return [
      "uid": text("uid"), "folder": text("folder"), "date": text("date"),
      "from": .string(name.isEmpty ? address : name), "address": .string(address), "subject": text("subject"),
      "seen": .bool(entry.message["seen"]?.boolValue ?? false), "category": text("category"),
      "reasons": .list(reasons.map { .string($0) }),
    ]
  }
}
