import Expressions
import LanguageServer
import Testing

@Suite struct NavigationTests {
  static let recipe = LanguageSessionTests.recipe

  @Test(arguments: [
    ("for_each: \"{{ steps.unread", "for_each: \"{{ steps.unr¦ead", "test.yaml:5:8"),
    ("{{ inputs.limit }}", "{{ inputs.li¦mit }}", "test.yaml:3:2"),
    ("provider: home", "provider: ho¦me", "sous.yaml:1:2"),
  ])
  func leadsToTheDefinition(_ text: String, _ marked: String, _ expected: String) throws {
    var editor = Editor()
    let parts = Self.recipe.split(separator: text, maxSplits: 1, omittingEmptySubsequences: false)
    #expect(editor.definition(parts[0] + marked + parts[1]) == expected)
  }

  @Test(arguments: [
    (recipe + "    when: Anr¦ede == 'x'\n", "test.yaml:1:12"),
    (recipe + "    needs: [unr¦ead]\n", "test.yaml:5:8"),
    ("steps:\n  - &first\n    id: a\n    uses: values\n  - *fi¦rst\n", "test.yaml:1:4"),
    ("steps:\n  - id: a\n    uses: recipe\n    with: { recipe: oth¦er }\n", "other.yaml:0:0"),
  ])
  func leadsFromNamesToTheirPlaces(_ text: String, _ expected: String) {
    var editor = Editor()
    #expect(editor.definition(text) == expected)
  }

  @Test(arguments: [
    (recipe.replacing("uses: mail", with: "us¦es: mail"), "CONTRACT.ACTION"),
    (recipe.replacing("uses: mail.search", with: "uses: mail.sea¦rch"), "`read`"),
    (recipe.replacing("inputs.limit }}", with: "inputs.lim¦it }}"), "inputs.limit: int"),
    (recipe.replacing("message.subject", with: "message.sub¦ject"), "string"),
    (recipe.replacing("provider: home", with: "provider: ho¦me"), "maildir"),
    (recipe + "    when: Anr¦ede == 'x'\n", "Du"),
  ])
  func hoverTells(_ text: String, _ part: String) {
    var editor = Editor()
    #expect(editor.hover(text).contains(part))
  }
}
