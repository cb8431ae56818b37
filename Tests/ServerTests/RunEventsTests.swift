import Engine
import Expressions
import Testing

@testable import Server

/// The events of a run, and where a follower goes on.
@Suite struct RunEventsTests {
  @Test func aCursorIsReadAsItWasWritten() throws {
    var cursor = RunCursor()
    (cursor.line, cursor.status) = (123_456_789_012, 3)
    cursor[2] = RunCursor.Step(stage: 2, begun: 300, ended: 299)
    #expect(RunCursor(cursor.text) == cursor)
    #expect(RunCursor(RunCursor().text) == RunCursor())
    // Steps that have not begun take no room.
    cursor[9] = RunCursor.Step()
    #expect(try #require(RunCursor(cursor.text)).steps.count == 3)
  }

  @Test(arguments: ["", "x", "AQ", "AAAA", "AQAA/", "Ag", "AQAAAQ", "gICAgICAgICAgIA", "AQAA="])
  func otherTextsAreNoCursor(text: String) { #expect(RunCursor(text) == nil) }

  @Test func aStepBeyondTheLimitIsNotKept() {
    var cursor = RunCursor()
    cursor[RunCursor.mostSteps] = RunCursor.Step(stage: 1)
    cursor[-1] = RunCursor.Step(stage: 1)
    #expect(cursor == RunCursor())
  }
}
