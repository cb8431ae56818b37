import Expressions
import Foundation
import TestSupport
import Testing

/// `sous remind`, `sous reminders` and `sous mail snooze`, as processes that live and die.
@Suite(.timeLimit(.minutes(10))) struct RemindersCommandTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    try sous.write(
      "sous.yaml",
      """
      providers: { home: { plugin: maildir, path: box, create: true } }
      reminders: { deliver: [{ command: [sh, -c, 'echo "$0" >>told', "{{ text }}"] }] }
      """)
  }

  private func serve() throws -> Process { try sous.serve() }

  private func kill(_ process: Process) {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func list(_ arguments: String...) throws -> [Value] {
    let outcome = try sous.run(SousProcess.executable, arguments + ["--json"])
    #expect(outcome.status == 0, "\(arguments) \(outcome.errors)")
    return try outcome.json.listValue ?? []
  }

  /// How often it was delivered.
  private func deliveries() -> Int {
    let told = FileManager.default.contents(atPath: sous.folder + "/told") ?? Data()
    return String(decoding: told, as: UTF8.self).split(separator: "\n").count { $0.hasPrefix("Tablets") }
  }

  @Test func aReminderIsRepeatedOnceARoundThoughTheDaemonIsKilled() async throws {
    defer { sous.remove() }
    let kept = try sous("remind", "Tablets in 1 second", "--repeat", "1s", "--limit", "4", "--json")
    #expect(kept.status == 0, "\(kept.errors)")
    let id = try #require(try kept.json["id"]?.stringValue)
    for round in 1...4 {
      let daemon = try serve()
      // Killed where the next delivery waits, or nothing is left.
      try await eventually {
        guard deliveries() >= round else { return false }
        return try list("runs").allSatisfy { ["waiting", "succeeded"].contains($0["status"]?.stringValue) }
      }
      kill(daemon)
    }
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(deliveries() == 4)
    #expect(try list("reminders").isEmpty)
    let all = try list("reminders", "list", "--all")
    #expect(all.map { $0["id"]?.stringValue } == [id])
    #expect(all.map { $0["state"]?.stringValue } == ["delivered"])
    #expect(try list("runs").allSatisfy { $0["status"] == "succeeded" })
  }

  @Test func aReminderIsPutOffAndAcknowledgedWhileADaemonRuns() async throws {
    defer { sous.remove() }
    let daemon = try serve()
    defer { kill(daemon) }
    #expect(try sous("remind", "Tablets tomorrow at 9", "--repeat", "1h", "--yes").status == 0)
    try await eventually { try list("runs").first?["status"] == "waiting" }
    let later = try sous("reminders", "snooze", "tablets", "2036-01-02 09:00", "--json")
    #expect(later.status == 0, "\(later.errors)")
    #expect(try list("reminders").first?["next"]?.stringValue == later.json["next"]?.stringValue)
    try await eventually { try list("runs").first?["status"] == "waiting" }
    // The moment it is delivered competes with it: it comes once, and is repeated once it has come.
    #expect(try sous("reminders", "snooze", "tablets", "in 1 second").status == 0)
    try await eventually { deliveries() == 1 }
    try await eventually { try list("reminders").first?["round"] == 2 }
    #expect(try sous("reminders", "done", "tablets").status == 0)
    #expect(try list("reminders").isEmpty)
    #expect(try sous("reminders", "done", "tablets").status == 2)
    #expect(deliveries() == 1)
  }

  @Test func wordsThatAreNotClearAreRefusedWhereNobodyCanBeAsked() throws {
    defer { sous.remove() }
    let unclear = try sous("remind", "Zahnarzt nächsten Montag um 3", "--timezone", "Europe/Zurich")
    #expect(unclear.status == 2)
    #expect(unclear.errors.contains(";"))
    #expect(try sous("remind", "Zahnarzt").status == 2)
    #expect(try sous("remind", "Zahnarzt", "--at", "2020-01-01 09:00").status == 2)
    #expect(try sous("remind", "Tablets tomorrow at 9", "--deliver", "pigeon").status == 2)
    #expect(try list("reminders").isEmpty)
  }

  // MARK: Mail

  private func messages(_ folder: String) throws -> [Value] {
    try sous.write(
      "look.yaml",
      """
      inputs: { folder: string }
      steps: [{ id: found, uses: mail.search, with: { folder: "{{ inputs.folder }}", fields: [flags, subject] } }]
      outputs: { messages: "{{ steps.found.output.messages }}" }
      """)
    let outcome = try sous("run", "look.yaml", "-i", "folder=\(folder)", "--json")
    return try outcome.json["outputs"]?["messages"]?.listValue ?? []
  }

  @Test func aSnoozedMessageComesBackThoughTheDaemonIsKilled() async throws {
    defer { sous.remove() }
    for folder in ["new", "cur", "tmp"] {
      try FileManager.default.createDirectory(atPath: sous.folder + "/box/" + folder, withIntermediateDirectories: true)
    }
    try sous.write(
      "box/cur/1.a.b:2,S", "From: a@example.com\nSubject: Offer\nMessage-ID: <1@example.com>\n\nx\n")
    let uid = try #require(try messages("INBOX").first?["uid"]?.stringValue)
    let away = try sous("mail", "snooze", uid, "--until", "tomorrow", "--json")
    #expect(away.status == 0, "\(away.errors)")
    #expect(try messages("INBOX").isEmpty)
    let snoozed = try list("mail", "snoozed")
    #expect(snoozed.map { $0["subject"] } == ["Offer"])
    #expect(snoozed.map { $0["run"] } == [try away.json["run"]])
    let daemon = try serve()
    try await eventually { try !list("runs").isEmpty }
    kill(daemon)
    let back = try sous("mail", "wake", uid)
    #expect(back.status == 0, "\(back.errors)")
    let found = try messages("INBOX")
    #expect(found.map { $0["subject"] } == ["Offer"])
    #expect(found.first?["flags"]?.listValue?.contains("\\Flagged") == true)
    #expect(found.first?["flags"]?.listValue?.contains("\\Seen") == false)
    #expect(try list("mail", "snoozed").isEmpty)
    #expect(try sous("mail", "wake", uid).status == 2)
  }
}
