import Testing

@testable import MCP

@Suite struct RoundStateTests {
  private let key = [UInt8](repeating: 7, count: 32)

  @Test func isOpenedForTheSameCallWithinItsTime() throws {
    var state = RoundState(run: "01ABC")
    (state.isApproved, state.isStarted) = (true, true)
    let text = state.sealed("anna run {}", now: 1000, key: key)
    #expect(RoundState(text, "anna run {}", now: 1000 + RoundState.lifetime, key: key) == state)
    #expect(RoundState(text, "anna run {}", now: 1001 + RoundState.lifetime, key: key) == nil)
    #expect(RoundState(text, "otto run {}", now: 1000, key: key) == nil)
    #expect(RoundState(text, "anna run {}", now: 1000, key: [UInt8](repeating: 8, count: 32)) == nil)
  }

  @Test func changedTextsAreRefused() {
    let text = RoundState(run: "01ABC").sealed("call", now: 0, key: key)
    let forged = text.replacing("\"approved\":false", with: "\"approved\":true")
    #expect(forged != text)
    for other in [forged, "", ".", "x.y", String(text.dropFirst()), text + " ", String(repeating: "a", count: 10_000)] {
      #expect(RoundState(other, "call", now: 0, key: key) == nil)
    }
  }
}
