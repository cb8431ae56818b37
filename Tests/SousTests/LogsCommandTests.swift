import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct LogsCommandTests {
  /// A run with so many lines in its log; it looks as if it were still going on where asked for.
  private func prepare(_ sous: SousProcess, lines: Int, isRunning: Bool) throws {
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write("x.yaml", "name: x\nsteps:\n  - { id: a, uses: template, with: { text: x } }\n")
    try #require(try sous("run", "x.yaml").status == 0)
    let status = isRunning ? "UPDATE runs SET status = 'running', ended_at = NULL;" : ""
    let sql = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(lines))
      INSERT INTO logs (run, level, message, at)
      SELECT r.id, 'info', 'line ' || n.i, r.started_at FROM runs AS r, n; \(status)
      """
    let program = "import sqlite3, sys; d = sqlite3.connect('.sous/sous.db'); d.executescript(sys.argv[1]); d.commit()"
    let outcome = try sous.run("/usr/bin/env", ["python3", "-c", program, sql])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func allLinesAreShownHoweverManyThereAre() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try prepare(sous, lines: 25_001, isRunning: false)
    let outcome = try sous("logs", "last")
    #expect(outcome.status == 0)
    #expect(outcome.output.split(separator: "\n").count == 25_001)
    #expect(outcome.output.contains("line 25001\n"))
  }

  @Test func followingEndsWithItsReader() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try prepare(sous, lines: 20_000, isRunning: true)
    let outcome = try sous.run(
      "/bin/sh", ["-c", "timeout 20 '\(SousProcess.executable)' logs last --follow | head -n 1"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("line 1\n"))
    let full = try sous.run(
      "/bin/sh", ["-c", "timeout 20 '\(SousProcess.executable)' logs last --follow > /dev/full"])
    #expect(full.status == 3)
    #expect(!full.errors.isEmpty)
  }

  @Test func followingWithoutARunWaitsForTheNextOneAlsoForTheFirst() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write("x.yaml", "name: x\nsteps: [ { uses: log, with: { message: \"hello {{ run.id }}\" } } ]\n")
    let script = """
      rm -f waiting
      '\(SousProcess.executable)' logs --follow > followed 2> waiting & follower=$!
      until grep -qs next waiting; do sleep 0.05; done
      '\(SousProcess.executable)' run x.yaml -q
      wait $follower
      cat followed
      """
    for _ in 0..<2 {
      let outcome = try sous.run("/bin/sh", ["-c", "timeout 60 sh -c \"$0\"", script])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.split(separator: "\n").count { $0.contains("hello") } == 1)
    }
  }
}
