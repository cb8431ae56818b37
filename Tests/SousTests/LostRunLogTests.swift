import Foundation
import Testing

/// Run logs that are deleted or replaced while a process works with them.
@Suite(.timeLimit(.minutes(5))) struct LostRunLogTests {
  private func prepared(_ loss: String) throws -> SousProcess {
    let sous = try SousProcess()
    try sous.write("sous.yaml", "providers: {}\n")
    try sous.write(
      "recipe.yaml",
      """
      name: loss
      steps:
        - { id: loses, uses: exec, with: { command: [sh, -c, "\(loss)"] } }
        - { id: later, uses: exec, with: { command: [touch, later] } }
      """)
    return sous
  }

  static let losses = [
    "rm .sous/sous.db", "rm .sous/sous.db*", "mv .sous elsewhere", "rm -r .sous", ": >.sous/sous.db",
    "cp .sous/sous.db copy && mv copy .sous/sous.db",
  ]

  @Test(arguments: losses) func aRunWhoseLogIsLostEndsWithStatus3AndStartsNothingMore(loss: String) throws {
    let sous = try prepared(loss)
    defer { sous.remove() }
    let outcome = try sous("run", "recipe.yaml")
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("deleted or replaced"))
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/later"))
  }

  @Test(arguments: losses) func aWorkerWithoutWorkEndsWithStatus3(loss: String) throws {
    let sous = try prepared("true")
    defer { sous.remove() }
    try sous.write("loss.sh", loss)
    let script = """
      '\(SousProcess.executable)' run --queue recipe.yaml || exit 4
      '\(SousProcess.executable)' work >out 2>errors & process=$!
      while ! grep -q succeeded out; do kill -0 $process || exit 4; sleep 0.05; done
      sh loss.sh
      wait $process
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 3)
    let errors = try String(contentsOfFile: sous.folder + "/errors", encoding: .utf8)
    #expect(errors.contains("deleted or replaced"))
  }

  @Test func noNewLogIsMadeWhileAProcessWorksWithTheLostOne() throws {
    let sous = try prepared("touch begun; while ! test -e go; do sleep 0.05; done")
    defer { sous.remove() }
    let script = """
      '\(SousProcess.executable)' run recipe.yaml >out 2>&1 & process=$!
      while ! test -e begun; do sleep 0.05; done
      rm .sous/sous.db*
      '\(SousProcess.executable)' run --queue recipe.yaml
      status=$?
      touch go
      wait $process
      test $? = 3 && test $status = 3 && ! test -e .sous/sous.db
      """
    #expect(try sous.run("/bin/sh", ["-c", script]).status == 0)
    #expect(try sous("run", "--queue", "recipe.yaml").status == 0)
  }
}
