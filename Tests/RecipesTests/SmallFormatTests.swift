import Expressions
import Schedules
import Testing

@testable import Recipes

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
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (String(repeating: "a", count: 1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
  ])
  func fingerprintsAreSHA256(text: String, expected: String) {
    #expect(Fingerprint.hexadecimal(of: Array(text.utf8)) == expected)
    var parts = Fingerprint()
    for byte in text.utf8 { parts.append([byte]) }
    #expect(parts.finish() == expected)
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
