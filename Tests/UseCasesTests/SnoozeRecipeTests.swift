import Foundation
import Testing

@testable import UseCases

/// The recipe that is part of the program is the one that people can read and change.
@Suite struct SnoozeRecipeTests {
  @Test func itIsTheOneInTheFolderOfWorkflows() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../workflows/snooze.yaml")
    #expect(try String(contentsOf: file, encoding: .utf8) == SnoozeRecipe.text)
  }

  @Test func aProviderStandsInItsDefaults() {
    #expect(SnoozeRecipe.text(provider: "work").contains("\ndefaults: { mail.store: \"work\" }\n\ninputs:\n"))
    #expect(SnoozeRecipe.text(provider: nil) == SnoozeRecipe.text)
  }
}
