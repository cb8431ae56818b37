import Expressions
import Localization
import Recipes
import Testing

@Suite struct BundledContractTests {
  @Test func theContractsAreComplete() {
    let names = BundledContract.all.map {
      "\($0.name) \($0.version): " + $0.signatures.map(\.name).joined(separator: " ")
    }
    #expect(
      names == [
        "mail.store 2: mail.folders mail.search mail.fetch mail.thread mail.raw mail.attachment mail.flag mail.move "
          + "mail.copy mail.delete mail.archive mail.spam mail.folder mail.append mail.list mail.export mail.import",
        "mail.transport 2: mail.send mail.verify", "chat 1: chat.complete chat.models", "embed 1: embed.texts",
        "transcribe 1: transcribe.audio", "speak 1: speak.text",
        "notes 2: note.save note.get note.list note.search note.update note.delete",
        "notify 1: notify.send", "document 1: document.render",
      ])
  }

  @Test(arguments: BundledContract.published.flatMap(\.signatures))
  func everyActionHasSoundSchemasAndBothLanguages(_ signature: ActionSignature) {
    #expect(signature.input.problems().isEmpty)
    #expect(signature.output.problems().isEmpty)
    #expect(!signature.summary.english.isEmpty)
    #expect(signature.summary.english != signature.summary.german)
    #expect(signature.contract != nil)
    #expect(!signature.isBuiltin)
  }

  @Test func theCatalogFindsActionsByName() {
    let catalog = ActionCatalog(contracts: BundledContract.all)
    #expect(catalog["mail.send"]?.contract == "mail.transport")
    #expect(catalog["mail.send"]?.effect == .once)
    #expect(catalog["chat.complete"]?.isCostly == true)
    #expect(catalog["chat.complet"] == nil)
    #expect(catalog.signatures.count == 32 + ActionSignature.waits.count)
  }

  @Test func messagesHaveTypedFields() throws {
    let search = try #require(ActionCatalog(contracts: BundledContract.all)["mail.search"])
    guard case .object(let output) = search.output.valueType(named: .init(verbatim: "output")),
      case .list(.object(let message))? = output.fields["messages"]
    else {
      Issue.record("not a list of messages")
      return
    }
    #expect(!message.isOpen)
    #expect(message.fields["bulk"] == .bool)
    #expect(message.fields["size"] == .int)
    #expect(message.fields.count == 32)
  }

  @Test func oldVersionsStayPublished() throws {
    #expect(BundledContract.published("mail.store/1")?.signatures.count == 8)
    #expect(BundledContract.published("mail.transport/1")?.signatures.map(\.name) == ["mail.send"])
    #expect(BundledContract.published("notes/1")?.signatures.map(\.name) == ["note.save"])
    #expect(BundledContract.published("mail.store/2")?.version == 2)
    #expect(BundledContract.published("mail.store/3") == nil)
    #expect(BundledContract.published("mail.store") == nil)
    #expect(Set(BundledContract.published.map(\.claim)).count == BundledContract.published.count)
  }

  @Test func aNewVersionTakesNothingAway() throws {
    for old in BundledContract.published where !BundledContract.all.contains(where: { $0.claim == old.claim }) {
      let new = try #require(BundledContract.all.first { $0.name == old.name })
      for signature in old.signatures {
        let now = try #require(new.signatures.first { $0.name == signature.name })
        // A newer version may promise more; what a plugin of an older one says of itself counts.
        #expect(now.effect == signature.effect || now.effect == .idempotent && signature.effect == .once)
        for (before, after) in [(signature.input, now.input), (signature.output, now.output)] {
          let names = { (schema: Schema) -> [String] in
            (schema.document["properties"]?.mapValue?.entries ?? []).compactMap { entry -> String? in
              if case .string(let name) = entry.key { name } else { nil }
            }
          }
          #expect(Set(names(before)).isSubset(of: Set(names(after))), "\(signature.name)")
        }
      }
    }
  }

  @Test func contractsDefineTriggers() throws {
    let trigger = try #require(BundledContract.published("mail.store/2")?.triggers.first)
    #expect(trigger.name == "mail.new")
    #expect(trigger.contract == "mail.store")
    #expect(trigger.configuration.problems().isEmpty)
    #expect(trigger.event.problems().isEmpty)
    #expect(trigger.summary.english != trigger.summary.german)
    #expect(trigger.configuration.fillingDefaults(.map([:])) == ["folder": "INBOX"])
    #expect(trigger.configuration.validate(["fields": ["subject"]]).isEmpty)
    #expect(!trigger.configuration.validate(["fields": ["colour"]]).isEmpty)
    #expect(trigger.event.validate(["folder": "a", "uid": "1", "message": ["uid": "1", "folder": "a"]]).isEmpty)
    #expect(!trigger.event.validate(["folder": "a", "uid": "1", "message": ["uid": "1"]]).isEmpty)
    #expect(BundledContract.published("mail.store/1")?.triggers.isEmpty == true)
  }

  @Test func queriesAreCheckedByTheirConditions() throws {
    let search = try #require(ActionCatalog(contracts: BundledContract.all)["mail.search"])
    for query: Value in [["all": true], ["and": [["from": "a"]]], ["since": "2026-01-01"], ["header": ["name": "X"]]] {
      #expect(search.input.validate(["query": query]).isEmpty, "\(query)")
    }
    for query: Value in [["colour": "red"], ["header": ["contains": "x"]], ["larger": -1], ["all": false]] {
      #expect(!search.input.validate(["query": query]).isEmpty, "\(query)")
    }
  }
}
