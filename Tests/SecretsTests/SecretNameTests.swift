import Localization
import Testing

@testable import Secrets

struct SecretNameTests {
  @Test(arguments: ["A", "_x", "OPENAI_API_KEY", "work.mail-2", "0", String(repeating: "n", count: 128)])
  func namesAreWords(text: String) {
    #expect(SecretName(text)?.text == text)
  }

  @Test(
    arguments: [
      "", ".", "..", "../x", "a/b", "-x", "--json", ".hidden", "a b", "a=b", "ä", "a\n", "a\0", "{name}",
      String(repeating: "n", count: 129),
    ])
  func pathsOptionsAndAssignmentsAreNone(text: String) {
    #expect(SecretName(text) == nil)
  }

  @Test func whatIsNoNameIsNotRepeated() {
    let error = #expect(throws: SecretError.self) { try SecretName(checking: "hunter22 is my password") }
    #expect(error?.code == .nameInvalid)
    #expect(error?.message.english.contains("hunter22") == false)
  }
}
