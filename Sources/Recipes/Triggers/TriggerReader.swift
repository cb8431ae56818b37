import Expressions
import Foundation
import Localization
import Schedules

/// Reads `on:`.
struct TriggerReader {
  let reader: FieldReader
  /// The provider and the folder of mail where a trigger names none.
  var mailbox: (provider: String?, folder: String?) = (nil, nil)
  /// The recipe's name, which decides what `H` stands for in cron expressions.
  var name = ""

  /// The triggers of a node: a word, a map, or a list of both.
  func triggers(_ node: Node) -> [Trigger] {
    if let elements = node.sequence { return elements.flatMap { one($0) } }
    return one(node)
  }

  private func one(_ node: Node) -> [Trigger] {
    guard !node.isInvalid else { return [] }
    if let word = node.string {
      guard word == "manual" else {
        reader.report(
          .invalidTrigger,
          LocalizedText(
            "unknown trigger '\(word)'; known are manual, schedule: {…} and mail: new",
            de: "unbekannter Auslöser '\(word)'; bekannt sind manual, schedule: {…} und mail: new"),
          at: node.range, suggestion: reader.suggestion(for: word, among: ["manual"]))
        return []
      }
      return [Trigger(kind: .manual, range: node.range)]
    }
    guard let map = reader.map(node, "on", keys: nil) else { return [] }
    let known = RecipeDefinitions.trigger.keyNames
    for entry in map.entries where !known.contains(entry.name) { reader.report(unknown: entry, known: known) }
    return map.entries.compactMap { entry in
      switch entry.name {
      case "schedule":
        schedule(entry.value).map { Trigger(kind: .schedule($0), range: entry.value.range) }
      case "mail": mail(entry.value).map { Trigger(kind: .mail($0), range: entry.value.range) }
      case "manual": Trigger(kind: .manual, range: entry.nameRange)
      default: nil
      }
    }
  }

  private func mail(_ node: Node) -> MailEvent? {
    if node.mapping == nil {
      return reader.choice(node, "mail", of: MailEvent.Kind.self).map { mailEvent($0) }
    }
    guard let map = reader.map(node, "mail", keys: RecipeDefinitions.mailEvent.keyNames) else { return nil }
    var event = mailEvent(.new)
    if let node = map["event"], let kind = reader.choice(node, "event", of: MailEvent.Kind.self) { event.kind = kind }
    if let node = map["provider"] { event.provider = reader.name(node, "provider")?.value }
    if let node = map["folder"], let folder = reader.name(node, "folder") { event.folder = folder.value }
    return event
  }

  private func mailEvent(_ kind: MailEvent.Kind) -> MailEvent {
    MailEvent(kind: kind, provider: mailbox.provider, folder: mailbox.folder ?? "INBOX")
  }

  private func schedule(_ node: Node) -> Schedule? {
    guard let map = reader.map(node, "schedule", keys: RecipeDefinitions.schedule.keyNames) else { return nil }
    let patterns = map.entries.filter { ["cron", "rrule", "every"].contains($0.name) }
    guard let first = patterns.first, patterns.count == 1 else {
      reader.report(
        .invalidTrigger,
        LocalizedText(
          "a schedule has one of cron, rrule and every", de: "ein Zeitplan hat eines von cron, rrule und every"),
        at: patterns.dropFirst().first?.nameRange ?? node.range)
      return nil
    }
    let pattern = pattern(first)
    var schedule = Schedule(pattern: pattern ?? .every(1))
    schedule.at = map["at"].flatMap { time($0) }
    schedule.timezone = map["timezone"].flatMap { timezone($0) }
    if let node = map["overlap"], let value = reader.choice(node, "overlap", of: Schedule.Overlap.self) {
      schedule.overlap = value
    }
    if let node = map["catch_up"], let value = reader.choice(node, "catch_up", of: Schedule.CatchUp.self) {
      schedule.catchUp = value
    }
    schedule.catchUpWindow = map["catch_up_window"].flatMap { reader.duration($0, "catch_up_window") }
    if let node = map["missing"], let value = reader.choice(node, "missing", of: Schedule.Missing.self) {
      schedule.missing = value
    }
    if let node = map["repeated"], let value = reader.choice(node, "repeated", of: Schedule.Repeated.self) {
      schedule.repeated = value
    }
    return pattern == nil ? nil : schedule
  }

  private func pattern(_ entry: Node.Mapping.Entry) -> Schedule.Pattern? {
    if entry.name == "every" { return reader.duration(entry.value, "every").map { .every($0) } }
    guard let text = reader.string(entry.value, entry.name) else { return nil }
    return entry.name == "cron" ? cron(text, entry.value) : rule(text, entry.value)
  }

  private func cron(_ text: String, _ node: Node) -> Schedule.Pattern? {
    do throws(ScheduleError) {
      return .cron(try CronExpression(text, name: name))
    } catch {
      report(error, in: node)
      return nil
    }
  }

  private func rule(_ text: String, _ node: Node) -> Schedule.Pattern? {
    do throws(ScheduleError) {
      let rule = try RecurrenceRule(text)
      if let part = rule.rangeOfEnd(before: Date(timeIntervalSince1970: Double(reader.now.seconds))) {
        reader.report(
          .invalidTrigger,
          LocalizedText(
            "the rule has ended already and starts nothing any more",
            de: "die Regel ist schon zu Ende und löst nichts mehr aus"),
          at: reader.document.range(of: part, in: node), severity: .warning)
      }
      return .rrule(rule)
    } catch {
      report(error, in: node)
      return nil
    }
  }

  private func report(_ error: ScheduleError, in node: Node) {
    reader.report(.invalidTrigger, error.text, at: reader.document.range(of: error.range, in: node))
  }

  private func time(_ node: Node) -> TimeOfDay? {
    guard let text = reader.string(node, "at") else { return nil }
    guard let time = TimeOfDay(text) else {
      reader.report(
        .invalidTrigger,
        LocalizedText("'at' is a time of day, like 09:00", de: "'at' ist eine Uhrzeit, wie 09:00"), at: node.range)
      return nil
    }
    return time
  }

  private func timezone(_ node: Node) -> String? {
    guard let text = reader.string(node, "timezone") else { return nil }
    let isZone = text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    }
    guard isZone else {
      reader.report(
        .invalidTrigger,
        LocalizedText(
          "'timezone' is a name such as Europe/Zurich or UTC", de: "'timezone' ist ein Name wie Europe/Zurich oder UTC"),
        at: node.range)
      return nil
    }
    guard text.utf8.count <= 64, TimeZone(identifier: text) != nil else {
      reader.report(
        .invalidTrigger, LocalizedText("unknown time zone '\(text)'", de: "unbekannte Zeitzone '\(text)'"),
        at: node.range, suggestion: reader.suggestion(for: text, among: TimeZone.knownTimeZoneIdentifiers))
      return nil
    }
    return text
  }
}

extension FieldReader {
  /// Reports a key of `on` that is none; one with a point in it is meant as a plugin's trigger.
  fileprivate func report(unknown entry: Node.Mapping.Entry, known: [String]) {
    let list = known.joined(separator: ", ")
    let ofPlugin =
      entry.name.contains(".")
      ? LocalizedText(
        "; recipes cannot start from triggers of plugins yet",
        de: "; Rezepte können mit Auslösern von Plugins noch nicht beginnen")
      : LocalizedText(verbatim: "")
    report(
      .unknownKey,
      LocalizedText(
        "unknown key '\(entry.name)' in 'on'; known are \(list)",
        de: "unbekannter Schlüssel '\(entry.name)' in 'on'; bekannt sind \(list)") + ofPlugin,
      at: entry.nameRange, suggestion: suggestion(for: entry.name, among: known))
  }
}
