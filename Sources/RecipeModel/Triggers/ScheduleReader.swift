import Expressions
import Foundation
import Localization
import Plans
import RecipeSyntax
import Schedules

/// Reads `schedule:`.
struct ScheduleReader {
  let reader: FieldReader
  /// The recipe's name, which decides what `H` stands for in cron expressions.
  let name: String

  /// The keys that describe the points; a schedule has one of them.
  private static let patterns = ["cron", "rrule", "every", "once", "sun"]
  /// Single times, at most.
  private static let mostTimes = 10_000

  private var now: Date { Date(timeIntervalSince1970: Double(reader.now.seconds)) }

  func schedule(_ node: Node) -> Plans.Schedule? {
    if let text = node.string { return WordSchedule(text, name: name).schedule { report($0, at: node.range) } }
    guard let map = reader.map(node, "schedule", keys: RecipeDefinitions.schedule.keyNames) else { return nil }
    let patterns = map.entries.filter { Self.patterns.contains($0.name) }
    guard let first = patterns.first, patterns.count == 1 else {
      report(
        .init(
          "a schedule has one of cron, rrule, every, once and sun",
          de: "ein Zeitplan hat eines von cron, rrule, every, once und sun"),
        at: patterns.dropFirst().first?.nameRange ?? node.range)
      return nil
    }
    let pattern = pattern(first, map)
    // All that is wrong is reported at once: the other keys are read beside a pattern that is none, too.
    var schedule = Schedule(pattern ?? .every(86_400))
    schedule.at = map["at"].flatMap { time($0) }
    schedule.timezone = map["timezone"].flatMap { timezone($0) }
    schedule.start = map["start"].flatMap { point($0, "start") }
    schedule.end = map["end"].flatMap { point($0, "end") }
    schedule.anchor = map["anchor"].flatMap { point($0, "anchor") }
    schedule.jitter = map["jitter"].flatMap { reader.duration($0, "jitter", allowsZero: true) } ?? 0
    if let node = map["exceptions"] { schedule.exceptions = exceptions(node) }
    if let node = map["overlap"], let overlap = overlap(node) { schedule.overlap = overlap }
    if let node = map["catch_up"] { readCatchUp(node, &schedule) }
    schedule.pauseAfter = map["pause_after"].flatMap { reader.integer($0, "pause_after", in: 1...1000) }
    if let node = map["missing"], let value = reader.choice(node, "missing", of: Plans.Schedule.Missing.self) {
      schedule.missing = value
    }
    if let node = map["repeated"], let value = reader.choice(node, "repeated", of: Plans.Schedule.Repeated.self) {
      schedule.repeated = value
    }
    guard pattern != nil else { return nil }
    check(schedule, map, first)
    return schedule
  }

  private func report(_ message: LocalizedText, at range: SourceRange, severity: Diagnostic.Severity = .error) {
    reader.report(.invalidTrigger, message, at: range, severity: severity)
  }

  /// Reports keys that do not go together, and what starts nothing any more.
  private func check(_ schedule: Plans.Schedule, _ map: Node.Mapping, _ pattern: Node.Mapping.Entry) {
    if case .rrule(let rule) = schedule.pattern, rule.count != nil, map["start"] == nil {
      report(
        .init(
          "a rule with COUNT counts from a start; add start: 2026-11-23",
          de: "eine Regel mit COUNT zählt von einem Anfang an; start: 2026-11-23 ergänzen"), at: pattern.value.range)
    }
    if let entry = map.entry("anchor"), pattern.name != "every" {
      report(.init("'anchor' goes with 'every'", de: "'anchor' gehört zu 'every'"), at: entry.nameRange)
    }
    if let entry = map.entry("place"), pattern.name != "sun" {
      report(.init("'place' goes with 'sun'", de: "'place' gehört zu 'sun'"), at: entry.nameRange)
    }
    let zone = schedule.zone
    if let start = schedule.start, let end = schedule.end, let node = map["end"],
      end.lastMoment(in: zone) < start.moment(in: zone)
    {
      report(.init("'end' lies before 'start'", de: "'end' liegt vor 'start'"), at: node.range)
    }
    var last = schedule.end?.lastMoment(in: zone)
    if case .once(let times) = schedule.pattern {
      last = times.map { $0.moment(in: zone, at: schedule.at) }.max()
    }
    if let last, last < now {
      report(
        .init(
          "the schedule has ended already and starts nothing any more",
          de: "der Zeitplan ist schon zu Ende und löst nichts mehr aus"),
        at: (map["end"] ?? pattern.value).range, severity: .warning)
    }
    if let node = map["exceptions"] {
      for file in schedule.exceptions.files { checkCalendar(file, node) }
    }
    let missing = schedule.exceptions.files.filter { (try? RecipeFiles().text($0)) ?? nil == nil }
    if let file = missing.first, let node = map["exceptions"] {
      report(
        .init(
          "there is no calendar '\(file)'; the schedule starts nothing without it",
          de: "es gibt keinen Kalender '\(file)'; ohne ihn löst der Zeitplan nichts aus"), at: node.range,
        severity: .warning)
    }
  }

  /// Reports what the schedule will say of a file with exceptions when it starts.
  private func checkCalendar(_ file: String, _ node: Node) {
    guard let text = (try? RecipeFiles().text(file)) ?? nil else { return }
    do throws(ScheduleError) {
      for (title, reason) in try ExceptionCalendar.leftOut(of: String(decoding: text.bytes, as: UTF8.self)).prefix(10) {
        report(
          LocalizedText(
            "'\(title)' of the calendar '\(file)' is not an exception: ",
            de: "'\(title)' des Kalenders '\(file)' ist keine Ausnahme: ") + reason, at: node.range, severity: .warning)
      }
    } catch {
      report(
        LocalizedText(
          "the calendar '\(file)' cannot be read; the schedule starts nothing with it: ",
          de: "der Kalender '\(file)' lässt sich nicht lesen; mit ihm löst der Zeitplan nichts aus: ") + error.text,
        at: node.range, severity: .warning)
    }
  }

  // MARK: Patterns

  private func pattern(_ entry: Node.Mapping.Entry, _ map: Node.Mapping) -> Plans.Schedule.Pattern? {
    let node = entry.value
    switch entry.name {
    case "every": return every(node)
    case "once": return once(node)
    case "sun": return sun(node, map)
    default:
      guard let text = reader.string(node, entry.name) else { return nil }
      return entry.name == "cron" ? cron(text, node) : rule(text, node)
    }
  }

  private func every(_ node: Node) -> Plans.Schedule.Pattern? {
    guard let seconds = reader.duration(node, "every") else { return nil }
    guard seconds >= 1, seconds == seconds.rounded() else {
      report(
        .init("'every' is whole seconds, 1 or more", de: "'every' sind ganze Sekunden, 1 oder mehr"), at: node.range)
      return nil
    }
    return .every(seconds)
  }

  private func once(_ node: Node) -> Plans.Schedule.Pattern? {
    let nodes = node.sequence ?? [node]
    let times = nodes.prefix(Self.mostTimes).compactMap { point($0, "once") }
    guard !times.isEmpty, times.count == nodes.count else {
      if nodes.isEmpty || nodes.count > Self.mostTimes {
        report(
          .init("'once' is 1 to \(Self.mostTimes) times", de: "'once' sind 1 bis \(Self.mostTimes) Zeitpunkte"),
          at: node.range)
      }
      return nil
    }
    return .once(times)
  }

  private func sun(_ node: Node, _ map: Node.Mapping) -> Plans.Schedule.Pattern? {
    guard let text = reader.string(node, "sun") else { return nil }
    guard let written = map["place"] else {
      report(
        .init(
          "'sun' needs a place: place: \"47.37,8.54\", degrees north and east",
          de: "'sun' braucht einen Ort: place: \"47.37,8.54\", Grad Nord und Ost"), at: node.range)
      return nil
    }
    guard let place = reader.string(written, "place").flatMap({ Place($0) }) else {
      if written.string != nil {
        report(
          .init(
            "'place' is degrees north and east, such as \"47.37,8.54\"",
            de: "'place' sind Grad Nord und Ost, etwa \"47.37,8.54\""), at: written.range)
      }
      return nil
    }
    let context = Schedules.Schedule.Context(zone: .utc, now: now, place: place)
    if SunEvent.allCases.contains(where: { text.hasPrefix($0.rawValue) }),
      case .sun(let event, let place, let offset)? = (try? Schedules.Schedule(text, in: context))?.form
    {
      return .sun(event, place, offset: offset)
    }
    report(
      .init(
        "'sun' is sunrise or sunset, with a distance of up to a day: sunset-30m",
        de: "'sun' ist sunrise oder sunset, mit einem Abstand von bis zu einem Tag: sunset-30m"), at: node.range)
    return nil
  }

  private func cron(_ text: String, _ node: Node) -> Plans.Schedule.Pattern? {
    do throws(ScheduleError) {
      return .cron(try CronExpression(text, name: name))
    } catch {
      report(error, in: node)
      return nil
    }
  }

  private func rule(_ text: String, _ node: Node) -> Plans.Schedule.Pattern? {
    do throws(ScheduleError) {
      let rule = try RecurrenceRule(text)
      if let part = rule.rangeOfEnd(before: now) {
        report(
          .init(
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
    report(error.text, at: reader.document.range(of: error.range, in: node))
  }

  // MARK: Times

  private func point(_ node: Node, _ field: String) -> PointInTime? {
    guard let text = reader.string(node, field) else { return nil }
    guard let point = PointInTime(text) else {
      report(
        .init(
          "'\(field)' is a time, like 2026-12-24, 2026-12-24T18:00 or 2026-12-24T18:00:00Z",
          de: "'\(field)' ist ein Zeitpunkt, wie 2026-12-24, 2026-12-24T18:00 oder 2026-12-24T18:00:00Z"),
        at: node.range)
      return nil
    }
    return point
  }

  private func exceptions(_ node: Node) -> Plans.Schedule.Exceptions {
    var exceptions = Plans.Schedule.Exceptions()
    for element in (node.sequence ?? [node]).prefix(Self.mostTimes) {
      guard let text = reader.name(element, "exceptions")?.value else { continue }
      if text.hasSuffix(".ics") {
        exceptions.files.append(RecipePath.resolve(text, in: RecipePath.directory(of: reader.path)))
      } else if let day = PointInTime(text), day.isDay {
        exceptions.days.append(day.local(in: .utc))
      } else {
        report(
          .init(
            "an exception is a day, like 2026-12-25, or an .ics file",
            de: "eine Ausnahme ist ein Tag, wie 2026-12-25, oder eine .ics-Datei"), at: element.range)
      }
    }
    return exceptions
  }

  private func time(_ node: Node) -> TimeOfDay? {
    guard let text = reader.string(node, "at") else { return nil }
    guard let time = TimeOfDay(text) else {
      report(
        .init("'at' is a time of day, like 09:00", de: "'at' ist eine Uhrzeit, wie 09:00"), at: node.range)
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
      report(
        .init(
          "'timezone' is a name such as Europe/Zurich or UTC", de: "'timezone' ist ein Name wie Europe/Zurich oder UTC"),
        at: node.range)
      return nil
    }
    guard text.utf8.count <= 64, Zone(text) != nil else {
      reader.report(
        .invalidTrigger, LocalizedText("unknown time zone '\(text)'", de: "unbekannte Zeitzone '\(text)'"),
        at: node.range, suggestion: reader.suggestion(for: text, among: TimeZone.knownTimeZoneIdentifiers))
      return nil
    }
    return text
  }

  // MARK: Policies

  /// A word, or a map that says how many: `{ queue: all }`, `{ allow: 3 }`.
  private func overlap(_ node: Node) -> Plans.Schedule.Overlap? {
    guard node.mapping != nil else {
      return reader.choice(node, "overlap", of: Plans.Schedule.Overlap.Word.self).map { word in
        switch word {
        case .skip: .skip
        case .queue: .queue(limit: 1)
        case .cancel: .cancel
        case .allow: .allow(limit: Plans.Schedule.Overlap.most)
        }
      }
    }
    guard let map = reader.map(node, "overlap", keys: RecipeDefinitions.overlap.keyNames) else { return nil }
    let entries = map.entries.filter { RecipeDefinitions.overlap.key($0.name) != nil }
    guard let entry = entries.first, entries.count == 1 else {
      report(
        .init("'overlap' is a word, queue: N or allow: N", de: "'overlap' ist ein Wort, queue: N oder allow: N"),
        at: node.range)
      return nil
    }
    let isAll = entry.value.string == "all"
    guard
      let limit = isAll
        ? Plans.Schedule.Overlap.most : reader.integer(entry.value, entry.name, in: 1...Plans.Schedule.Overlap.most)
    else { return nil }
    return entry.name == "queue" ? .queue(limit: limit) : .allow(limit: limit)
  }

  private func readCatchUp(_ node: Node, _ schedule: inout Plans.Schedule) {
    guard node.mapping != nil else {
      if let value = reader.choice(node, "catch_up", of: Plans.Schedule.CatchUp.self) { schedule.catchUp = value }
      return
    }
    guard let map = reader.map(node, "catch_up", keys: RecipeDefinitions.catchUp.keyNames) else { return }
    if let node = map["points"], let value = reader.choice(node, "points", of: Plans.Schedule.CatchUp.self) {
      schedule.catchUp = value
    }
    schedule.catchUpWindow = map["window"].flatMap { reader.duration($0, "window") }
    if let node = map["cap"], let cap = reader.integer(node, "cap", in: 1...Plans.Schedule.Overlap.most) {
      schedule.catchUpCap = cap
    }
  }
}
