import Expressions
import Localization
import Plans
import Testing

@testable import RecipeModel
@testable import Schemas

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

  @Test(arguments: BundledContract.all.map(\.name))
  func everyDocumentCanBeRead(_ name: String) throws {
    let contract = try #require(BundledContract.all.first { $0.name == name })
    #expect(contract.problem == nil)
    #expect(contract.version > 0)
    #expect(!contract.signatures.isEmpty)
  }

  @Test(arguments: BundledContract.all.flatMap(\.signatures))
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

  @Test func aClaimNamesAContractAndItsVersion() throws {
    #expect(BundledContract.claimed("mail.store/2")?.name == "mail.store")
    #expect(BundledContract.claimed("mail.store/1") == nil)
    #expect(BundledContract.claimed("mail.store/3") == nil)
    #expect(BundledContract.claimed("mail.store") == nil)
    #expect(Set(BundledContract.all.map(\.claim)).count == BundledContract.all.count)
  }

  @Test func contractsDefineTriggers() throws {
    let trigger = try #require(BundledContract.claimed("mail.store/2")?.triggers.first)
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
