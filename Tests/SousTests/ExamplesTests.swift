import Expressions
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct ExamplesTests {
  @Test func theDigestNamesSubjectsOfTheExampleMailbox() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    for name in ["examples", "workflows", "sous.yaml"] {
      try FileManager.default.copyItem(
        atPath: SousProcess.repository + "/" + name, toPath: sous.folder + "/" + name)
    }
    let outcome = try sous("run", "workflows/inbox-digest.yaml", "--json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let run = try outcome.json
    #expect(run["status"] == "succeeded")
    let digest = try #require(run["outputs"]?["digest"]?.stringValue)
    let messages = try sous("show", "last", "--output", "unread", "--json").json["messages"]?.listValue ?? []
    #expect(messages.count == 14)
    for subject in messages.compactMap({ $0["subject"]?.stringValue }) { #expect(digest.contains(subject)) }
    // Reading changes nothing, and the digest lies where the configuration says.
    let delivered = try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/.sous/outbox/new")
    #expect(delivered.count == 1)
    let again = try sous("run", "workflows/inbox-digest.yaml", "--json").json
    #expect(again["outputs"] == run["outputs"])
  }

  @Test func everyBundledRecipeIsValid() throws {
    let sous = try SousProcess()
    defer { sous.remove() }
    let outcome = try sous(
      "validate", SousProcess.repository + "/workflows", "--config", SousProcess.repository + "/sous.yaml", "--json")
    #expect(outcome.status == 0)
    // Several workflows filter the same INBOX, of which `validate` warns.
    let problems = try #require(try outcome.json.listValue).filter { $0["code"] != "shared_folder" }
    #expect(problems.isEmpty, "\(problems)")
  }
}
