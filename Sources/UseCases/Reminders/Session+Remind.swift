public import Engine
import Expressions
public import Foundation
import Localization
import OperatingSystem
import Plans
import RecipeModel
import RecipePlanning
import RecipeSyntax
import RunStore
import Schedules

/// Where a reminder is kept.
public enum KeptReminder: Sendable {
  /// It comes once: a run that waits for its time.
  case run(RunID)
  /// It comes again and again: a recipe, which `sous serve` starts.
  case recipe(String, name: String)
}

extension Session {
  /// Keeps a reminder: one that comes once as a run, one that comes again and again as a recipe in the first of the folders
  /// that `sous serve` looks at.
  ///
  /// - Parameter run: The id of the run of one that comes once, so that it is kept once; `nil` for a new one.
  /// - Returns: Where it is kept, on disk.
  /// - Throws: ``UseCaseError`` where it cannot be delivered as the configuration is, or cannot be written.
  public func remind(
    _ draft: ReminderDraft, now: Date = Date(), as run: RunID? = nil
  ) async throws(UseCaseError) -> KeptReminder {
    let text = try ReminderText(draft: draft, ways: draft.ways.isEmpty ? project.reminderWays() : draft.ways)
    switch draft.when {
    case .once(let date):
      let plan = try project.plan(
        of: SourceText(path: project.oneTimeReminder, text: text.once(at: date)), from: .reminder)
      return .run(try await remind(plan, as: run))
    case .repeated:
      let named = try named(text, now: now)
      return .recipe(try project.write(named, now: now), name: named.name)
    }
  }

  /// The text under a name that no recipe has: of two recipes of one name only the first is served.
  ///
  /// A reminder of a calendar keeps its name, as it replaces what was imported of its entry before.
  /// - Throws: ``UseCaseError``: `wrong_input` if a recipe is the same reminder.
  private func named(_ text: ReminderText, now: Date) throws(UseCaseError) -> ReminderText {
    guard text.draft.uid.isEmpty else { return text }
    let served = project.servedRecipes(now: Timestamp(seconds: Int64(now.timeIntervalSince1970)))
    let record = text.record
    if let same = served.first(where: { saysSame($0, record, text.draft, now) }) {
      throw .wrongInput(
        LocalizedText(
          "there is this reminder already: \(same.path)", de: "diese Erinnerung gibt es schon: \(same.path)"))
    }
    var text = text
    let names = Set(served.map(\.plan.name))
    while names.contains(text.name) { text.number += 1 }
    return text
  }

  private func remind(_ plan: Plan, as run: RunID?) async throws(UseCaseError) -> RunID {
    try await mapErrors {
      if let run, try await store.hasRun(run) { return run }
      let id = run ?? .new()
      return try await engine.enqueue([(plan, RunRequest(id: id, inputs: .map([:]), trigger: "remind"))]).first ?? id
    }
  }
}

// MARK: - Import

/// What has become of a reminder that was imported.
public enum ImportedReminder: Sendable {
  /// It is new.
  case kept
  /// It takes the place of what the same entry of the calendar said before.
  case changed
  /// The same entry is there already, and says the same.
  case known
}

extension Session {
  /// Keeps a reminder of a calendar. What was imported of the same entry before is not kept twice: where it says something
  /// else now, that takes its place. What ``exportReminders(now:)`` has written is there already.
  ///
  /// - Throws: ``UseCaseError`` as ``remind(_:now:)``; `run_state` where the earlier one is being delivered, `wrong_input`
  ///   where an entry that was exported says something else than its reminder here.
  public func importReminder(_ draft: ReminderDraft, now: Date = Date()) async throws(UseCaseError) -> ImportedReminder
  {
    guard !draft.uid.isEmpty else {
      _ = try await remind(draft, now: now)
      return .kept
    }
    let text = try ReminderText(draft: draft, ways: draft.ways.isEmpty ? project.reminderWays() : draft.ways)
    let moment = Timestamp(seconds: Int64(now.timeIntervalSince1970))
    let all = try await mapErrors { try await ReminderRun.all(in: store, areOpen: true) }
    let served = project.reminderRecipes(now: moment)
    let runs = all.filter { $0.importedUID == draft.uid }
    let recipes = served.filter { $0.reminder?.uid == draft.uid }
    if runs.isEmpty, recipes.isEmpty, try known(draft, text, all, served, now: now) { return .known }
    let wanted = text.record
    if runs.contains(where: { saysSame($0, wanted, draft) })
      || recipes.contains(where: { saysSame($0, wanted, draft, now) })
    {
      return .known
    }
    // Nothing is taken away that cannot be put back: what is new comes first.
    _ = try await remind(draft, now: now)
    for recipe in recipes { _ = unlink(recipe.path) }
    for run in runs {
      let reason = LocalizedText("changed in the calendar", de: "im Kalender geändert")
      _ = try await mapErrors { try await store.withdraw(run.summary.id, reason, at: SystemTime().now) }
    }
    return runs.isEmpty && recipes.isEmpty ? .kept : .changed
  }
}

extension Session {
  /// Whether a run says what a text says; the zone that its time is written in does not matter.
  private func saysSame(_ run: ReminderRun, _ wanted: ReminderRecord?, _ draft: ReminderDraft) -> Bool {
    guard case .once(let date) = draft.when, let record = run.record, record.untimed == wanted else { return false }
    return record.at?.seconds == Int64(date.timeIntervalSince1970)
  }

  private func saysSame(_ recipe: ServedRecipe, _ wanted: ReminderRecord?, _ draft: ReminderDraft, _ now: Date) -> Bool
  {
    guard case .repeated(let schedule) = draft.when, let record = recipe.reminder, record.untimed == wanted,
      let plan = project.planning(recipe.path).plan
    else { return false }
    return project.agrees(plan.triggers, with: schedule, from: now)
  }

  /// Whether an entry is a reminder of this workspace that was exported.
  private func known(
    _ draft: ReminderDraft, _ text: ReminderText, _ runs: [ReminderRun], _ recipes: [ServedRecipe], now: Date
  ) throws(UseCaseError) -> Bool {
    let moment = Timestamp(seconds: Int64(now.timeIntervalSince1970))
    let own = runs.newest.filter { $0.uid == draft.uid && $0.importedUID.isEmpty }
    // The first schedule of a recipe has the UID alone, each further one with its key before it.
    let series = recipes.filter { draft.uid == $0.uid || draft.uid.hasSuffix("/\($0.uid)") }
    guard !own.isEmpty || !series.isEmpty else { return false }
    var isSame = false
    switch draft.when {
    case .once(let date):
      isSame = own.contains { run in
        let entry = run.entry(at: moment)
        return entry.title == text.name && entry.next?.seconds == Int64(date.timeIntervalSince1970)
      }
    case .repeated(let schedule):
      isSame = series.contains { recipe in
        guard recipe.plan.name == text.name, let plan = project.planning(recipe.path).plan else { return false }
        return project.agrees(plan.triggers, with: schedule, from: now)
          || plan.triggers.contains { project.agrees([$0], with: schedule, from: now) }
      }
    }
    guard !isSame else { return true }
    let place = series.first?.path ?? own.first?.summary.id.rawValue ?? ""
    throw .wrongInput(
      LocalizedText(
        "it was exported from here and says something else now: change \(place) itself, or delete it first",
        de: "sie wurde von hier exportiert und sagt jetzt etwas anderes: \(place) selbst ändern oder vorher löschen"))
  }
}

extension Project {
  /// The label in the place of a path for the runs of reminders that come once.
  var oneTimeReminder: String { configuration.resolve("reminder.yaml") }

  /// Writes the recipe of a reminder that comes again and again.
  ///
  /// - Returns: The file.
  fileprivate func write(_ text: ReminderText, now: Date) throws(UseCaseError) -> String {
    guard let folder = servedFolders.first else {
      throw .environment(.init("no folder for recipes", de: "kein Ordner für Rezepte"))
    }
    let recipe = try recurringRecipe(text, in: folder, now: now)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw Self.unwritable(folder, errno)
    }
    for number in 1...1000 {
      let path = folder + "/" + text.fileName + (number == 1 ? "" : "-\(number)") + ".yaml"
      do throws(SystemError) {
        // The file takes the place of no other.
        try AtomicFile.write(
          Array(recipe.utf8), to: path, temporary: folder + "/.\(text.fileName).\(getpid()).partial", mode: nil,
          replacing: false)
        return path
      } catch {
        guard error.code == EEXIST else { throw Self.unwritable(folder, error.code) }
      }
    }
    throw .environment(.init("too many files of that name", de: "zu viele Dateien dieses Namens"))
  }

  private static func unwritable(_ folder: String, _ code: Int32) -> UseCaseError {
    .environment(
      LocalizedText(
        "the recipe cannot be written to \(folder): ", de: "das Rezept lässt sich nicht nach \(folder) schreiben: ")
        + .systemError(code))
  }

  /// The recipe whose schedule comes at the times that were understood.
  fileprivate func recurringRecipe(_ text: ReminderText, in folder: String, now: Date) throws(UseCaseError) -> String {
    guard case .repeated(let schedule) = text.draft.when else { return "" }
    var last: UseCaseError?
    let forms = text.schedules()
    for form in forms {
      let recipe = text.repeated(form)
      let path = folder + "/" + text.fileName + ".yaml"
      do throws(UseCaseError) {
        let plan = try plan(of: SourceText(path: path, text: recipe), from: .file)
        if agrees(plan.triggers, with: schedule, from: now) { return recipe }
      } catch {
        // What is wrong with a later form alone says only that this form does not do.
        if form == forms.first { last = error }
      }
    }
    if let last { throw last }
    throw .wrongInput(
      .init(
        "a recipe cannot say when this is due: write it as a reminder with a schedule of its own",
        de: "ein Rezept kann nicht sagen, wann das fällig ist: als Erinnerung mit eigenem Zeitplan schreiben"))
  }

  /// Whether triggers come at the same times as a schedule.
  fileprivate func agrees(_ triggers: [Trigger], with schedule: Schedules.Schedule, from begin: Date) -> Bool {
    let points = triggers.compactMap { trigger in
      if case .schedule(let written) = trigger.kind { try? written.points() } else { nil }
    }
    guard !points.isEmpty, points.count == triggers.count else { return false }
    var begins = [begin]
    if case .recurrence(let series) = schedule.form {
      // Around each exception and each time of its own as well.
      begins += (series.exceptionDays + series.singleTimes).prefix(200).map {
        schedule.zone.moment($0).addingTimeInterval(-86_400)
      }.filter { $0 > begin }
    }
    return begins.allSatisfy { begin in
      var moment = begin
      for _ in 0..<6 {
        let wanted = schedule.next(after: moment)
        guard points.compactMap({ $0.next(after: moment) }).min() == wanted else { return false }
        guard let wanted else { return true }
        moment = wanted
      }
      return true
    }
  }
}

extension ServedRecipe {
  /// When it is due next by its schedules; `nil` for never.
  func next(after moment: Timestamp) -> Timestamp? {
    schedules.filter { $0.lead == 0 }.compactMap { served in
      let record = ScheduleRecord(
        source: served.source, recipe: plan.name, digest: "", cursor: moment)
      return served.machine.decide(record, at: moment).nextDue
    }.min()
  }
}
