import Expressions
import Foundation
import Plans
import RecipeModel
import RecipeSyntax
import Schedules
import Schemas

/// The text of a recipe of kind `reminder`, as a person would write it.
struct ReminderText {
  let draft: ReminderDraft
  /// The ways in which it is delivered.
  let ways: [Value]
  /// A second reminder of one title has the name `Tablets 2`.
  var number = 1

  /// The name of the recipe: the first line, cut off where it is long.
  var name: String {
    let line = draft.title.split(whereSeparator: \.isNewline).first.map(String.init) ?? "reminder"
    return (line.count > 100 ? String(line.prefix(99)) + "…" : line) + (number == 1 ? "" : " \(number)")
  }

  /// The reminder as its recipe says it, without the times.
  var record: ReminderRecord? { ReminderRecord(SourceText(path: "", text: text(""))) }

  /// The recipe of a reminder that comes once.
  func once(at date: Date) -> String { text("at: \(time(date))\n") }

  /// The recipe of a reminder that comes again and again.
  func repeated(_ schedules: [String]) -> String {
    let triggers = schedules.map { "{ schedule: \($0) }" }
    return text("on: \(triggers.count == 1 ? triggers[0] : "[ \(triggers.joined(separator: ", ")) ]")\n")
  }

  private func text(_ when: String) -> String {
    var text = "kind: reminder\nname: \(Self.quoted(name))\n"
    if !draft.uid.isEmpty { text += "uid: \(Self.quoted(draft.uid))\n" }
    let whole = draft.note.isEmpty ? draft.title : draft.title + "\n" + draft.note
    text += "text: \(Self.quoted(Self.escaped(whole)))\n" + when
    if !draft.leads.isEmpty {
      text += "lead: [\(draft.leads.map(Self.duration).joined(separator: ", "))]\n"
    }
    if !ways.isEmpty { text += "deliver:\n" + ways.map { "  - \($0.jsonString)\n" }.joined() }
    if let every = draft.every {
      let limit = draft.limit.map { ", limit: \($0)" } ?? ""
      text += "repeat: { every: \(Self.duration(every)), until: acknowledged\(limit) }\n"
    }
    return text
  }

  /// `2026-11-24T09:00 Europe/Zurich`; where a clock change makes that two times or none, the moment in UTC.
  private func time(_ date: Date) -> String {
    let zone = draft.zone
    let local = zone.local(date)
    let text = local.description.hasSuffix(":00") ? String(local.description.dropLast(3)) : local.description
    let other = zone.moment(LocalTime(seconds: local.seconds + 3600))
    let isPlain = zone.moment(local) == date && other.timeIntervalSince(date) == 3600
    return isPlain ? "\(text) \(zone.identifier)" : Timestamp(seconds: Int64(date.timeIntervalSince1970)).rfc3339
  }

  /// What a schedule is in a recipe, the shortest form first, each with the schedules that it takes; empty where a recipe
  /// cannot say it.
  func schedules() -> [[String]] {
    guard case .repeated(let schedule) = draft.when else { return [] }
    let zone = "timezone: \(schedule.zone.identifier)"
    switch schedule.form {
    case .recurrence(let series):
      var times = series.singleTimes
      guard let rule = series.rule else { return [["{ once: [\(Self.list(times))], \(zone) }"]] }
      let start = series.start.description
      let clock = start.split(separator: "T").last.map(String.init) ?? "09:00:00"
      let at = clock.hasSuffix(":00") ? String(clock.dropLast(3)) : clock
      var parts = "rrule: \(Self.quoted(rule.source)), at: \(Self.quoted(at)), \(zone)"
      let days = series.exceptionDays.map { Self.quoted(String($0.description.prefix(10))) }
      if !days.isEmpty { parts += ", exceptions: [\(days.joined(separator: ", "))]" }
      // What the rule names as well comes once.
      let own = Recurrence(rule, start: series.start, zone: schedule.zone)
      let ruled = Schedules.Schedule(.recurrence(own), zone: schedule.zone)
      times.removeAll { time in
        let moment = schedule.zone.moment(time)
        return ruled.next(after: moment.addingTimeInterval(-1)) == moment
      }
      let single = times.isEmpty ? [] : ["{ once: [\(Self.list(times))], \(zone) }"]
      return ["{ \(parts) }", "{ \(parts), start: \(Self.quoted(String(start.prefix(10)))) }"].map { [$0] + single }
    case .every(let seconds, _):
      var forms: [String] = []
      if seconds % 3600 == 0, 86_400 % seconds == 0 {
        forms.append("{ cron: \"0 \(seconds == 3600 ? "*" : "*/\(seconds / 3600)") * * *\", \(zone) }")
      } else if seconds % 60 == 0, 3600 % seconds == 0 {
        forms.append("{ cron: \"\(seconds == 60 ? "*" : "*/\(seconds / 60)") * * * *\", \(zone) }")
      }
      return (forms + ["{ every: \(Self.duration(Double(seconds))) }"]).map { [$0] }
    case .cron(let cron): return [["{ cron: \(Self.quoted(cron.source)), \(zone) }"]]
    default: return []
    }
  }

  private static func list(_ times: [LocalTime]) -> String {
    times.map { quoted(String($0.description.prefix(16))) }.joined(separator: ", ")
  }

  /// The name of a file for it: letters and digits of ASCII.
  var fileName: String {
    var name = ""
    let plain = self.name.lowercased().replacing("ä", with: "ae").replacing("ö", with: "oe").replacing("ü", with: "ue")
      .replacing("ß", with: "ss")
    for scalar in plain.decomposedStringWithCanonicalMapping.unicodeScalars {
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      if isPlain {
        name.unicodeScalars.append(scalar)
      } else if scalar.properties.canonicalCombiningClass == .notReordered, !name.isEmpty, name.last != "-" {
        name += "-"
      }
      if name.count >= 40 { break }
    }
    while name.last == "-" { name.removeLast() }
    return name.isEmpty ? "reminder" : name
  }

  /// A YAML scalar in double quotes; JSON's escapes are YAML's.
  static func quoted(_ text: String) -> String { Value.string(text).jsonString }

  /// A text that holds no expression, whatever braces are in it.
  private static func escaped(_ text: String) -> String {
    text.replacing("{{", with: #"{{ "{{" }}"#)
  }

  /// `1d2h`, `90s`.
  static func duration(_ seconds: Double) -> String {
    var rest = Int(min(max(0, seconds), 1e12))
    var text = ""
    for (unit, size) in [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)] where rest >= size {
      text += "\(rest / size)\(unit)"
      rest %= size
    }
    return text.isEmpty ? "0s" : text
  }
}
