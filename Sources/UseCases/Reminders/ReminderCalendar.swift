import Builtins
import Engine
import Expressions
public import Foundation
public import Localization
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
public import Schedules

/// Reminders as the events and tasks of an .ics file (RFC 5545), and back.
public enum ReminderCalendar {
  /// An event or a task that is left out, or of which something is.
  public struct Remark: Sendable {
    /// The line of the file, from 1; 0 where nothing of a file is meant.
    public var line: Int
    /// What it is about.
    public var title: String
    /// What is left out, and why.
    public var reason: LocalizedText
    /// Whether nothing of it is kept.
    public var isLeftOut = true

    /// Creates a remark.
    public init(line: Int, title: String, reason: LocalizedText, isLeftOut: Bool = true) {
      (self.line, self.title, self.reason, self.isLeftOut) = (line, title, reason, isLeftOut)
    }
  }

  // MARK: - Import

  /// The reminders that the content of a file asks for, and what of it cannot be said.
  ///
  /// - Parameters:
  ///   - text: The content.
  ///   - zone: The zone of times that have none of their own.
  ///   - now: What is before it is left out.
  /// - Throws: ``UseCaseError`` with the line where the content is no calendar.
  public static func read(
    _ text: String, zone: Zone, now: Date
  ) throws(UseCaseError) -> (drafts: [ReminderDraft], remarks: [Remark]) {
    let entries: [CalendarFile.Entry]
    do throws(ScheduleError) {
      entries = try CalendarFile.entries(text)
    } catch {
      let line = lineNumber(at: error.range.lowerBound, in: text)
      throw .wrongInput(LocalizedText("line \(line): ", de: "Zeile \(line): ") + error.text)
    }
    // In the order of the file, so that each line is counted once.
    var (line, counted) = (1, 0)
    let bytes = Array(text.utf8)
    func moveLine(to offset: Int) {
      let end = min(max(counted, offset), bytes.count)
      line += bytes[counted..<end].count { $0 == 0x0A }
      counted = end
    }
    var drafts: [ReminderDraft] = []
    var remarks: [Remark] = []
    let readable = entries.compactMap { try? $0.item.get() }
    let series = Set(readable.filter { $0.isRepeated && $0.replaces == nil && !$0.uid.isEmpty }.map(\.uid))
    let moved = Dictionary(grouping: readable.filter { $0.replaces != nil }, by: \.uid)
    for entry in entries {
      moveLine(to: entry.offset)
      let title = entry.title
      switch entry.item {
      case .success(var item):
        if let replaced = item.replaces {
          // A time of a series that has moved is a reminder of its own, and the series leaves it out.
          guard series.contains(item.uid) else {
            remarks.append(Remark(line: line, title: title, reason: seriesIsMissing))
            continue
          }
          item.uid += "/\(replaced.local)"
        } else if item.isRepeated {
          item.excluded += moved[item.uid, default: []].compactMap(\.replaces)
        }
        switch draft(of: item, title, zone: zone, now: now) {
        case .success(let (draft, missing)):
          drafts.append(draft)
          remarks += missing.map { Remark(line: line, title: title, reason: $0, isLeftOut: false) }
        case .failure(let refusal): remarks.append(Remark(line: line, title: title, reason: refusal.reason))
        }
      case .failure(let error):
        remarks.append(Remark(line: lineNumber(at: error.range.lowerBound, in: text), title: title, reason: error.text))
      }
    }
    return (drafts, remarks)
  }

  private static let seriesIsMissing = LocalizedText(
    "it changes one time of a series that the file does not have (RECURRENCE-ID)",
    de: "ändert einen Termin einer Reihe, die nicht in der Datei steht (RECURRENCE-ID)")

  private struct Refusal: Error {
    var reason: LocalizedText
  }

  private static func draft(
    of item: CalendarItem, _ title: String, zone: Zone, now: Date
  ) -> Result<(ReminderDraft, [LocalizedText]), Refusal> {
    func refuse(_ english: String, _ german: String) -> Result<(ReminderDraft, [LocalizedText]), Refusal> {
      .failure(Refusal(reason: LocalizedText(english, de: german)))
    }
    if let status = item.status, ["COMPLETED", "CANCELLED"].contains(status) {
      return refuse("it is \(status.lowercased())", "sie ist erledigt oder abgesagt (\(status))")
    }
    guard let main = item.kind == .task ? item.end ?? item.start : item.start ?? item.end else {
      return refuse("it has no time", "sie hat keine Zeit")
    }
    let own = main.zone ?? zone
    // A whole day is due in the morning, as in words.
    func due(_ time: CalendarTime) -> LocalTime {
      time.isDate ? LocalTime(seconds: time.local.seconds + morning) : time.local(in: own)
    }
    let local = due(main)
    var missing: [LocalizedText] = []
    var draft: ReminderDraft
    if item.isRepeated {
      let recurrence = Recurrence(
        item.rule, start: local, additional: item.additional.map(due),
        excluded: Set(item.excluded.filter { !$0.isDate }.map(due)),
        excludedDays: item.excluded.filter(\.isDate).map(\.local), zone: own)
      let schedule = Schedules.Schedule(.recurrence(recurrence), zone: own)
      guard schedule.next(after: now) != nil else {
        return refuse("its last time is past", "ihre letzte Zeit ist vorbei")
      }
      draft = ReminderDraft(title, when: .repeated(schedule), zone: own)
    } else {
      let date = own.moment(local)
      guard date > now else { return refuse("it is past", "sie ist vorbei") }
      draft = ReminderDraft(title, when: .once(date), zone: own)
    }
    draft.note = item.details ?? ""
    draft.uid = item.uid
    missing += item.unreadable
    for alarm in item.alarms {
      // Alarms of a whole day count from midnight.
      guard let seconds = lead(alarm, item, local, own, isDay: main.isDate) else {
        missing.append(
          LocalizedText("an alarm (VALARM) after its time", de: "ein Alarm (VALARM) nach ihrer Zeit"))
        continue
      }
      if seconds > 0 { draft.leads.append(seconds) }
      if alarm.repetitions > 0 {
        missing.append(
          LocalizedText("the repetitions of an alarm (REPEAT)", de: "die Wiederholungen eines Alarms (REPEAT)"))
      }
    }
    draft.leads = Set(draft.leads).sorted(by: >)
    return .success((draft, missing))
  }

  /// How many seconds before the time an alarm goes off; `nil` where it does after it.
  private static func lead(
    _ alarm: CalendarItem.Alarm, _ item: CalendarItem, _ local: LocalTime, _ zone: Zone, isDay: Bool
  ) -> Double? {
    let ahead = isDay ? Double(morning) : 0
    let seconds: Double =
      switch alarm.trigger {
      case .fromStart(let distance):
        item.kind == .task && item.end != nil && item.start != nil
          ? ahead - Double(distance) + Double(item.length ?? 0) : ahead - Double(distance)
      case .fromEnd(let distance):
        ahead - Double(distance) - (item.kind == .task ? 0 : Double(item.length ?? 0))
      case .at(let date): zone.moment(local).timeIntervalSince(date)
      }
    return seconds < 0 ? nil : seconds
  }

  /// When whole days are due, in seconds from midnight.
  private static let morning = 9 * 3600

  private static func lineNumber(at offset: Int, in text: String) -> Int {
    text.utf8.prefix(max(0, offset)).count { $0 == 0x0A } + 1
  }

  // MARK: - Export

  /// A reminder to export.
  struct Exported {
    /// What tells it apart from all other entries, the same in each export.
    var uid: String
    var title: String
    var note: String
    var when: Phrase.When
    var zone: Zone
    var leads: [Double]
  }

  static func item(_ reminder: Exported, now: Date) -> CalendarItem? {
    var item = CalendarItem(.task, uid: reminder.uid, summary: reminder.title)
    item.details = reminder.note.isEmpty ? nil : reminder.note
    func time(_ date: Date) -> CalendarTime { CalendarTime(reminder.zone.local(date), zone: reminder.zone) }
    switch reminder.when {
    case .once(let date): item.end = time(date)
    case .repeated(let schedule):
      guard case .recurrence(let series) = schedule.form, let next = schedule.next(after: now) else { return nil }
      item.rule = series.rule
      let zone = reminder.zone
      let coming = series.singleTimes.filter { zone.moment($0) > now }
      if let rule = series.rule {
        let own = Schedules.Schedule(.recurrence(Recurrence(rule, start: series.start, zone: zone)), zone: zone)
        // A number of times counts from the first one.
        let begin = rule.count == nil ? now : zone.moment(series.start).addingTimeInterval(-1)
        item.start = time(own.next(after: begin) ?? next)
        item.additional = coming.map { CalendarTime($0, zone: zone) }
        for day in series.exceptionDays where zone.moment(day) > now.addingTimeInterval(-86_400) {
          let times = own.occurrences(after: zone.moment(day).addingTimeInterval(-1)).prefix {
            zone.local($0) < LocalTime(seconds: day.seconds + 86_400)
          }
          item.excluded += times.prefix(100).map(time)
        }
      } else {
        item.start = time(next)
        item.additional = coming.dropFirst().map { CalendarTime($0, zone: zone) }
      }
    }
    let isOnce = item.end != nil
    for lead in reminder.leads + [0] {
      item.alarms.append(.init(isOnce ? .fromEnd(-Int(lead)) : .fromStart(-Int(lead))))
    }
    return item
  }
}

extension Session {
  /// The reminders as the content of an .ics file: tasks with alarms.
  ///
  /// - Returns: The content, and the reminders that it cannot say.
  public func exportReminders(
    now: Date = Date()
  ) async throws(UseCaseError) -> (text: String, remarks: [ReminderCalendar.Remark]) {
    let moment = Timestamp(seconds: Int64(now.timeIntervalSince1970))
    var items: [CalendarItem] = []
    var remarks: [ReminderCalendar.Remark] = []
    func add(_ reminder: ReminderCalendar.Exported?, _ title: String) {
      if let item = reminder.flatMap({ ReminderCalendar.item($0, now: now) }) { return items.append(item) }
      remarks.append(
        .init(
          line: 0, title: title,
          reason: .init(
            "an .ics file cannot say when it comes", de: "eine .ics-Datei kann nicht sagen, wann sie kommt")))
    }
    let runs = try await mapErrors { try await ReminderRun.all(in: store, areOpen: true) }
    for run in runs.newest {
      let entry = run.entry(at: moment)
      guard let next = run.round.round == 0 ? entry.at : entry.next, next > moment else { continue }
      let leads = run.record?.leads ?? []
      add(
        .init(
          uid: run.uid, title: entry.title, note: run.record?.note ?? "",
          when: .once(Date(timeIntervalSince1970: Double(next.seconds))),
          zone: .current, leads: run.round.round <= 1 && run.round.wait == .time ? leads : []), entry.title)
    }
    for recipe in project.reminderRecipes(now: moment) {
      let schedules = (project.planning(recipe.path).plan?.triggers ?? []).compactMap { trigger in
        if case .schedule(let schedule) = trigger.kind { schedule } else { nil }
      }
      // A rule and single times beside it are one entry, as an import has written them.
      let isJoined = schedules.count == 2 && schedules[0].pattern.isRule && schedules[1].pattern.isOnce
      for (number, schedule) in schedules.enumerated() where !(isJoined && number == 1) {
        let uid = number == 0 ? recipe.uid : "\(schedule.key)/\(recipe.uid)"
        add(recipe.exported(schedule, uid, beside: isJoined ? schedules[1] : nil), recipe.plan.name)
      }
    }
    return (CalendarFile(items: items).text(stamp: now), remarks)
  }
}

extension ReminderRun {
  /// The UID of the calendar entry that it was imported from; empty for none.
  var importedUID: String { record?.uid ?? "" }

  /// The UID of its entry in a calendar: that of the calendar that it came from, else one made from the reminder's name.
  var uid: String { importedUID.isEmpty ? "\(round.reminder)@sous" : importedUID }
}

extension ServedRecipe {
  /// The UID of its entry in a calendar: that of the calendar that it came from, else one made from its name.
  var uid: String { reminder.map(\.uid).flatMap { $0.isEmpty ? nil : $0 } ?? "\(plan.name)@sous" }

  /// The reminder as the recipe says it; `nil` for recipes of other kinds.
  var reminder: ReminderRecord? { plan.source.flatMap { ReminderRecord(SourceText(path: path, text: $0)) } }

  /// A schedule of the recipe for an .ics file; `nil` where it is neither a rule nor single times.
  fileprivate func exported(
    _ schedule: Plans.Schedule, _ uid: String, beside times: Plans.Schedule?
  ) -> ReminderCalendar.Exported? {
    guard schedule.exceptions.files.isEmpty, let points = try? schedule.points() else { return nil }
    let zone = schedule.zone
    let series: Recurrence
    switch points.form {
    case .recurrence(let found):
      var single: [LocalTime] = []
      if let times = try? times?.points(), case .once(let found) = times.form { single = found }
      series = Recurrence(
        found.rule, start: found.start, additional: single, excludedDays: schedule.exceptions.days, zone: zone)
    case .once(let found):
      guard let first = found.first else { return nil }
      series = Recurrence(
        nil, start: first, additional: found, excludedDays: schedule.exceptions.days, zone: zone)
    default: return nil
    }
    return ReminderCalendar.Exported(
      uid: uid, title: plan.name, note: reminder?.note ?? "",
      when: .repeated(.init(.recurrence(series), zone: zone)), zone: zone, leads: plan.reminding?.leads ?? [])
  }
}

extension Plans.Schedule.Pattern {
  fileprivate var isRule: Bool { if case .rrule = self { true } else { false } }
  fileprivate var isOnce: Bool { if case .once = self { true } else { false } }
}
