import Builtins
import Engine
import Expressions
public import Foundation
public import Localization
import Recipes
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
    for entry in entries {
      moveLine(to: entry.offset)
      let title = entry.title
      switch entry.item {
      case .success(let item):
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
    if item.replaces != nil {
      return refuse(
        "it changes one time of a series (RECURRENCE-ID)", "sie ändert einen Termin einer Reihe (RECURRENCE-ID)")
    }
    guard let main = item.kind == .task ? item.end ?? item.start : item.start ?? item.end else {
      return refuse("it has no time", "sie hat keine Zeit")
    }
    let own = main.zone ?? zone
    // A whole day is due in the morning, as in words.
    let local = main.isDate ? LocalTime(seconds: main.local.seconds + 9 * 3600) : main.local
    var missing: [LocalizedText] = []
    var draft: ReminderDraft
    if item.isRepeated {
      guard let rule = item.rule, item.additional.isEmpty, item.excluded.isEmpty else {
        return refuse(
          "it has times of its own or exceptions (RDATE, EXDATE)",
          "sie hat eigene Zeiten oder Ausnahmen (RDATE, EXDATE)")
      }
      let schedule = Schedules.Schedule(.recurrence(Recurrence(rule, start: local, zone: own)), zone: own)
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
    for alarm in item.alarms {
      guard let seconds = lead(alarm, item, local, own) else {
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
    _ alarm: CalendarItem.Alarm, _ item: CalendarItem, _ local: LocalTime, _ zone: Zone
  ) -> Double? {
    let seconds: Double =
      switch alarm.trigger {
      case .fromStart(let distance):
        item.kind == .task && item.end != nil && item.start != nil
          ? -Double(distance) + Double(item.length ?? 0) : -Double(distance)
      case .fromEnd(let distance):
        item.kind == .task ? -Double(distance) : -Double(distance) - Double(item.length ?? 0)
      case .at(let date): zone.moment(local).timeIntervalSince(date)
      }
    return seconds < 0 ? nil : seconds
  }

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
      guard case .recurrence(let series) = schedule.form, let rule = series.rule,
        let first = schedule.next(after: now)
      else { return nil }
      item.start = time(first)
      item.rule = rule
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
    let runs = try await typed { try await ReminderRun.all(in: store, of: project, areOpen: true) }
    for run in runs.newest {
      let entry = run.entry(at: moment)
      guard let next = run.round.round == 0 ? entry.at : entry.next, next > moment else { continue }
      let leads = run.plan(in: project)?.reminding?.leads ?? []
      add(
        .init(
          uid: run.uid, title: entry.title, note: "", when: .once(Date(timeIntervalSince1970: Double(next.seconds))),
          zone: .current, leads: run.round.round <= 1 && run.round.wait == .time ? leads : []), entry.title)
    }
    for recipe in project.reminderRecipes(now: moment) {
      var uid = recipe.uid
      for (number, trigger) in (project.planning(recipe.path).plan?.triggers ?? []).enumerated() {
        guard case .schedule(let schedule) = trigger.kind else { continue }
        if number > 0 { uid = "\(schedule.key)/\(recipe.uid)" }
        add(recipe.exported(schedule, uid, after: moment), recipe.plan.name)
      }
    }
    return (CalendarFile(items: items).text(stamp: now), remarks)
  }
}

extension ReminderRun {
  /// The UID of its entry in a calendar: that of the calendar that it came from, else one made from the reminder's name.
  var uid: String { ReminderText.uid(in: start.source) ?? "\(round.reminder)@sous" }

  /// The plan of the recipe as the run has it.
  func plan(in project: Project) -> Plan? {
    start.source.flatMap { project.planning(SourceText(path: start.path, text: $0), recipes: start.recipes).plan }
  }
}

extension ServedRecipe {
  /// The UID of its entry in a calendar: that of the calendar that it came from, else one made from its name.
  var uid: String { ReminderText.uid(in: plan.source) ?? "\(plan.name)@sous" }

  /// A schedule of the recipe for an .ics file; `nil` where it is no rule.
  fileprivate func exported(
    _ schedule: Recipes.Schedule, _ uid: String, after moment: Timestamp
  ) -> ReminderCalendar.Exported? {
    guard case .rrule(let rule) = schedule.pattern, let first = next(after: moment) else { return nil }
    let zone = schedule.timezone.flatMap { Zone($0) } ?? .current
    let start = zone.local(Date(timeIntervalSince1970: Double(first.seconds)))
    return ReminderCalendar.Exported(
      uid: uid, title: plan.name, note: plan.summary ?? "",
      when: .repeated(.init(.recurrence(Recurrence(rule, start: start, zone: zone)), zone: zone)), zone: zone,
      leads: plan.reminding?.leads ?? [])
  }
}
