import Foundation
import Localization
import Schedules
import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipePlanning
@testable import RecipeSyntax

/// `schedule: every monday at 8`: the times it means, and the words that are refused.
@Suite struct WordScheduleTests {
  private func planning(_ words: String) -> Planning {
    Planner.standard().plan(
      SourceText(
        path: "r.yaml",
        text: "on: { schedule: \"\(words)\" }\nsteps: [{ uses: template, with: { text: x } }]\n"))
  }

  /// 2026-11-23 is a Monday. Times are local ones of the machine.
  @Test(arguments: [
    ("every monday at 8", ["2026-11-30 08:00", "2026-12-07 08:00"]),
    ("jeden Montag um 8", ["2026-11-30 08:00", "2026-12-07 08:00"]),
    ("täglich um 7:30", ["2026-11-24 07:30", "2026-11-25 07:30"]),
    ("weekdays at 9", ["2026-11-24 09:00", "2026-11-25 09:00"]),
    ("jeden Dienstag und Donnerstag um 18 Uhr", ["2026-11-24 18:00", "2026-11-26 18:00"]),
    ("jeden ersten Montag im Monat um 10", ["2026-12-07 10:00", "2027-01-04 10:00"]),
    ("every month", ["2026-12-01 09:00", "2027-01-01 09:00"]),
    ("every monday", ["2026-11-30 09:00", "2026-12-07 09:00"]),
    ("every 2 hours", ["2026-11-23 12:00", "2026-11-23 14:00"]),
    ("alle 15 Minuten", ["2026-11-23 10:15", "2026-11-23 10:30"]),
  ])
  func wordsMeanTheseTimes(_ words: String, _ expected: [String]) throws {
    let planning = planning(words)
    guard case .schedule(let schedule) = try #require(planning.plan?.triggers.first, "\(planning.summary)").kind else {
      Issue.record("no schedule")
      return
    }
    let points = try schedule.points()
    // The machine's zone may have any offset.
    let utc = try #require(Zone.moment(rfc3339: "2026-11-23T10:00:00Z"))
    let local = try #require(Zone.moment(rfc3339: points.zone.rfc3339(utc).prefix(19) + "Z"))
    let now = utc.addingTimeInterval(utc.timeIntervalSince(local))
    let found = points.occurrences(after: now).prefix(2).map { moment in
      String(points.zone.rfc3339(moment).prefix(16)).replacing("T", with: " ")
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("0 3 * * *", "cron"), ("@daily", "cron"), ("FREQ=DAILY", "rrule"), ("tomorrow at 8", "once"),
    ("every day from 1 December at 8", "first day"), ("every monday at 8 call Anna", "'call Anna'"),
    ("blah", "every Monday"),
    ("", "every Monday"), ("every day at 25:00", "25:00"), ("Morgen um 8", "once"),
  ])
  func otherWordsAreRefusedWithTheRightForm(_ words: String, _ hint: String) throws {
    let planning = planning(words)
    #expect(planning.plan == nil)
    let problem = try #require(planning.diagnostics.first { $0.severity == .error })
    #expect(problem.message.english.contains(hint), "\(problem.message.english)")
    #expect(problem.range?.start.line == 1)
  }

  /// Keys of GitHub Actions, Dagu, n8n, Kestra and cron.
  @Test(arguments: [
    ("steps: [{ uses: template, with: { text: x }, condition: 'true' }]", "when"),
    ("steps: [{ run: echo hi }]", "uses: exec"), ("steps: [{ script: echo hi }]", "uses: exec"),
    ("steps: [{ uses: template, with: { text: x }, depends: [b] }]", "needs"),
    ("steps: [{ uses: template, with: { text: x }, dependsOn: [b] }]", "needs"),
    ("steps: [{ uses: template, with: { text: x }, timeout-minutes: 5 }]", "timeout: 10m"),
    ("steps: [{ uses: template, with: { text: x }, continue-on-error: true }]", "on_error"),
    ("steps: [{ uses: template, with: { text: x }, retries: 3 }]", "retry: { attempts: 3 }"),
    ("steps: [{ uses: template, with: { text: x }, working-directory: x }]", "directory"),
    ("steps: [{ uses: template, args: { text: x } }]", "with"),
    ("jobs: { a: {} }", "'steps'"), ("tasks: [{ id: a }]", "'steps'"),
    ("schedule: x\nsteps: [{ uses: template, with: { text: x } }]", "cron"),
    ("params: { a: 1 }\nsteps: [{ uses: template, with: { text: x } }]", "inputs"),
    ("handlerOn: { failure: x }\nsteps: [{ uses: template, with: { text: x } }]", "on_failure"),
    ("steps: [{ uses: template, with: { text: x }, retry: { limit: 3 } }]", "attempts: 3"),
    ("steps: [{ uses: template, with: { text: x }, retry: { attempts: 3, interval: 5 } }]", "backoff: 10s"),
    ("on: { schedule: { crontab: '0 3 * * *' } }\nsteps: [{ uses: template, with: { text: x } }]", "cron: "),
    ("on: { schedule: { cron: '0 3 * * *', tz: UTC } }\nsteps: [{ uses: template, with: { text: x } }]", "timezone"),
  ])
  func aKeyOfAnotherProductNamesOurs(_ text: String, _ hint: String) {
    let planning = Planner.standard().plan(SourceText(path: "r.yaml", text: text + "\n"))
    #expect(planning.plan == nil)
    let messages = planning.diagnostics.filter { $0.severity == .error }.map(\.message.english)
    #expect(messages.contains { $0.hasPrefix("unknown key") && $0.contains(hint) }, "\(messages)")
  }
}
