import Expressions
import Schedules
import Testing

@testable import Plans
@testable import RecipeModel
@testable import RecipePlanning
@testable import Schemas

@Suite struct SmallFormatTests {
  @Test(
    arguments: [
      ("10s", 10), ("500ms", 0.5), ("1m30s", 90), ("2h", 7200), ("1d", 86_400), ("1d2h3m4s500ms", 93_784.5),
      ("1.5h", 5400),
      ("90", 90), ("0.5", 0.5), ("", nil), ("s", nil), ("10", 10), ("1s1m", nil), ("1s2s", nil), ("-1s", nil),
      ("1 s", nil),
      ("1e3", nil), ("9999999d", nil), ("1w", nil), ("1ms1", nil), ("..s", nil), ("inf", nil), ("nan", nil),
    ] as [(String, Double?)])
  func durationsAreRead(text: String, seconds: Double?) {
    #expect(DurationText.seconds(text) == seconds)
  }

  @Test(arguments: [
    ("{{ steps.a.output + steps.b }}", ["a", "b"]), ("steps.a {{ 'steps.b' + steps.c }}", ["c"]),
    ("{{ steps['d'].x }} {{ x.steps.e }}", ["d"]), ("{{ {'a': steps.f} }}", ["f"]), ("{{ \"}}\" + steps.g }}", ["g"]),
    ("{{ r'\\' + steps.h }}", ["h"]), ("{{ steps . i }}", ["i"]), ("{{ steps.size() }}", []), ("{{ mysteps.j }}", []),
    ("{{ '''steps.k''' + steps.l }}", ["l"]), ("{{ // steps.m\n steps.n }}", ["n"]),
    ("{{ inputs.o + keywords.p }}", ["o", "p"]),
    ("{{ steps", []), ("{{ steps.", []), ("{{ steps['", []), ("{{ '", []), ("{{ steps['q\\'] }}", []),
  ])
  func referencesAreFoundByTheirTokens(text: String, names: [String]) {
    #expect(ExpressionScan.references(inTemplate: text).map(\.name) == names)
    for reference in ExpressionScan.references(inTemplate: text) {
      #expect(String(decoding: Array(text.utf8)[reference.range], as: UTF8.self) == reference.name)
    }
  }

  @Test(arguments: [
    ("Länge", true), ("_x", true), ("a-b", true), ("日本", true), ("1a", false), ("", false), ("a b", false),
  ])
  func keywordNamesMayUseAnyScript(name: String, isValid: Bool) {
    #expect(KeywordName.isValid(name) == isValid)
  }

  @Test func triggersKeepWhatTheySay() throws {
    let planning = Planner.standard().plan(
      """
      on:
        - manual
        - mail: { provider: home, folder: Work }
        - mail: new
        - schedule: { cron: "@daily", overlap: queue, catch_up: { points: all, window: 2d, cap: 5 }, missing: skip, repeated: both }
        - schedule: { rrule: "FREQ=DAILY", at: "09:00", timezone: Europe/Zurich }
        - schedule: { every: 90s }
      steps:
        - { uses: template, with: { text: x } }
      """)
    let triggers = try #require(planning.plan, "\(planning.summary)").triggers
    #expect(triggers.count == 6)
    guard case .mail(let mail) = triggers[1].kind, case .schedule(let daily) = triggers[3].kind,
      case .schedule(let rule) = triggers[4].kind, case .schedule(let often) = triggers[5].kind
    else {
      Issue.record("wrong kinds")
      return
    }
    #expect(mail == MailEvent(kind: .new, provider: "home", folder: "Work"))
    #expect(
      daily.overlap == .queue(limit: 1) && daily.catchUp == .all && daily.catchUpWindow == 172_800
        && daily.catchUpCap == 5)
    #expect(daily.missing == .skip && daily.repeated == .both)
    #expect(rule.at == TimeOfDay("09:00") && rule.timezone == "Europe/Zurich")
    #expect(rule.pattern == .rrule(try RecurrenceRule("FREQ=DAILY")))
    #expect(often.pattern == .every(90) && often.overlap == .skip && often.catchUp == .last)
  }
}
