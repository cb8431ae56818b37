import Engine
import Expressions
import Foundation
import Localization
import RunStore
import Testing

@testable import UseCases
@testable import sous

@Suite(.timeLimit(.minutes(15))) struct TopCommandTests {
  private static let now = Timestamp(seconds: 1_800_000_000)

  private static var status: ServingStatus {
    var status = ServingStatus()
    var server = ServerRecord(id: "1", host: "vm", pid: 42, beganAt: now.adding(seconds: -3600))
    server.beatAt = now
    server.recipes = 2
    server.problems = [.init(path: "/recipes/broken.yaml", message: LocalizedText(verbatim: "line 3: no"))]
    var gone = ServerRecord(id: "2", host: "vm", pid: 7, beganAt: now.adding(seconds: -9000))
    gone.beatAt = now.adding(seconds: -600)
    status.servers = [server, gone]
    status.unread = 3
    for index in 0..<30 {
      var schedule = ScheduleRecord(
        source: "/r\(index)#0", recipe: "日本-recipe-with-a-rather-long-name-\(index)\u{1B}[2J", digest: "", cursor: now)
      schedule.nextDue = now.adding(seconds: Double(index * 90))
      schedule.failures = index == 5 ? 4 : 0
      status.schedules.append(schedule)
    }
    return status
  }

  @Test(arguments: [40, 60, 80, 89, 90, 120, 200], [4, 10, 24, 60])
  func fitsTheTerminal(_ width: Int, _ height: Int) {
    let terminal = Terminal(environment: ["CLICOLOR_FORCE": "1"])
    let view = TopView(status: Self.status, now: Self.now, terminal: terminal, width: width, height: height)
    #expect(view.lines.count <= height)
    for line in view.lines { #expect(line.columns <= width && !line.contains("\n") && !line.contains("\u{1B}[2J")) }
  }

  @Test func everySectionHasItsPlace() {
    let view = TopView(
      status: Self.status, now: Self.now, terminal: Terminal(environment: ["NO_COLOR": "1"]), width: 100, height: 24)
    let lines = view.lines
    #expect(lines.first?.hasPrefix("✓ 2 recipes · process 42 on vm") == true)
    #expect(lines.contains("next (30)") && lines.contains("problems (3)"))
    #expect(lines.contains { $0.contains("more") })
    #expect(lines.contains { $0.contains("broken.yaml: line 3: no") })
    #expect(lines.contains { $0.contains("4 failed in a row") })
    #expect(lines.count == 24)
    // Without a bound nothing is left out.
    let whole = TopView(
      status: Self.status, now: Self.now, terminal: Terminal(environment: ["NO_COLOR": "1"]), width: 100, height: nil)
    #expect(whole.lines.count == 2 + 2 + 30 + 2 + 3)
  }

  @Test func showsWhatWaitsAndGivesTheTerminalBack() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    try sous.write("sous.yaml", "providers: {}\n")
    let recipe = try sous.write("later.yaml", "name: later\nsteps: [{ uses: log, with: { message: x } }]\n")
    #expect(try sous("run", "--queue", recipe).status == 0)
    let once = try sous("top")
    #expect(once.output.contains("waiting (1)") && once.output.contains("later"))
    #expect(try sous("top", "--json").json["runs"]?.listValue?.count == 1)

    for key in ["q", "\u{3}"] {
      let terminal = try PseudoTerminal()
      let before = terminal.settings
      let process = try terminal.start(sous, ["top"])
      #expect(terminal.read(until: "waiting (1)"))
      #expect(terminal.settings != before)
      terminal.type(key)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(terminal.settings == before)
      #expect(terminal.rest().hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    }
  }
}
