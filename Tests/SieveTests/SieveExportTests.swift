import Plans
import RecipeModel
import RecipeSyntax
import Sieve
import Testing

@Suite struct SieveExportTests {
  private static func exported(_ rules: String, head: String = "") -> SieveExport {
    SieveExport(SourceText(path: "mail.yaml", text: "kind: mail-filter\nname: mail\n\(head)rules:\n\(rules)\n"))
  }

  @Test func rulesBecomeBlocks() {
    let result = Self.exported(
      """
        - name: invoices
          when: message.subject.lowerAscii().contains("invoice") && !(message.size > 1000000)
          then: [flag, { label: money }, { copy: Invoices }]
        - name: rest
          when: message.from.address.endsWith("@Example.com")
          then: [mark_seen, { move: Example }]
        - name: gone
          when: message.headers.exists(h, h.name.lowerAscii() == "x-spam" && h.value == "Yes")
          then: { delete: { permanently: true } }
      """)
    #expect(result.diagnostics.isEmpty)
    #expect(
      result.script == #"""
        require ["copy", "fileinto", "imap4flags"];

        # rule:[invoices]
        if allof (header :contains "subject" "invoice", not size :over 1000000) {
          addflag "\\Flagged";
          addflag "money";
          fileinto :copy "Invoices";
        }

        # rule:[rest]
        if address :comparator "i;octet" :domain :is "from" "Example.com" {
          addflag "\\Seen";
          fileinto "Example";
          stop;
        }

        # rule:[gone]
        if header :comparator "i;octet" :is "x-spam" "Yes" {
          discard;
          stop;
        }

        """#)
  }

  @Test(arguments: [
    ("  - { when: message.bulk, then: archive }", 4, 13),
    ("  - { when: message.seen || message.size > 3, then: flag }", 4, 13),
    ("  - { when: 'message.subject.matches(\"x\")', then: flag }", 4, 14),
    ("  - { then: [flag, { notify: x }] }", 4, 22),
    ("  - { then: unsubscribe }", 4, 13),
    ("  - { then: { move: '{{ inputs.folder }}' } }", 4, 21),
  ])
  func whatSieveDoesNotHaveIsNamed(_ rule: String, line: Int, column: Int) {
    let result = Self.exported(rule)
    #expect(result.script == nil)
    #expect(result.diagnostics.map(\.code) == [.sieveUnsupported])
    #expect(result.diagnostics.first?.range?.start.line == line)
    #expect(result.diagnostics.first?.range?.start.column == column)
  }

  @Test func aSearchIsNamed() {
    let result = Self.exported("  - { then: flag }", head: "search: { unseen: true }\n")
    #expect(result.diagnostics.map { $0.range?.start.line } == [3])
    #expect(result.script?.contains("addflag") == true)
  }

  @Test func whatIsKeptIsNotMovedLater() throws {
    let script = try #require(
      Self.exported(
        """
          - { when: message.size > 5, then: keep }
          - { then: { move: A } }
        """
      ).script)
    #expect(script.contains("set \"kept\" \"yes\";"))
    #expect(script.contains("if not string :is \"${kept}\" \"yes\" {"))
  }
}
