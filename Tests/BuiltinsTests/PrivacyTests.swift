import Engine
import Expressions
import Neutralisation
import RecipeModel
import Testing

@testable import Builtins

@Suite struct PrivacyTests {
  @Test func theKindsOfTheConfigurationAreThoseOfTheModule() {
    #expect(ConfiguredNeutralisation.kindNames == PersonalDataKind.choices.map(\.rawValue))
    var settings = ConfiguredNeutralisation()
    (settings.kinds, settings.words) = (["person"], ["Projekt Adler"])
    #expect(Neutraliser.Options(settings).kinds == [.person, .own])
  }

  @Test func whatIsKeptInMemoryIsGivenBackByItsHandle() throws {
    let seal = MemorySeal()
    let handle = try seal.seal([1, 2, 3])
    #expect(try seal.open(handle) == [1, 2, 3])
    #expect(throws: ActionFailure.mappingGone) { try seal.open("memory:99") }
  }
}
