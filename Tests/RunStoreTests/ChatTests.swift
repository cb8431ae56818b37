import Expressions
import TestSupport
import Testing

@testable import RunStore

/// Conversations.
@Suite(.timeLimit(.minutes(5))) struct ChatTests {
  private func turn(_ role: ChatTurnRecord.Role, _ text: String) -> ChatTurnRecord {
    ChatTurnRecord(role, text, at: SampleRun.start)
  }

  @Test func turnsComeBackInTheirOrder() async throws {
    let folder = try TemporaryFolder()
    let store = try RunStore(path: folder("sous.db"), time: ManualTime())
    var answer = turn(.assistant, "Grüezi")
    (answer.provider, answer.model, answer.isCut) = ("gpt", "m", true)
    var question = turn(.user, "Hello\nWorld")
    question.files = ["a.md", "ü.png"]
    let number = try await store.keep([question, answer], in: nil, system: "short")
    #expect(try await store.keep([turn(.user, "again"), turn(.assistant, "100 %_")], in: number) == number)
    let found = try #require(try await store.chat(number))
    #expect(found.chat.title == "Hello" && found.chat.system == "short" && found.chat.turnCount == 4)
    #expect(found.turns.map(\.text) == ["Hello\nWorld", "Grüezi", "again", "100 %_"])
    #expect(found.turns[0].files == ["a.md", "ü.png"] && found.turns[1].isCut && found.turns[1].model == "m")
    let other = try await store.keep([turn(.user, "100 xy")], in: nil)
    #expect(try await store.chats(limit: 10).map(\.number) == [other, number])
    // What means something to the database means itself here.
    #expect(try await store.chats(with: ["100 %_"], limit: 10).map(\.number) == [number])
    #expect(try await store.chats(with: ["grüezi", "again"], limit: 10).isEmpty == false)
    #expect(try await store.chats(with: ["Grüezi", "xy"], limit: 10).isEmpty)
    #expect(try await store.deleteChats([number, 99]) == 1)
    #expect(try await store.chat(number) == nil)
    #expect(try await DatabaseProbe(folder("sous.db")).number("SELECT count(*) FROM chat_turns") == 1)
    try await store.close()
  }
}
