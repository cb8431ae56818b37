import Expressions
import Foundation
import Localization
import Testing

/// The commands that read the run log and look after its file, from outside.
@Suite(.timeLimit(.minutes(15))) struct RunLogCommandsTests {
  /// A project in which some runs have ended in different ways.
  private func prepare(retention: String? = nil) throws -> SousProcess {
    var sous = try SousProcess()
    sous.environment["TZ"] = "UTC"
    try sous.write("sous.yaml", retention.map { "engine: { retention: \($0) }\n" } ?? "providers: {}\n")
    try sous.write(
      "bill.yaml",
      """
      name: bill
      inputs: { subject: { type: string, default: "Rechnung März" } }
      steps:
        - { id: note, uses: log, with: { message: "connected to the ledger", level: warning } }
        - { id: text, uses: template, with: { text: "4711 for {{ inputs.subject }}" } }
      outputs: { text: "{{ steps.text.output.text }}" }
      """)
    try sous.write(
      "trip.yaml",
      """
      name: trip
      steps:
        - id: book
          uses: exec.idempotent
          with: { command: [sh, -c, "true"] }
          undo: { uses: exec.idempotent, with: { command: [sh, -c, "true"] } }
        - { id: bad, uses: fail, with: { message: "no seat is left" } }
        - { id: bye, uses: template, with: { text: bye }, finally: true }
      """)
    try sous.write(
      "ask.yaml",
      """
      name: ask
      steps:
        - id: ok
          uses: approve
          with:
            message: "Send it?"
            timeout: 2h
            form:
              type: object
              required: [count]
              properties: { note: { type: string }, count: { type: integer } }
        - { id: paid, needs: [], uses: wait_for, with: { event: order.paid, key: "it's 5" } }
      """)
    return sous
  }

  private func names(_ outcome: SousProcess.Outcome) throws -> [String] {
    guard case .list(let runs) = try outcome.json else { return [] }
    return runs.compactMap { $0["recipe"]?.stringValue }
  }

  /// A pipe or a device is written to; no file takes its place. A link stays one.
  @Test func noFileTakesThePlaceOfWhatIsNone() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    let script = """
      mkfifo pipe
      cat pipe >read &
      '\(SousProcess.executable)' export -o pipe || exit 3
      wait
      test -p pipe && test -s read || exit 4
      ln -s target link
      : >target
      '\(SousProcess.executable)' export -o link || exit 5
      test -h link && cmp target read || exit 6
      '\(SousProcess.executable)' db backup --force link || exit 7
      test -h link && test -s target || exit 8
      '\(SousProcess.executable)' db backup --force pipe
      test $? = 3 && test -p pipe || exit 9
      """
    let outcome = try sous.run("/bin/sh", ["-c", script])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder).allSatisfy { !$0.hasSuffix(".partial") })
  }

  @Test func runsAreListedByStatusTimeRecipeAndWords() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    #expect(try sous("run", "trip.yaml", "-q").status == 1)
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    let table: [(arguments: [String], recipes: [String])] = [
      ([], ["ask", "trip", "bill"]), (["--status", "failed"], ["trip"]),
      (["--status", "failed", "--status", "queued"], ["ask", "trip"]), (["--recipe", "bill"], ["bill"]),
      (["--limit", "1"], ["ask"]), (["--since", "1h"], ["ask", "trip", "bill"]), (["--until", "1h"], []),
      (["--since", "today", "--until", "2999-01-01"], ["ask", "trip", "bill"]), (["--since", "2999-01-01 10:00"], []),
      (["--since", "heute"], ["ask", "trip", "bill"]), (["--since", "Gestern"], ["ask", "trip", "bill"]),
      (["--until", "vorgestern"], []), (["--since", "vor 3 Tagen"], ["ask", "trip", "bill"]),
      (["--until", "vor einer Stunde"], []), (["--until", "3 days ago"], []),
      (["--text", "marz"], ["bill"]), (["--text", "4711 rechn"], ["bill"]), (["--text", "ledger"], ["bill"]),
      (["--text", "\"no seat\""], ["trip"]), (["--text", "nowhere"], []),
      (["--text", "seat", "--status", "succeeded"], []),
    ]
    for (arguments, recipes) in table {
      let outcome = try sous.run(SousProcess.executable, ["runs", "--json"] + arguments)
      #expect(try names(outcome) == recipes, "\(arguments)")
    }
    for arguments in [
      ["--since", "foo"], ["--since", "2026-13-01"], ["--since", "vor 3 Monaten"],
      ["--since", "vor 99999 Wochen"], ["--since", "morgen"], ["--until", "5"], ["--text", "*"], ["--status", "done"],
      ["--limit", "0"],
    ] {
      #expect(try sous.run(SousProcess.executable, ["runs"] + arguments).status == 2, "\(arguments)")
    }
    let plain = try sous("runs")
    #expect(plain.output.split(separator: "\n").count(where: { $0.contains("/") }) == 3)
    #expect(!plain.output.contains("\u{1B}"))
    #expect(try sous("runs", "--status", "skipped").output == "no run fits\n")
    #expect(try sous("runs", "--lang", "de").output.contains("fehlgeschlagen"))
  }

  @Test func linesOfManyRunsAreFound() throws {
    let sous = try prepare()
    defer { sous.remove() }
    for _ in 0..<3 { #expect(try sous("run", "bill.yaml", "-q").status == 0) }
    func count(_ arguments: String...) throws -> Int {
      try sous.run(SousProcess.executable, ["logs"] + arguments).output.split(separator: "\n").count
    }
    #expect(try count() == 1)
    #expect(try count("--recipe", "bill") == 3)
    #expect(try count("--since", "1h", "--limit", "2") == 2)
    #expect(try count("--text", "conn ledger") == 3)
    #expect(try count("last", "--text", "ledger") == 1)
    #expect(try count("--text", "nowhere") == 0)
    #expect(try count("--level", "error", "--since", "1h") == 0)
    #expect(try count("--until", "1h") == 0)
    #expect(try count("--status", "failed") == 0)
    let line = try sous("logs", "--recipe", "bill", "--limit", "1", "--json").json
    #expect(line["recipe"]?.stringValue == "bill")
    #expect(line["step"]?.stringValue == "note")
    #expect(try sous("logs", "--follow", "--text", "x").status == 2)
  }

  @Test func aWaitingRunSaysWhatEndsItsWait() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "ask.yaml").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    let shown = try sous("show").output
    let run = try #require(try sous("show", "--json").json["id"]?.stringValue)
    #expect(shown.contains("sous answer yes \(run.suffix(8)) --step ok --field count=INTEGER [--field note=TEXT]\n"))
    #expect(shown.contains("sous answer no \(run.suffix(8)) --step ok --reason TEXT\n"))
    #expect(shown.contains("sous answer event order.paid --key 'it'\\''s 5' [--data JSON]\n"))
    #expect(try sous("show", "--lang", "de").output.contains("wartet auf"))
    guard case .list(let waits)? = try sous("show", "--json").json["waits"] else {
      Issue.record("no waits")
      return
    }
    #expect(Set(waits.compactMap { $0["kind"]?.stringValue }) == ["approval", "event"])
    // What is shown can be typed.
    let typed = "'\(SousProcess.executable)' event order.paid --key 'it'\\''s 5'"
    #expect(try sous.run("/bin/sh", ["-c", typed]).status == 0)
    #expect(try sous("approve", run, "--step", "ok", "--field", "count=3").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(try sous("show", "--json").json["status"]?.stringValue == "succeeded")
    #expect(!(try sous("show").output.contains("waits for")))
  }

  @Test func aFailedRunShowsWhatWasTakenBackAndWhatRanAtTheEnd() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("run", "trip.yaml", "-q").status == 1)
    let shown = try sous("show").output
    let order = ["✓ book ", "✗ bad ", "  undone", "undoes book", "at the end", "✓ bye "]
    var rest = shown[...]
    for part in order {
      let found = rest.range(of: part)
      #expect(found != nil, "\(part)")
      rest = rest[(found?.upperBound ?? rest.startIndex)...]
    }
    guard case .list(let steps)? = try sous("show", "--json").json["steps"] else { return }
    #expect(steps.compactMap { $0["phase"]?.stringValue } == ["main", "main", "finally", "undo"])
    #expect(steps[3]["undo_of"]?.stringValue == "book")
  }

  @Test func statisticsCountRunsByRecipe() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("stats", "--json").json["recipes"] == .list([]))
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    #expect(try sous("run", "trip.yaml", "-q").status == 1)
    guard case .list(let recipes)? = try sous("stats", "--json").json["recipes"] else { return }
    #expect(recipes.map { $0["recipe"]?.stringValue } == ["bill", "trip"])
    #expect(recipes.map { $0["success_rate"] } == [.double(1), .double(0)])
    #expect(recipes.allSatisfy { $0["p95_ms"] != .null })
    #expect(try sous("stats").output.contains("100 %"))
    #expect(try sous("stats", "--lang", "de").output.contains("ERFOLGREICH"))
    #expect(try sous("stats", "--since", "2999-01-01").output == "no run fits\n")
  }

  @Test func runsAreExported() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("export").output.isEmpty)
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    #expect(try sous("run", "trip.yaml", "-q").status == 1)
    let lines = try sous("export").output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(try Value(json: Array((lines.last ?? "").utf8)) == (try sous("show", "--json").json))
    let outcome = try sous("export", "--format", "otlp", "--recipe", "trip", "-o", "traces.jsonl")
    #expect(outcome.output == "1 run written to traces.jsonl\n")
    let text = try String(contentsOfFile: sous.folder + "/traces.jsonl", encoding: .utf8)
    #expect(text.hasPrefix("{\"resourceSpans\":[{\"resource\":") && text.hasSuffix("\n"))
    #expect(try sous("export", "-o", "none/x.jsonl").status == 3)
    #expect(try sous("export", "--format", "xml").status == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: sous.folder).allSatisfy { !$0.contains("partial") })
    let full = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' export >/dev/full"])
    #expect(full.status == 3)
    let head = try sous.run("/bin/sh", ["-c", "'\(SousProcess.executable)' export | head -c 5"])
    #expect(head.status == 0 && head.errors.isEmpty)
  }

  // MARK: - The file

  @Test func oldRunsGoByThemselves() throws {
    let sous = try prepare(retention: "{ runs: 2 }")
    defer { sous.remove() }
    for _ in 0..<4 { #expect(try sous("run", "bill.yaml", "-q").status == 0) }
    #expect(try names(sous("runs", "--json")).count == 2)
    try sous.write("sous.yaml", "engine: { retention: { runs: 1 } }\n")
    #expect(try sous("db", "prune", "--dry-run").output.contains("1"))
    #expect(try names(sous("runs", "--json")).count == 2)
    let report = try sous("db", "prune", "--json").json
    #expect(report["runs"] == .int(1))
    #expect(try names(sous("runs", "--json")).count == 1)
    #expect(try sous("db", "prune").output.hasPrefix("0 runs removed"))
    #expect(try sous("db", "vacuum").status == 0)
    #expect(try sous("db", "vacuum", "--reindex", "--json").json["freed_bytes"] != nil)
    #expect(try names(sous("runs", "--json", "--text", "ledger")).count == 1)
  }

  @Test func aBackupIsARunLogOfItsOwn() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("db", "backup", "copy/sous.db").status == 3)
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    try FileManager.default.createDirectory(atPath: sous.folder + "/copy", withIntermediateDirectories: true)
    #expect(try sous("db", "backup", "copy/sous.db").status == 0)
    #expect(try sous("db", "backup", "copy/sous.db").status == 3)
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    #expect(try names(sous("runs", "--json", "--state", "copy")).count == 1)
    #expect(try sous("db", "backup", "--force", "copy/sous.db", "--json").json["bytes"] != nil)
    #expect(try names(sous("runs", "--json", "--state", "copy")).count == 2)
    #expect(try sous("db", "check", "--state", "copy").status == 0)
  }

  @Test func nothingIsWrittenOverWhatTheProjectWorksWith() throws {
    let sous = try prepare()
    defer { sous.remove() }
    try sous.write("sous.yaml", "{}\n")
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    for name in [".sous/sous.db", ".sous/sous.db-wal", ".sous/vault", "sous.yaml", ".sous/../sous.yaml"] {
      for command in [["export", "-o", name], ["db", "backup", "--force", name]] {
        let refusal = try sous.run(SousProcess.executable, command)
        #expect(refusal.status == 2, "\(command): \(refusal.errors)")
      }
    }
    #expect(try names(sous("runs", "--json")).count == 1)
    #expect(try sous("db", "check").status == 0)
    #expect(try String(contentsOfFile: sous.folder + "/sous.yaml", encoding: .utf8) == "{}\n")
  }

  @Test func runsOfACopyGoOnOnlyWhenItIsAdopted() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "bill.yaml").status == 0)
    try FileManager.default.createDirectory(atPath: sous.folder + "/copy", withIntermediateDirectories: true)
    #expect(try sous("db", "backup", "copy/sous.db").status == 0)
    for command in [["work", "--until-idle"], ["resume", "last"], ["cancel", "last"]] {
      let refused = try sous.run(SousProcess.executable, command + ["--state", "copy", "--json"])
      #expect(refused.status == 3)
      #expect(refused.errors.contains("database_copied"), "\(command): \(refused.errors)")
      #expect(refused.errors.contains("sous db adopt"))
    }
    #expect(try sous("runs", "--state", "copy").status == 0)
    #expect(try sous("run", "bill.yaml", "-q", "--state", "copy").status == 0)
    #expect(try sous("db", "adopt", "--json").json["adopted"] == .bool(false))
    #expect(try sous("db", "adopt", "--state", "copy", "--json").json["adopted"] == .bool(true))
    #expect(try sous("work", "--until-idle", "--state", "copy").status == 0)
    #expect(try names(sous("runs", "--json", "--state", "copy", "--status", "queued")).isEmpty)
    #expect(try sous("work", "--until-idle").status == 0)
  }

  @Test func damageIsToldWithARemedy() throws {
    let sous = try prepare()
    defer { sous.remove() }
    #expect(try sous("db", "check").status == 3)
    #expect(try sous("run", "bill.yaml", "-q").status == 0)
    #expect(try sous("db", "check").output.contains("sound"))
    #expect(try sous("db", "check", "--quick", "--json").json["ok"] == .bool(true))
    let program =
      "import sqlite3; d = sqlite3.connect('.sous/sous.db'); d.execute(\"UPDATE runs SET ended_at = NULL\"); d.commit()"
    #expect(try sous.run("/usr/bin/env", ["python3", "-c", program]).status == 0)
    let outcome = try sous("db", "check")
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("→"))
    let json = try sous("db", "check", "--json")
    #expect(json.status == 3)
    #expect(try json.json["ok"] == .bool(false))
    try sous.write(".sous/sous.db", String(repeating: "nonsense ", count: 1000))
    #expect(try sous("db", "check").status == 3)
  }
}
