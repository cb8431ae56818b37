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
        "mail.store 1: mail.folders mail.search mail.fetch mail.flag mail.move mail.copy mail.delete mail.append",
        "mail.transport 1: mail.send", "chat 1: chat.complete chat.models", "embed 1: embed.texts",
        "transcribe 1: transcribe.audio", "notes 1: note.save", "notify 1: notify.send notify.command",
      ])
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
    #expect(catalog.signatures.count == 16 + ActionSignature.waits.count)
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
    #expect(message.fields.count == 25)
  }
}
