import Engine
import Expressions
import Foundation
import LoopbackPorts
import TestSupport
import Testing

@testable import sous

/// `sous serve` and what is looked at beside it, as processes that live and die.
@Suite(.timeLimit(.minutes(10))) struct ServeCommandTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write("sous.yaml", "providers:\n  home: { plugin: maildir, path: box, create: true }\n")
  }

  private static func tick(_ message: String, _ schedule: String = "every: 1s, overlap: allow, catch_up: all") -> String
  {
    "name: tick\non: { schedule: { \(schedule) } }\nsteps: [ { id: say, uses: log, with: { message: \"\(message)\" } } ]\n"
  }

  private func serve() throws -> Process { try sous.serve() }

  private func list(_ arguments: String...) throws -> [Value] {
    let outcome = try sous.run(SousProcess.executable, arguments + ["--json"])
    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return try outcome.json.listValue ?? []
  }

  private func count(_ key: String) throws -> Int {
    guard case .int(let number)? = try list("schedules").first?[key] else { return 0 }
    return Int(number)
  }

  @Test func noPointIsLostOrRunsTwiceWhereTheDaemonIsKilled() async throws {
    defer { sous.remove() }
    try sous.write("recipes/tick.yaml", Self.tick("{{ event.at }}"))
    for round in 1...4 {
      let daemon = try serve()
      let before = round
      try await eventually { try count("run") + count("caught_up") >= before * 2 }
      kill(daemon.processIdentifier, SIGKILL)
      daemon.waitUntilExit()
    }
    // Two at once, and an end in good order.
    let both = [try serve(), try serve()]
    let reached = try count("run") + count("caught_up") + 3
    try await eventually { try count("run") + count("caught_up") >= reached }
    for daemon in both { kill(daemon.processIdentifier, SIGTERM) }
    for daemon in both {
      daemon.waitUntilExit()
      #expect(daemon.terminationReason == .exit && daemon.terminationStatus == 0)
    }
    #expect(try sous("work", "--until-idle").status == 0)
    let points = try list("schedules", "history", "--limit", "10000").reversed()
    let times = points.compactMap { $0["at"]?.stringValue }.compactMap { Timestamp(rfc3339: $0)?.seconds }
    // Each second from the first to the last, once.
    let first = try #require(times.first)
    #expect(times == Array(first..<first + Int64(times.count)))
    #expect(points.allSatisfy { $0["run"]?.stringValue != nil })
    let runs = try list("runs", "--limit", "10000")
    #expect(Set(runs.compactMap { $0["id"]?.stringValue }) == Set(points.compactMap { $0["run"]?.stringValue }))
    #expect(runs.count == points.count)
    #expect(runs.allSatisfy { $0["status"] == "succeeded" })
  }

  @Test func aMessageStartsOneRunAlsoAfterTheDaemonWasKilled() async throws {
    defer { sous.remove() }
    try prepareMail()
    var daemon = try serve()
    // What is there when the mailbox is looked at for the first time is not new.
    var number = 0
    while try list("runs").isEmpty {
      number += 1
      try deliver("early\(number)")
      for _ in 0..<5 {
        if try !list("runs").isEmpty { break }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    try deliver("one")
    try await eventually { try runs("one") > 0 }
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
    try deliver("two")
    daemon = try serve()
    try await eventually { try runs("two") > 0 }
    try deliver("three")
    try await eventually { try runs("three") > 0 }
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    #expect(try list("triggers").first?["events"] != 0)
    for subject in ["one", "two", "three"] { #expect(try runs(subject) == 1) }
  }

  // MARK: Mail

  private func prepareMail() throws {
    try sous.write(
      "recipes/note.yaml",
      """
      name: note
      on: { mail: { event: new, provider: home, folder: INBOX } }
      steps: [ { id: say, uses: log, with: { message: "{{ event.message.subject }}" } } ]
      """)
    for folder in ["new", "cur", "tmp"] {
      try FileManager.default.createDirectory(atPath: sous.folder + "/box/" + folder, withIntermediateDirectories: true)
    }
  }

  private func deliver(_ subject: String) throws {
    try sous.write(
      "box/new/\(UUID().uuidString)",
      "From: a@example.com\nSubject: \(subject)\nMessage-ID: <\(subject)@example.com>\n\nx\n")
  }

  /// The runs of `note` that have logged a subject. One that was killed may have logged it twice.
  private func runs(_ subject: String) throws -> Int {
    var count = 0
    for run in try list("runs", "--limit", "10000") where run["recipe"] == "note" {
      guard let name = run["id"]?.stringValue else { continue }
      if try sous("logs", name, "--json").output.contains("\"\(subject)\"") { count += 1 }
    }
    return count
  }

  @Test func whatIsSwitchedOffStartsNothingBesideASchedule() async throws {
    defer { sous.remove() }
    try prepareMail()
    try sous.write("recipes/tick.yaml", Self.tick("a"))
    #expect(try sous("recipes", "disable", "note").status == 0)
    let daemon = try serve()
    try await eventually { try count("run") > 0 }
    for round in 1...2 {
      #expect(try sous("recipes", "enable", "note").status == 0)
      var number = 0
      // What is there when the mailbox is looked at for the first time is not new.
      var isHeard = false
      while !isHeard {
        number += 1
        try deliver("on\(round)-\(number)")
        let points = try count("run")
        try await eventually { try count("run") > points }
        isHeard = try runs("on\(round)-\(number)") > 0
      }
      #expect(try sous("recipes", "disable", "note").status == 0)
      try deliver("off\(round)")
      let points = try count("run")
      try await eventually { try count("run") > points + 3 }
      #expect(try runs("off\(round)") == 0)
    }
    #expect(try sous("recipes", "enable", "note").status == 0)
    try await eventually { try runs("off2") > 0 }
    #expect(try runs("off1") == 1)
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
  }

  @Test func recipesAreTakenOverPausedAndSwitchedOff() async throws {
    defer { sous.remove() }
    try sous.write("recipes/tick.yaml", Self.tick("a"))
    #expect(try sous("status").output.contains("no server is running"))
    let daemon = try serve()
    try await eventually { try count("run") > 0 }
    let status = try sous("status", "--json").json
    #expect(status["servers"]?[0]?["alive"] == true && status["servers"]?[0]?["recipes"] == 1)
    // A broken edit is told, and the last good version goes on.
    try sous.write("recipes/tick.yaml", "name: tick\non: { schedule: { cron: \"no\" } }\n")
    try await eventually { try sous("status").output.contains("tick.yaml: ") }
    let running = try count("run")
    try await eventually { try count("run") > running }
    try sous.write("recipes/tick.yaml", Self.tick("b"))
    try await eventually { try !sous("status").output.contains("tick.yaml: ") }

    #expect(try sous("schedules", "pause", "tick").status == 0)
    let skipped = try count("skipped")
    try await eventually { try count("skipped") > skipped }
    let paused = try count("run")
    try await eventually { try count("skipped") > skipped + 2 }
    #expect(try count("run") == paused)
    #expect(try sous("schedules", "resume", "tick").status == 0)
    try await eventually { try count("run") > paused }

    #expect(try sous("recipes", "disable", "tick").status == 0)
    #expect(try list("recipes").first?["disabled"] == true)
    let off = try count("skipped")
    try await eventually { try count("skipped") > off + 1 }
    #expect(try sous("recipes", "enable", "tick").status == 0)
    let on = try count("run")
    try await eventually { try count("run") > on }

    // Another one comes; the daemon reads its configuration anew and goes on.
    try sous.write("workflows/other.yaml", Self.tick("c").replacingOccurrences(of: "tick", with: "other"))
    kill(daemon.processIdentifier, SIGHUP)
    try await eventually { try list("schedules").count == 2 }
    #expect(daemon.isRunning)
    kill(daemon.processIdentifier, SIGTERM)
    daemon.waitUntilExit()
    #expect(daemon.terminationStatus == 0)
    #expect(try sous("schedules", "pause", "none").status == 2)
    #expect(try sous("schedules", "trigger", "other").status == 0)
    #expect(try list("runs", "--status", "queued").contains { $0["recipe"] == "other" })
  }

  @Test func aSecondDaemonNamesTheFirstOne() async throws {
    defer { sous.remove() }
    let taken = try LoopbackListener()
    defer { taken.end() }
    try sous.write("sous.yaml", "recipes: [recipes]\nserver: { listen: \"127.0.0.1:\(taken.port)\" }\n")
    try sous.write("recipes/a.yaml", "name: a\nsteps: [{ uses: values, with: { a: 1 } }]\n")
    let first = try sous.serve()
    defer { first.terminate() }
    try await sous.wait { try sous("status", "--json").json["servers"]?.listValue?.isEmpty == false }
    let script = """
      '\(SousProcess.executable)' serve 2>err & second=$!
      for _ in $(seq 600); do grep -q running err && grep -q without err && break; sleep 0.1; done
      kill $second; wait $second
      """
    let second = try sous.run("/bin/sh", ["-c", script])
    let told = try String(contentsOfFile: sous.folder + "/err", encoding: .utf8)
    #expect(told.contains("is running for this project already: process \(first.processIdentifier) "), "\(told)")
    #expect(told.contains("cannot listen at") && told.contains("recipes and schedules go on without API"), "\(told)")
    #expect(second.output.hasSuffix("stopped: no run was worked on\n"), "\(second.output)")
  }

  @Test func aRunThatWaitsCountsOnce() {
    let (one, two) = (RunID(rawValue: "01M7ZVTSWYTMC2R5ZF080ZKYXP"), RunID(rawValue: "01M7ZVTSWYTMC2R5ZF080ZKYXQ"))
    var tally = RunTally()
    for (run, status): (RunID, RunStatus) in [(one, .waiting), (two, .waiting), (one, .waiting), (two, .succeeded)] {
      tally.add(run, status)
    }
    #expect(tally.counts == [.waiting: 1, .succeeded: 1])
    tally.add(one, .failed)
    #expect(tally.counts == [.failed: 1, .succeeded: 1])
  }
}
