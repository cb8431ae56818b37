import Engine
public import Expressions
import Localization
import Plans
import RunStore

extension Session {
  /// Points that are run afterwards at once, at most.
  public static var mostBackfill: Int { 1000 }

  /// Seconds for which the run log keeps what has become of points of schedules.
  package static var occurrenceMemory: Double { 90 * 86_400 }

  /// Puts runs into the queue for points of a recipe's schedules that are over. They take turns; a point that has had a run
  /// has no second one.
  ///
  /// - Parameters:
  ///   - name: A recipe's name or file, or `FILE#KEY` for one of its schedules.
  ///   - from: The first moment that counts.
  ///   - to: The last one; not in the future.
  ///   - onlyMissed: Whether only points count that passed while no daemon ran.
  ///   - isForced: Whether points count of which it is not known any more whether they have had a run.
  /// - Returns: The points that have got a run, and how many points lie in the period.
  /// - Throws: ``UseCaseError`` where nothing is called so, or where there are too many points or too old ones.
  public func backfill(
    _ name: String, from: Timestamp, to: Timestamp, onlyMissed: Bool, isForced: Bool = false
  ) async throws(UseCaseError) -> BackfillReport {
    let now = SystemTime().now
    guard from <= to else {
      throw .wrongInput(
        .init(
          "the end of the period (\(to.rfc3339)) is before its beginning (\(from.rfc3339))",
          de: "das Ende des Zeitraums (\(to.rfc3339)) liegt vor seinem Anfang (\(from.rfc3339))"))
    }
    let (recipe, schedules) = try servedSchedules(name, at: now)
    var report = BackfillReport(begun: [], pointCount: 0, onlyMissed: onlyMissed)
    for schedule in schedules {
      let points = try points(of: schedule, recipe, from: from, to: min(to, now), at: now)
      if !isForced, !onlyMissed, let first = points.first?.at, first < now.adding(seconds: -Self.occurrenceMemory) {
        throw .wrongInput(
          .init(
            "nobody knows any more whether \(first.rfc3339) has had a run; --force begins one all the same",
            de: "ob \(first.rfc3339) schon lief, ist nicht mehr bekannt; --force beginnt trotzdem einen Lauf"))
      }
      report.pointCount += points.count
      report.begun += try await mapErrors {
        _ = try await store.begin([
          ScheduleRecord(source: schedule.source, recipe: recipe.plan.name, digest: "", cursor: now)
        ])
        return try await store.backfill(schedule.source, points, onlyMissed: onlyMissed)
      }
    }
    report.begun.sort { $0.at < $1.at }
    return report
  }

  private func servedSchedules(
    _ name: String, at now: Timestamp
  ) throws(UseCaseError) -> (ServedRecipe, [ServedRecipe.ServedSchedule]) {
    var servedRecipes = ServedRecipes(of: project)
    _ = servedRecipes.update(project, at: now, monotonic: 0)
    let file = name.split(separator: "#", maxSplits: 1).first.map(String.init) ?? name
    let path = CheckedFiles.canonical(project.workspace.surroundings.resolve(file))
    let found = servedRecipes.recipes.filter { $0.path == path || $0.plan.name == name }
    if found.isEmpty { _ = try project.plan(project.servedPath(of: file)) }
    guard let recipe = found.first, found.count == 1 else {
      throw .wrongInput(
        .init(
          "no recipe '\(name)', or several, in the folders that are served",
          de: "kein Rezept '\(name)', oder mehrere, in den Ordnern des Servers"))
    }
    // What a reminder tells ahead of its time has passed with that time.
    let schedules = recipe.schedules.filter { $0.lead == 0 }.filter {
      file == name || $0.source == path + name.dropFirst(file.count)
    }
    guard !schedules.isEmpty else {
      throw .notFound(.init("'\(name)' has no schedule", de: "'\(name)' hat keinen Zeitplan"))
    }
    return (recipe, schedules)
  }

  private func points(
    of schedule: ServedRecipe.ServedSchedule, _ recipe: ServedRecipe, from: Timestamp, to: Timestamp, at now: Timestamp
  ) throws(UseCaseError) -> [BackfillPoint] {
    var points: [BackfillPoint] = []
    var point = schedule.machine.point(after: from.adding(seconds: -1))
    while let at = point, at <= to {
      guard points.count < Self.mostBackfill else {
        throw .wrongInput(
          .init(
            "more than \(Self.mostBackfill) points lie there; name a shorter time",
            de: "dort liegen mehr als \(Self.mostBackfill) Punkte; einen kürzeren Zeitraum nennen"))
      }
      point = schedule.machine.point(after: at)
      do throws(EngineError) {
        let start = try start(of: recipe, schedule, at: at, isCaughtUp: true, now: now)
        points.append(BackfillPoint(at: at, next: point, start: start))
      } catch {
        throw UseCaseError(error)
      }
    }
    return points
  }
}
