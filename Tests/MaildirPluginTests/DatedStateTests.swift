import MailWire
import PluginKit
import PluginKitTesting
import Testing

@testable import MaildirPlugin

/// Notes of what was begun: what nobody has seen the end of is never forgotten.
struct DatedStateTests {
  private struct Note: Codable, Sendable, Equatable {
    var isDone: Bool
  }

  private static let day = 86_400

  /// Notes a call and looks a note up, through a process that has just begun.
  private func tidied(_ plugin: TemporaryMaildir.Plugin, on day: Int) async throws {
    plugin.host.advance(by: .seconds(day * Self.day) - .seconds(Int(plugin.plugin.callContext().seconds)))
    let state = DatedState(plugin.plugin.callContext(key: "tidy"), prefix: "t")
    try await state.tidy(DatedState.Tidying(), Note.self) { $0.isDone }
  }

  private func note(_ plugin: TemporaryMaildir.Plugin, _ key: String) async throws -> Note? {
    try await DatedState(plugin.plugin.callContext(key: key), prefix: "t").value(for: "n")
  }

  private func write(_ plugin: TemporaryMaildir.Plugin, _ key: String, _ isDone: Bool, on day: Int) async throws {
    let state = DatedState(plugin.plugin.callContext(key: key), prefix: "t")
    try await state.set(Note(isDone: isDone), for: "n", at: day * Self.day)
  }

  @Test func whatIsInDoubtOutlivesWhatIsDone() async throws {
    let plugin = try TemporaryMaildir().open()
    let first = plugin.plugin.callContext().seconds / Self.day
    try await write(plugin, "done", true, on: first)
    try await write(plugin, "doubt", false, on: first)
    for day in first...(first + 13) { try await tidied(plugin, on: day) }
    #expect(try await note(plugin, "done") == Note(isDone: true))
    for day in (first + 14)...(first + 100) { try await tidied(plugin, on: day) }
    #expect(try await note(plugin, "done") == nil)
    #expect(try await note(plugin, "doubt") == Note(isDone: false))
  }

  @Test func aClockThatIsAheadMakesNothingOld() async throws {
    let plugin = try TemporaryMaildir().open()
    let first = plugin.plugin.callContext().seconds / Self.day
    try await write(plugin, "done", true, on: first)
    try await tidied(plugin, on: first + 5000)
    #expect(try await note(plugin, "done") == Note(isDone: true))
  }

  /// A note that was begun while the clock was ahead is ended under its key, so that the end counts.
  @Test func theLastWordCountsWhateverTheClockShows() async throws {
    let plugin = try TemporaryMaildir().open()
    let first = plugin.plugin.callContext().seconds / Self.day
    try await write(plugin, "a", false, on: first + 5000)
    try await write(plugin, "a", true, on: first)
    #expect(try await note(plugin, "a") == Note(isDone: true))
  }
}
