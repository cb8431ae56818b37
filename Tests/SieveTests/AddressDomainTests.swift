import Localization
import Plans
import RecipeSyntax
import Sieve
import Testing

/// Conditions on addresses see one spelling of a domain, whichever the message and the condition have.
@Suite struct AddressDomainTests {
  private static let messages: [[UInt8]] = [
    "anna@müller.example", "anna@xn--mller-kva.example", "Anna@XN--MLLER-KVA.Example", "anna@muller.example",
  ].map { address in
    Array(
      "From: \(address)\r\nTo: b@x.example, \(address)\r\nReturn-Path: <\(address)>\r\nSubject: s\r\n\r\nt\r\n".utf8)
  }

  private static let conditions = [
    #"message.from.address.lowerAscii() == "anna@müller.example""#,
    #""anna@xn--mller-kva.example" == message.from.address.lowerAscii()"#,
    #"message.from.address.lowerAscii() in ["x@y.example", "anna@xn--mller-kva.example"]"#,
    #"message.from.address.contains("@xn--mller-kva.example")"#,
    #"message.from.address.endsWith("@müller.example")"#,
    #"message.from.address.matches("@xn--mller-kva\\.example$")"#,
    #"message.to.exists(a, a.address.endsWith("@xn--mller-kva.example"))"#,
    #""anna@xn--mller-kva.example" in message.to.map(a, a.address.lowerAscii())"#,
    #"!(message.from.address.lowerAscii() != "anna@xn--mller-kva.example")"#,
  ]

  private static func indented(_ condition: String) -> String {
    "kind: mail-filter\nname: mail\nrules:\n  - when: >-\n      \(condition)\n    then: flag\n"
  }

  private func taken(_ recipe: String) async throws -> [Bool] {
    try await FilterRun(recipe).outcomes(Self.messages).map { $0 != Outcome(rules: []) }
  }

  @Test(arguments: conditions)
  func filtersMatchEitherSpelling(_ condition: String) async throws {
    #expect(try await taken(Self.indented(condition)) == [true, true, true, false])
  }

  @Test(arguments: [
    #"address :is "from" "anna@xn--mller-kva.example""#, #"address :is "from" "ANNA@MÜLLER.example""#,
    #"address :domain :is "from" "müller.example""#, #"address :domain :is ["to"] "xn--mller-kva.example""#,
    #"address :contains "to" "@xn--mller-kva.example""#, #"address :domain :matches "from" "*müller.example""#,
    #"envelope :domain :is "from" "müller.example""#, #"envelope :domain :is "from" "xn--mller-kva.example""#,
  ])
  func importedScriptsMatchEitherSpelling(_ test: String) async throws {
    let script = "require [\"envelope\", \"imap4flags\"];\nif \(test) { addflag \"\\\\Flagged\"; }\n"
    let imported = SieveImport(
      SourceText(path: "mail.sieve", text: script), SieveImport.Options(name: "mail", addresses: []))
    let recipe = try #require(imported.recipe, "\(imported.diagnostics.map(\.message.english))")
    #expect(try await taken(recipe) == [true, true, true, false], "\(recipe)")
  }

  /// A server compares with the header, which has either spelling.
  @Test(arguments: [
    (
      #"message.from.address.endsWith("@müller.example")"#,
      #"address :comparator "i;octet" :domain :is "from" ["müller.example", "xn--mller-kva.example"]"#
    ),
    (
      #"message.to.exists(a, a.address == "anna@xn--mller-kva.example")"#,
      #"address :comparator "i;octet" :is "to" ["anna@müller.example", "anna@xn--mller-kva.example"]"#
    ),
  ])
  func exportedScriptsNameBothSpellings(_ condition: String, _ test: String) throws {
    let export = SieveExport(SourceText(path: "mail.yaml", text: Self.indented(condition)))
    #expect(try #require(export.script).contains("if \(test) {"), "\(export.script ?? "")")
  }

  /// `xn--mller-kva` has no part that says `müll`.
  @Test func partsOfInternationalLabelsAreNotExported() {
    let export = SieveExport(
      SourceText(path: "mail.yaml", text: Self.indented(#"message.from.address.contains("müll")"#)))
    #expect(export.diagnostics.contains { $0.severity == .error } || !export.isComplete)
  }
}
