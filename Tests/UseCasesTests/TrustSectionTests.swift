import Expressions
import Foundation
import RecipeModel
import RecipeSyntax
import Schemas
import TestWorkspace
import Testing

@testable import UseCases

/// Which sections of `sous.yaml` need trust. A new section must be added here, with a content that needs most.
struct TrustSectionTests {
  /// The contents that ask for most; of pure sections any.
  private static let contents: [String: String] = [
    "providers": "{ x: { plugin: ./odd.so } }",
    "defaults": "{ notify: inbox }",
    "secrets": "[{ command: [pass, show, x] }]",
    "plugins": "{ paths: [.] }",
    "recipes": "[/elsewhere]",
    "listen": "\"0.0.0.0:8768\"",
    "server": "{ listen: 127.0.0.1:9000 }",
    "engine": "{ on_failure: { mail: [a@example.org] } }",
    "files": "{ folders: [/etc] }",
    "http": "{ hosts: [example.com] }",
    "bookmarks": "true",
    "summaries": "{ per_hour: 3 }",
    "neutralise": "{ words: [x] }",
    "reminders": "{ deliver: [{ notify: true, otherwise: { command: [touch, x] } }] }",
    "auth": "{ a: { client_id: x, issuer: \"https://id.example\" } }",
    "outbox": "{ undo_for: 10s }",
  ]

  private func items(_ text: String, in place: Place) throws -> [TrustItem] {
    let (configuration, diagnostics) = Configuration.parse(SourceText(path: place.folder + "/sous.yaml", text: text))
    #expect(!diagnostics.contains { $0.severity == .error }, "\(text)\(diagnostics)")
    let surroundings = Surroundings(environment: ["HOME": place.folder], folder: place.folder)
    let manifests = Project.manifests(of: configuration, surroundings)
    return WorkspaceTrust(configuration, surroundings).items(manifests)
  }

  @Test(arguments: Configuration.sectionNames)
  func everySectionThatIsNotPureNeedsTrust(section: String) throws {
    let place = try Place()
    try place.write("libodd.so", "no library")
    let content = try #require(Self.contents[section], "say what '\(section)' runs, reaches, reads and writes")
    let items = try items("\(section): \(content)\n", in: place)
    #expect(items.isEmpty == WorkspaceTrust.pureSections.contains(section), "\(items)")
    #expect(!items.contains { $0.isLocal })
  }

  @Test func sectionsThatStayInTheFolderAndOnThisMachineNeedNoTrust() throws {
    let place = try Place()
    let text = """
      files: { folders: [., out] }
      recipes: { folders: [recipes, more] }
      listen: 127.0.0.1:9000
      http: { hosts: ["127.0.0.1", "localhost:80", "127.0.0.0/8"] }
      reminders: { deliver: [{ notify: true }] }

      """
    #expect(try items(text, in: place).isEmpty)
  }

  @Test(arguments: [
    "http: { hosts: [\"*\"] }", "files: { folders: [., recipes] }",
    "files: { folders: [.git/hooks] }",
    "reminders: { deliver: [{ mail: a@example.org }] }", "recipes: { sync: { url: ./clone } }",
  ])
  func whatOnlyLooksLikeTheFolderNeedsTrust(text: String) throws {
    let place = try Place()
    #expect(try !items(text + "\n", in: place).isEmpty)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.0.0.0/8", true), ("[::1]:80", true), ("http://localhost:1/x", true),
    ("127.0.0.0/1", false),
    ("::/0", false), ("127.0.0.1.evil.example", false), ("*", false), ("", false),
  ])
  func thisMachineIsItsLoopbackAlone(address: String, isThisMachine: Bool) {
    #expect(WorkspaceTrust.isThisMachine(address) == isThisMachine)
  }

  @Test func aSectionThatTrustDoesNotKnowNeedsItAsAWhole() throws {
    let place = try Place()
    var configuration = Configuration.empty
    configuration.path = place.folder + "/sous.yaml"
    configuration.sections = ["later": ["command": ["touch", "x"]]]
    var surroundings = Surroundings(environment: ["HOME": place.folder], folder: place.folder)
    surroundings.isActing = true
    let manifests = Project.manifests(of: configuration, surroundings)
    let trust = WorkspaceTrust(configuration, surroundings)
    #expect(trust.items(manifests).count == 1)
    let error = #expect(throws: UseCaseError.self) { try trust.ask(nil, manifests) }
    #expect(error?.code.rawValue == "not_trusted")
    try trust.grant(trust.items(manifests))
    #expect(throws: Never.self) { try trust.ask(nil, manifests) }
  }

  /// The program itself, a script that a program reads, one inside the text of a shell, and one that a link names.
  @Test(arguments: [
    ["./get.sh"], ["sh", "get.sh"], ["sh", "-c", "exec ./get.sh --all"], ["env", "--file=get.sh"], ["./link"],
  ])
  func anotherContentOfAProgramOfTheFolderIsAnotherItem(command: [String]) throws {
    let place = try Place()
    try place.write("get.sh", "echo 1")
    try FileManager.default.createSymbolicLink(
      atPath: place.folder + "/link", withDestinationPath: place.folder + "/get.sh")
    let words = command.map { "'\($0)'" }.joined(separator: ", ")
    for text in [
      "providers: { gpt: { plugin: openai, api_key: { secret: { command: [\(words)] } } } }\n",
      "secrets: [{ command: [\(words)] }]\n", "reminders: { deliver: [{ command: [\(words)] }] }\n",
    ] {
      try place.write("get.sh", "echo 1")
      let before = Set(try items(text, in: place).map(\.key))
      #expect(Set(try items(text, in: place).map(\.key)) == before)
      try place.write("get.sh", "echo 2")
      #expect(Set(try items(text, in: place).map(\.key)) != before, "\(text)")
    }
  }

  /// Another repository, branch, folder or list of signers is another source of recipes.
  @Test func eachSourceOfRecipesIsAnItemOfItsOwn() throws {
    let place = try Place()
    try place.write("signers", "anna ssh-ed25519 AAAA")
    func key(_ rest: String) throws -> String {
      let items = try items("recipes: { sync: { url: \"https://git.example/r.git\"\(rest) } }\n", in: place)
      #expect(items.count == 1 && !items.contains { $0.isLocal })
      return items.first?.key ?? ""
    }
    let texts = ["", ", branch: main", ", folder: a", ", signatures: true", ", signatures: signers"]
    #expect(Set(try texts.map(key)).count == texts.count)
    #expect(try key(", every: 1h") == key(""))
    let before = try key(", signatures: signers")
    try place.write("signers", "eva ssh-ed25519 BBBB")
    #expect(try key(", signatures: signers") != before)
  }

  @Test func argumentsAreShownApart() {
    #expect(TrustItem.quoted(["sh", "-c", "touch 'x'\nrm y", "", "$(z)"]) == "sh -c $'touch \\'x\\'\\nrm y' '' '$(z)'")
  }
}
