import Expressions
import LanguageServer
import Localization
import Plans
import RecipePlanning
import Testing

/// Completion and hover for a text that no editor holds open.
struct TextAssistanceTests {
  private let assistance: TextAssistance

  init() {
    let catalog = ActionCatalog([.values], contracts: BundledContract.all)
    let surroundings = LanguageSession.Surroundings(
      planner: { Planner(catalog: catalog, providers: NoProviders(), configuration: $0) }, read: { _ in nil })
    assistance = TextAssistance(surroundings, path: "/recipes/a.yaml", language: .english)
  }

  /// The completions at the mark in a text.
  private func complete(_ marked: String, limit: Int = 100) -> (items: [Value], isComplete: Bool, text: String) {
    let parts = marked.split(separator: "¦", omittingEmptySubsequences: false)
    let text = parts.joined()
    let found = assistance.completion(of: text, at: parts[0].utf8.count, limit: limit)
    return (found.items, found.isComplete, text)
  }

  @Test func wordsThatBeginSoComeFirst() throws {
    let found = complete("name: a\nsteps:\n  - id: x\n    uses: mail.s¦\n")
    let labels = found.items.compactMap { $0["label"]?.stringValue }
    let others = try #require(labels.firstIndex { !$0.hasPrefix("mail.s") } ?? labels.indices.last)
    #expect(labels.contains("mail.search") && labels[..<others].allSatisfy { $0.hasPrefix("mail.s") }, "\(labels)")
    #expect(labels.allSatisfy { $0.contains("mail.s") })
  }

  @Test func offsetsCountBytes() throws {
    let (items, _, text) = complete("# äöü🙂\nna¦\n")
    let item = try #require(items.first { $0["label"] == "name" })
    let (from, to) = (try #require(item["from"]?.intValue), try #require(item["to"]?.intValue))
    let bytes = Array(text.utf8)
    #expect(String(decoding: bytes[Int(from)..<Int(to)], as: UTF8.self) == "na")
    #expect(item["insert"] == "name: " && item["kind"] == "key" && item["documentation"]?.stringValue != "")
  }

  @Test func aLimitIsKeptAndSaid() {
    let few = complete("name: a\nsteps:\n  - uses: ¦\n", limit: 3)
    #expect(few.items.count == 3 && !few.isComplete)
    #expect(complete("name: a\nsteps:\n  - uses: mail.search¦\n").isComplete)
  }

  @Test func hoverExplainsWithoutMarkup() throws {
    let text = "name: a\nsteps:\n  - id: x\n    uses: mail.search\n"
    let found = try #require(assistance.hover(of: text, at: text.utf8.count - 3))
    let words = try #require(found["text"]?.stringValue)
    #expect(words.contains("mail.search") && !words.contains("**") && !words.contains("`"), "\(words)")
    #expect(found["to"]?.intValue == Int64(text.utf8.count - 1))
    #expect(assistance.hover(of: text, at: 7) == nil)
  }

  /// Places that no text has, and texts that are not recipes.
  @Test(arguments: [
    ("", 0), ("", 99), ("na", -3), ("🙂", 2), ("name: \u{FFFD}", 8), ("{{{{", 4), ("a: [", 4), ("kind: letter\nx: ", 16),
  ])
  func oddPlacesHaveAnAnswer(text: String, offset: Int) {
    let found = assistance.completion(of: text, at: offset, limit: 10)
    #expect(found.items.count <= 10)
    for item in found.items { #expect(item["to"]?.intValue ?? 99 <= Int64(text.utf8.count)) }
    _ = assistance.hover(of: text, at: offset)
    #expect(assistance.completion(of: text, at: offset, limit: -1).items.isEmpty)
  }
}
