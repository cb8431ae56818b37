import Engine
import Expressions
import Localization
import TestSupport
import Testing

@testable import RunStore

@Suite(.timeLimit(.minutes(5)))
struct SearchTests {
  let folder: TemporaryFolder
  let store: RunStore

  init() throws {
    folder = try TemporaryFolder()
    store = try RunStore(path: folder("sous.db"), time: ManualTime())
  }

  private func find(_ text: String) async throws -> [String] {
    try await store.updateSearch()
    let words: SearchWords = try #require(SearchWords(text))
    return try await store.runs(RunFilter(words: words)).map(\.id.rawValue).sorted()
  }

  private func prepare() async throws {
    try await store.record(
      [
        SampleRun.started("01A", inputs: .map(["subject": .string("Rechnung für März")])),
        SampleRun.log("01A", "connected to mail.example.com"),
        .output(run: RunID(rawValue: "01A"), step: 0, item: nil, value: .map(["total": .int(4711)])),
        SampleRun.finished("01A"),
        SampleRun.started("01B", inputs: .map(["subject": .string("Newsletter \"weekly\"\nnews")])),
        SampleRun.finished(
          "01B", .failed,
          failure: ActionFailure(.timeout, .init("the server took too long", de: "der Server brauchte zu lange"))),
        SampleRun.started(
          "01C", recipe: "backup", inputs: .string(String(repeating: "filler ", count: 2000) + "needle")),
      ], durability: .committed)
  }

  static let searches: [(text: String, runs: [String])] = [
    ("rechnung", ["01A"]), ("RECHN", ["01A"]), ("fur marz", ["01A"]), ("\"für märz\"", ["01A"]), ("\"märz für\"", []),
    ("4711", ["01A"]), ("mail.example.com", ["01A"]), ("subject", ["01A", "01B"]), ("weekly", ["01B"]),
    ("lange", ["01B"]), ("server long", ["01B"]), ("server rechnung", []), ("needle", ["01C"]), ("backup", ["01C"]),
    ("AND", []), ("a* OR \"", []), ("news", ["01B"]), ("connected", ["01A"]), ("nosuchword", []),
  ]

  @Test(arguments: searches) func runsAreFoundByWhatTheyHold(_ search: (text: String, runs: [String])) async throws {
    try await prepare()
    #expect(try await find(search.text) == search.runs)
    try await store.close()
  }

  @Test(arguments: ["", "  ", "\"\"", "*", "- : \"(\""]) func aSearchNeedsAWord(_ text: String) {
    #expect(SearchWords(text) == nil)
  }

  @Test func whatARunAddsAtItsEndIsFoundToo() async throws {
    try await prepare()
    #expect(try await find("late") == [])
    try await store.record(
      [
        .output(run: RunID(rawValue: "01C"), step: 0, item: nil, value: .string("better late than never")),
        SampleRun.log("01C", "another line"), SampleRun.finished("01C"),
      ], durability: .committed)
    #expect(try await find("late") == ["01C"])
    #expect(try await find("another") == ["01C"])
    try await store.close()
  }

  @Test func removedRunsLeaveNothingInTheIndex() async throws {
    try await prepare()
    #expect(try await find("connected") == ["01A"])
    try await store.prune(RetentionPolicy(age: 1), at: SampleRun.start.adding(seconds: 1000))
    #expect(try await find("rechnung") == [])
    // The number of the removed line is used again.
    try await store.record([SampleRun.log("01C", "fresh words")], durability: .committed)
    #expect(try await find("fresh") == ["01C"])
    #expect(try await find("connected") == [])
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("INSERT INTO log_search (log_search, rank) VALUES ('integrity-check', 1)")
    try await probe.execute("INSERT INTO run_search (run_search, rank) VALUES ('integrity-check', 1)")
    try await store.close()
  }

  @Test func linesRemovedBeforeTheyWereIndexedDoNoHarm() async throws {
    try await prepare()
    try await store.prune(RetentionPolicy(age: 1), at: SampleRun.start.adding(seconds: 1000))
    #expect(try await find("connected") == [])
    let probe = try DatabaseProbe(store.path)
    try await probe.execute("INSERT INTO log_search (log_search, rank) VALUES ('integrity-check', 1)")
    try await store.close()
  }

  @Test(arguments: searches) func aRunLogThatMayNotBeWrittenIsSearchedWithoutTheIndex(
    _ search: (text: String, runs: [String])
  ) async throws {
    try await prepare()
    // Half of it is in the index.
    try await store.updateSearch()
    try await store.record(
      [
        SampleRun.started("01X", inputs: .map(["subject": .string("Rechnung für März")])),
        SampleRun.log("01X", "connected once more"), SampleRun.finished("01X"),
      ], durability: .committed)
    let words: SearchWords = try #require(SearchWords(search.text))
    let reader = try RunStore(readingFrom: store.path)
    try await reader.searchWithoutIndex(words)
    let filter = RunFilter(words: words)
    let isInBoth = ["rechnung", "RECHN", "fur marz", "\"für märz\"", "connected"].contains(search.text)
    let runs = search.runs + (isInBoth || search.text == "subject" ? ["01X"] : [])
    #expect(try await reader.runs(filter).map(\.id.rawValue).sorted() == runs)
    #expect(try await reader.statistics(filter).map(\.runs).reduce(0, +) == runs.count)
    let lines = try await reader.logs(LogFilter(words: words)).map(\.run.rawValue)
    #expect(lines == (search.text == "connected" ? ["01A", "01X"] : search.text == "mail.example.com" ? ["01A"] : []))
    try await reader.close()
    try await store.close()
  }

  @Test(arguments: [
    "Rechnung für März", "RECHNUNG FUR MARZ", "fu\u{308}r Ma\u{308}rz", "čárka", "Ɓ 5 K \u{212A}elvin",
    "ﬁne – “quoted”",
    "日本 für", "straße STRASSE ẞ", "E\u{301}cole \u{1EA4}", "", "für", "æther ÆTHER", "x²y³", "ÀÿÖ×÷", "naïve_café-2026",
  ]) func aGlanceMissesNoTextThatTheIndexFinds(_ text: String) throws {
    for search in [
      "für", "fur", "marz", "März rechnung", "\"fur marz\"", "carka", "k", "kelvin", "fine", "quoted", "日本", "strasse",
      "straße", "ecole", "École", "a", "aether", "æther", "x²", "ayo", "naive", "cafe 2026", "caf", "5",
    ] {
      let words: SearchWords = try #require(SearchWords(search))
      let scratch = try SearchScratch(words)
      var prefilter = scratch.prefilter
      prefilter.begin()
      Array(text.utf8).withUnsafeBytes { prefilter.add($0) }
      let fits = try !scratch.matches([(1, text)]).isEmpty
      #expect(!fits || prefilter.isCandidate, "\(search)")
    }
  }

  @Test func aGlanceLeavesOutMostTexts() throws {
    let words: SearchWords = try #require(SearchWords("rechnung fünf"))
    var prefilter = SearchPrefilter(words)
    for (text, isCandidate) in [("Rechnung", false), ("fuenf", false), ("Rechnung – fünf", true), ("日本", false)] {
      prefilter.begin()
      Array(text.utf8).withUnsafeBytes { prefilter.add($0) }
      #expect(prefilter.isCandidate == isCandidate, "\(text)")
    }
  }

  @Test func anIndexThatIsFarBehindIsBroughtUpToDateInParts() async throws {
    try await prepare()
    #expect(try await store.updateSearch(within: -1) == false)
    while try await !store.updateSearch(within: -1) {}
    #expect(try await find("rechnung") == ["01A"])
    try await store.close()
  }
}
