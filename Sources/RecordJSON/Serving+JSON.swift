public import Engine
public import Expressions
public import Localization
public import Plans
public import RunStore
public import UseCases

// JSON forms of what is served, for `--json` and the API. Times are RFC 3339 in UTC; fields without a value are null.

extension ScheduleRecord {
  /// The schedule: `{source, recipe, next, paused, cursor, run, caught_up, skipped, missed, late, failures}`.
  public var json: Value {
    [
      "source": .string(source), "recipe": .string(recipe), "next": nextDue.map { .string($0.rfc3339) } ?? .null,
      "paused": .bool(isPaused), "cursor": .string(cursor.rfc3339), "run": .int(Int64(counts.run)),
      "caught_up": .int(Int64(counts.caughtUp)), "skipped": .int(Int64(counts.skipped)),
      "missed": .int(Int64(counts.missed)), "late": .int(Int64(counts.late)), "failures": .int(Int64(failures)),
    ]
  }
}

extension OccurrenceRecord {
  /// The point of a schedule: `{source, at, until, count, outcome, run}`.
  public var json: Value {
    [
      "source": .string(source), "at": .string(at.rfc3339), "until": .string(until.rfc3339),
      "count": .int(Int64(count)),
      "outcome": .string(outcome.rawValue), "run": run.map { .string($0.rawValue) } ?? .null,
    ]
  }
}

extension TriggerHealth {
  /// The trigger: `{subscription, recipe, path, trigger, provider, alive_at, event_at, events, reconnects, refused, lag_seconds,
  /// cursor, trouble, listening}`.
  ///
  /// - Parameters:
  ///   - isServed: Whether a process serves recipes.
  ///   - language: The language of `trouble`.
  public func json(isServed: Bool, in language: Language) -> Value {
    [
      "subscription": .string(subscription), "recipe": .string(recipe), "path": .string(path),
      "trigger": .string(trigger), "provider": .string(provider),
      "alive_at": aliveAt.map { .string($0.rfc3339) } ?? .null,
      "event_at": eventAt.map { .string($0.rfc3339) } ?? .null, "events": .int(Int64(events)),
      "reconnects": .int(isWebhook ? 0 : Int64(reconnects)), "refused": .int(isWebhook ? Int64(reconnects) : 0),
      "lag_seconds": lag.map { .double($0) } ?? .null,
      "cursor": cursor.map { .string($0) } ?? .null,
      "trouble": trouble.map { .string($0.string(in: language)) } ?? .null,
      "listening": .bool(isServed && trouble == nil),
    ]
  }
}

extension RecipeEntry {
  /// The recipe: `{path, name, kind, triggers, disabled, problems, tool}`.
  public func json(in language: Language) -> Value {
    [
      "path": .string(path), "name": name.map { .string($0) } ?? .null, "kind": .string(kind),
      "triggers": .int(Int64(triggers)), "disabled": .bool(isDisabled),
      "problems": .list(problems.map { .string($0.string(in: language)) }),
      "tool": tool.map(\.json) ?? .null,
    ]
  }
}

extension RecipeTool {
  /// The tool: `{name, description, approve}`, null if the recipe does not say it.
  public var json: Value {
    .object([("name", .text(name)), ("description", .text(summary)), ("approve", .text(approval?.rawValue))])
  }
}

extension NotificationRecord {
  /// The notification: `{number, recipe, run, title, text, priority, tags, link, key, at, read_at, provider, delivered_at, trouble,
  /// mail_trouble}`.
  public func json(in language: Language) -> Value {
    [
      "number": .int(Int64(number)), "recipe": .string(recipe), "run": .string(run), "title": .string(title),
      "text": .string(text), "priority": .string(priority.rawValue), "tags": .list(tags.map { .string($0) }),
      "link": link.map { .string($0) } ?? .null, "key": key.map { .string($0) } ?? .null,
      "at": .string(at.rfc3339), "read_at": readAt.map { .string($0.rfc3339) } ?? .null,
      "provider": provider.map { .string($0) } ?? .null,
      "delivered_at": deliveredAt.map { .string($0.rfc3339) } ?? .null,
      "trouble": trouble.map { .string($0.string(in: language)) } ?? .null,
      "mail_trouble": mailTrouble.map { .string($0.string(in: language)) } ?? .null,
    ]
  }
}

extension Doubt {
  /// The attempt: `{run, step, item, attempt, action}`, and `process` if its program still runs.
  ///
  /// - Parameter process: The number of that program.
  public func json(process: Int32? = nil) -> Value {
    var fields: ValueMap = [
      "run": .string(run.rawValue), "step": .string(step), "item": item.map { .int(Int64($0)) } ?? .null,
      "attempt": .int(Int64(attempt)), "action": .string(action),
    ]
    if let process { fields["process"] = .int(Int64(process)) }
    return .map(fields)
  }
}

extension ServingStatus {
  /// Whether the recipe of a schedule is switched off.
  public func isDisabled(_ schedule: ScheduleRecord) -> Bool {
    disabled.contains { schedule.source.hasPrefix($0 + "#") }
  }

  /// Whether a monitor has nothing to report: a server works, and no file, schedule, trigger or run is in trouble.
  public func isWell(at now: Timestamp) -> Bool {
    let alive = servers.filter { $0.isAlive(at: now) }
    return !alive.isEmpty && alive.allSatisfy(\.problems.isEmpty)
      && !servers.contains { $0.isThere && !$0.isAlive(at: now) }
      && !schedules.contains { $0.failures > 0 && !isDisabled($0) } && !triggers.contains { $0.trouble != nil }
      && !runs.contains { $0.status == .needsAttention }
  }

  /// The served recipes, schedules and triggers: `{servers, runs, schedules, triggers, disabled, pings, unread_notifications, ok}`.
  public func json(at now: Timestamp, in language: Language) -> Value {
    let isServed = servers.contains { $0.isAlive(at: now) }
    return [
      "servers": .list(
        servers.map { server in
          [
            "host": .string(server.host), "pid": .int(Int64(server.pid)), "began_at": .string(server.beganAt.rfc3339),
            "alive": .bool(server.isAlive(at: now)), "recipes": .int(Int64(server.recipes)),
            "problems": .list(
              server.problems.map { ["path": .string($0.path), "message": .string($0.message.string(in: language))] }),
          ]
        }),
      "runs": .list(runs.map(\.json)), "schedules": .list(schedules.map(\.json)),
      "triggers": .list(triggers.map { $0.json(isServed: isServed, in: language) }),
      "disabled": .list(disabled.sorted().map { .string($0) }),
      "pings": .list(
        pings.map {
          [
            "recipe": .string($0.recipe), "at": .string($0.at.rfc3339),
            "message": .string($0.reason.string(in: language)),
          ]
        }),
      "unread_notifications": .int(Int64(unread)), "ok": .bool(isWell(at: now)),
    ]
  }
}
