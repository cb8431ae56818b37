import Expressions
import Foundation
import Testing

/// The bundled recipes of the special kinds, run on a copy of the example mailbox.
@Suite(.timeLimit(.minutes(15))) struct KindExamplesTests {
  private func copy() throws -> SousProcess {
    let sous = try SousProcess()
    for name in ["examples", "workflows", "sous.yaml"] {
      try FileManager.default.copyItem(
        atPath: SousProcess.repository + "/" + name, toPath: sous.folder + "/" + name)
    }
    return sous
  }

  private func count(_ sous: SousProcess, _ folder: String) throws -> Int {
    try ["cur", "new"].map {
      try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/examples/mailbox/" + folder + "/" + $0).count
    }.reduce(0, +)
  }

  @Test func aMailFilterPutsMessagesAway() throws {
    let sous = try copy()
    defer { sous.remove() }
    let before = try count(sous, "")
    let outcome = try sous("run", "workflows/tidy.yaml", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let newsletters = try count(sous, ".Newsletters")
    #expect(newsletters > 0)
    #expect(try count(sous, "") == before - newsletters)
    #expect(try count(sous, ".Invoices") > 0)
    // A message that the first rule has moved is out for the second.
    let taken = try sous("show", "last", "--output", "newsletters", "--json").json["uids"]?.listValue ?? []
    let flagged = try sous("show", "last", "--output", "invoices", "--json").json["uids"]?.listValue ?? []
    #expect(taken.count == newsletters && !flagged.isEmpty)
    #expect(!flagged.contains { taken.contains($0) })
    // What was moved is marked as seen, although the rule names the flag after the move.
    let moved = try FileManager.default.contentsOfDirectory(
      atPath: sous.folder + "/examples/mailbox/.Newsletters/cur")
    #expect(moved.count == newsletters && moved.allSatisfy { $0.contains("S") })
  }

  @Test func theBundledFiltersWorkOnTheExamples() throws {
    let sous = try copy()
    defer { sous.remove() }
    let saved = try sous("run", "workflows/invoices.yaml", "-q")
    #expect(saved.status == 0, "\(saved.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/invoices/2026-11")
    #expect(files.count == 2 && files.allSatisfy { $0.hasSuffix(".pdf") }, "\(files)")
    let list = try sous("run", "workflows/follow-up.yaml", "-i", "within=240000h", "--json")
    #expect(try (list.json["outputs"]?["count"]?.intValue ?? 0) > 0, "\(list.errors)")
    let briefing = try sous("run", "workflows/briefing.yaml", "-i", "blocked=[\"farid.nazari@example.net\"]", "--json")
    let counts = try #require(try briefing.json["outputs"]?["counts"], "\(briefing.errors)")
    let (primary, other, all) = (counts["primary"]?.intValue, counts["other"]?.intValue, counts["all"]?.intValue)
    #expect((primary ?? 0) > 0 && (other ?? 0) > 0 && (primary ?? 0) + (other ?? 0) == all)
    let before = try count(sous, "")
    let tidied = try sous("run", "workflows/newsletters.yaml", "-q")
    #expect(tidied.status == 0, "\(tidied.errors)")
    #expect(try count(sous, "") < before)
  }

  @Test func aChainGivesItsResult() throws {
    let sous = try copy()
    defer { sous.remove() }
    try sous.write("short.yaml", "kind: chain\ninput: string\nprompts: [{ use: mail/summary }]\n")
    let text = "We met on Monday about the boiler. Jana asks two companies for an offer by Friday."
    let outcome = try sous("run", "short.yaml", "-i", "input=\(text)", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["outputs"]?["result"]?.stringValue?.isEmpty == false)
  }

  /// Without one, sentences of the transcript would be taken for its correction.
  @Test(arguments: [
    "kind: chain\ninput: string\nprompts: [{ use: notes/correction }]\n",
    "kind: chain\ninput: string\nprompts: [{ prompt: Correct this text. }]\n",
  ])
  func aChainThatNeedsAModelFailsBeforeItBegins(recipe: String) throws {
    let sous = try copy()
    defer { sous.remove() }
    try sous.write("sous.yaml", "{}\n")
    try sous.write("correct.yaml", recipe)
    for outcome in [try sous("validate", "correct.yaml"), try sous("run", "correct.yaml", "-i", "input=teh text")] {
      #expect(outcome.status == 3)
      #expect(outcome.errors.contains("defaults: { chat: local }"), "\(outcome.errors)")
    }
    #expect(try sous("runs", "--json").json == [])
    let german = try sous("validate", "correct.yaml", "--lang", "de")
    #expect(german.errors.contains("ein Modell einrichten"), "\(german.errors)")
    // With one it begins; this one does not answer.
    try sous.write(
      "sous.yaml",
      "providers: { local: { plugin: ollama, base_url: \"http://127.0.0.1:1\" } }\ndefaults: { chat: [extractive, local] }\n"
    )
    #expect(try sous("validate", "correct.yaml").status == 0)
  }

  @Test func aPromptWithoutATaskIsRefusedWhereThereIsNoModel() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let refused = try sous("chat", "Correct this text: teh text")
    #expect(refused.status != 0 && refused.output.isEmpty)
    #expect(refused.errors.contains("no language model"), "\(refused.errors)")
  }

  @Test(arguments: [("workflows/taxes", "Subject: The tax return, Jana!"), ("now", "Subject: Happy new year")])
  func aMessageIsSent(_ name: String, _ line: String) throws {
    let sous = try copy()
    defer { sous.remove() }
    try sous.write("now.yaml", "kind: send\nmail: { to: a@example.com, subject: Happy new year, text: Yes }\n")
    let outcome = try sous("run", "\(name).yaml", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let folder = sous.folder + "/.sous/outbox/new"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let message = try String(contentsOfFile: folder + "/" + (try #require(files.first)), encoding: .utf8)
    #expect(message.contains(line))
  }

  @Test func aMessageForLaterIsNotSentNow() throws {
    let sous = try copy()
    defer { sous.remove() }
    try sous.write(
      "later.yaml",
      "kind: send\nsend_at: 9999-01-01T08:00 Europe/Zurich\nmail: { to: a@example.com, subject: s, text: t }\n")
    #expect(try sous("validate", "later.yaml").status == 0)
    let queued = try sous("run", "later.yaml", "--json")
    #expect(queued.status == 0, "\(queued.errors)")
    #expect(try queued.json["send_at"] == "9999-01-01T07:00:00.000Z")
    #expect(try sous("outbox", "run").status == 0)
    #expect(!FileManager.default.fileExists(atPath: sous.folder + "/.sous/outbox/new"))
  }

  @Test func whatNobodyProvidesIsAMatterOfTheConfiguration() throws {
    let sous = try copy()
    defer { sous.remove() }
    try sous.write(
      "read-out.yaml",
      "inputs: { input: string }\nsteps: [{ uses: speak.text, with: { text: \"{{ inputs.input }}\" } }]\n")
    let outcome = try sous("run", "read-out.yaml", "-i", "input=x")
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("speak"))
  }
}
