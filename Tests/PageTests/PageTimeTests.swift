import Access
import Expressions
import Foundation
import Localization
import Schedules
import Testing

@testable import Page

/// Times on pages: one zone for those that are shown and those that are typed, and its name.
struct PageTimeTests {
  private func context(_ zone: String, _ language: Language = .english) throws -> PageContext {
    let actor = Actor(user: "ada", fullName: "Ada", roles: [.administrator])
    var context = PageContext(actor: actor, language: language, path: "/", csrfToken: nil, version: "1")
    context.zone = try #require(Zone(zone))
    return context
  }

  @Test(arguments: [
    ("2026-11-28T06:05:09Z", "Europe/Zurich", "28 Nov 2026, 07:05", "28.11.2026, 07:05", "2026-11-28T07:05:09"),
    ("2026-11-28T22:00:00.250Z", "Asia/Tokyo", "29 Nov 2026, 07:00", "29.11.2026, 07:00", "2026-11-29T07:00"),
    ("2026-07-01T06:00:00+02:00", "UTC", "1 Jul 2026, 04:00", "1.7.2026, 04:00", "2026-07-01T04:00"),
  ])
  func aTimeIsShownInTheZoneOfThePage(
    text: String, zone: String, english: String, german: String, field: String
  ) throws {
    #expect(try context(zone).time(.string(text)).markup.contains(">\(english)</time>"))
    #expect(try context(zone, .german).time(.string(text)).markup.contains(">\(german)</time>"))
    #expect(try context(zone).fieldTime(text) == field)
    let moment = try #require(Timestamp(rfc3339: text))
    let shown = try context(zone).zone.rfc3339(Date(timeIntervalSince1970: Double(moment.seconds)))
    #expect(try context(zone).clock(text).markup.contains(">\(shown.dropFirst(11).prefix(8))</time>"))
  }

  @Test func eachPageNamesItsZone() throws {
    let page = RemindersPage([:], isWhole: false)
    for zone in ["Asia/Tokyo", "America/St_Johns"] {
      let context = try context(zone)
      let text = PageLayout(context).document(page)
      #expect(
        text.contains("data-zone=\"\(zone)\"") && text.contains("All times are in \(zone) (UTC\(context.offset))."))
    }
  }

  @Test func fieldsForTimesHaveTheZoneOfThePage() throws {
    let context = try context("Asia/Tokyo")
    let note: Value = ["number": 1, "reminder": "2026-11-28T22:00:00Z"]
    let page = NoteFormPage(note, version: "1", categories: [:], tags: [:]).contents(context).markup
    #expect(page.contains("value=\"2026-11-29T07:00\"") && page.contains("Time zone: Asia/Tokyo."))
    let schema: Value = [
      "type": "object",
      "properties": ["at": ["type": "string", "format": "date-time", "default": "2026-11-28T22:00:00Z"]],
    ]
    let form = SchemaForm(schema, prefix: "a", context).fields.markup
    #expect(form.contains("value=\"2026-11-29T07:00\"") && form.contains("Time zone: Asia/Tokyo."), "\(form)")
  }

  // MARK: - The script

  static let node = ["/usr/bin/node", "/usr/local/bin/node"].first(where: FileManager.default.isExecutableFile)

  /// Runs a program behind other ones.
  private func run(_ bytes: [UInt8], _ program: String) throws -> String {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: try #require(Self.node))
    process.arguments = ["--input-type=module", "-"]
    // The zone of a browser elsewhere.
    process.environment = ["TZ": "America/Los_Angeles"]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    input.fileHandleForWriting.write(Data(bytes + Array(program.utf8)))
    try input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  /// A time that is typed into a field means the same in the browser as on the server, wherever the browser is.
  @Test(
    .enabled(if: PageTimeTests.node != nil, "Node.js is not installed"), .timeLimit(.minutes(1)),
    arguments: ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"])
  func aTypedTimeCountsInTheZoneOfThePage(zone: String) throws {
    let known = try #require(Zone(zone))
    // Each quarter of an hour of the days in which clocks change in 2026, and some others.
    let days = ["2026-03-08", "2026-03-29", "2026-04-05", "2026-07-01", "2026-10-04", "2026-10-25", "2026-11-01"]
    let texts = days.flatMap { day in
      (0..<96).map { quarter in
        let (hour, minute) = ("\(quarter / 4)", "\(quarter % 4 * 15)")
        return "\(day)T\(hour.count == 1 ? "0" : "")\(hour):\(minute.count == 1 ? "0" : "")\(minute)"
      }
    }
    let expected = try texts.map { text in
      let moment = known.moment(try #require(LocalTime(iso: text)))
      return Zone.utc.local(moment).description + ".000Z " + known.local(moment).description
    }
    let offset = try context(zone).offset
    let list = Value.list(texts.map { .string($0) }).jsonString
    let asset = try #require(PageAsset.all.first { $0.name == "zone.js" })
    let found = try run(
      asset.bytes,
      """

      const clock = new ZoneClock("\(zone)", "\(offset)");
      for (const text of \(list)) {
        const moment = clock.moment(text);
        console.log(moment.toISOString() + " " + clock.local(moment));
      }
      """
    ).split(separator: "\n").map(String.init)
    #expect(found.count == expected.count)
    for (text, (found, expected)) in zip(texts, zip(found, expected)) { #expect(found == expected, "\(text)") }
  }

  /// A line of a run's log names the same step in the live log and after a reload.
  @Test(.enabled(if: PageTimeTests.node != nil, "Node.js is not installed"), .timeLimit(.minutes(1)))
  func aLineOfTheLogHasOneNameForItsStep() throws {
    let asset = try #require(PageAsset.all.first { $0.name == "run.js" })
    let script = String(decoding: asset.bytes, as: UTF8.self)
    let start = try #require(script.range(of: "function placeOf"))
    let end = try #require(script.range(of: "\n}\n", range: start.lowerBound..<script.endIndex))
    let lines: [Value] = [
      ["step": "a"], ["step": .null], ["step": "send", "item": 2], ["step": "send", "within": []],
      ["step": "send", "item": 0, "within": [["step": "each", "item": 3], ["step": "inner", "item": .null]]],
      ["step": .null, "within": [["step": "each", "item": 3]]],
    ]
    let program = "\nconsole.log(\(Value.list(lines).jsonString).map(placeOf).join(\"\\n\"))"
    let found = try run(Array(script[start.lowerBound..<end.upperBound].utf8), program)
    #expect(found == lines.map { RunPage.place(of: $0) }.joined(separator: "\n") + "\n")
    #expect(RunPage.place(of: lines[4]).contains("each") && RunPage.place(of: lines[4]).contains("send"))
  }
}
