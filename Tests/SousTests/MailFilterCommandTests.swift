import Expressions
import Foundation
import Testing

/// What people do with a mail filter, on a copy of the example mailbox.
@Suite(.timeLimit(.minutes(15))) struct MailFilterCommandTests {
  private let sous: SousProcess

  init() throws {
    sous = try SousProcess()
    for name in ["examples", "workflows", "sous.yaml"] {
      try FileManager.default.copyItem(
        atPath: SousProcess.repository + "/" + name, toPath: sous.folder + "/" + name)
    }
  }

  /// Every message of the mailbox's first folder: its bytes and its flags.
  private func messages() throws -> Set<String> {
    var found: Set<String> = []
    for part in ["cur", "new"] {
      let folder = sous.folder + "/examples/mailbox/" + part
      for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let flags = name.range(of: ":2,").map { String(name[$0.upperBound...].sorted()) } ?? ""
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        found.insert(flags + "\n" + bytes.base64EncodedString())
      }
    }
    return found
  }

  @Test func aFilterIsTriedWithoutDoingAnything() throws {
    defer { sous.remove() }
    let before = try messages()
    let shown = try sous("run", "workflows/tidy.yaml", "--dry-run")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("move Newsletters, mark_seen, stop"), "\(shown.output)")
    #expect(shown.output.contains(#"message.category == "newsletter""#))
    let account = try sous("run", "workflows/tidy.yaml", "--dry-run", "--json").json[0]
    let decisions = try #require(account?["decisions"]?.listValue)
    #expect(decisions.contains { $0["rules"] == ["newsletters"] && $0["subject"]?.stringValue?.isEmpty == false })
    #expect(account?["errors"] == [] && account?["complete"] == true)
    #expect(try messages() == before)
    #expect(try sous("runs", "--json").json == [])
    try sous.write("other.yaml", "steps: [{ uses: template, with: { text: x } }]\n")
    #expect(try sous("run", "other.yaml", "--dry-run").status == 2)
  }

  @Test func whatAFilterHasDoneIsTakenBack() throws {
    defer { sous.remove() }
    let before = try messages()
    #expect(try sous("run", "workflows/tidy.yaml", "-q").status == 0)
    #expect(try messages() != before)
    let shown = try sous("show", "last")
    #expect(shown.output.contains("move Newsletters, mark_seen, stop"), "\(shown.output)")
    let plan = try sous("mail", "undo", "last", "--dry-run", "--json")
    #expect(try plan.json["moves"]?[0]?["from"] == "Newsletters", "\(plan.errors)")
    #expect(try plan.json["remains"]?[0]?["step"] == "invoices_copy")
    let undone = try sous("mail", "undo", "last")
    #expect(undone.status == 0, "\(undone.errors)")
    #expect(try messages() == before)
    // The run that took it back has moved nothing anywhere else.
    #expect(try sous("show", "last", "--json").json["recipe"] == "mail-undo")
  }

  /// The run log keeps what was decided, and no text of a message.
  @Test func theRunLogHasNoTexts() throws {
    defer { sous.remove() }
    #expect(try sous("run", "workflows/tidy.yaml", "-q").status == 0)
    let output = try sous("show", "last", "--output", "found", "--json").json
    let decision = try #require(output["decisions"]?[0]?.mapValue)
    #expect(Set(decision.keys.map(\.text)) == ["uid", "message_id", "rules", "reason", "actions", "flags"])
    #expect(output["messages"] == nil)
  }

  @Test func explainShowsTheSplit() throws {
    defer { sous.remove() }
    try sous.write(
      "split.yaml",
      """
      kind: mail-filter
      rules: [{ name: shop, when: 'message.from.address.contains("shop") && message.bulk', then: archive }]
      """)
    let text = try sous("explain", "split.yaml").output
    #expect(text.contains(#"searches by {"from":"shop"}"#), "\(text)")
    #expect(text.contains("bulk, flags, from, labels, message_id"))
  }
}
