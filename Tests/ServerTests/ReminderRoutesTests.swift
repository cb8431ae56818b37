import Engine
import Expressions
import Foundation
import TestSupport
import TestWorkspace
import Testing

@testable import Server

/// Reminders over the API.
@Suite(.timeLimit(.minutes(3)))
struct ReminderRoutesTests {
  @Test func aReminderIsKeptOnceForAKeyAndPutOff() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    var ids: Set<String> = []
    for _ in 0..<2 {
      let new = try await server.checked(
        "POST", "/reminders", token, ["text": "dentist tomorrow at 9", "leads": ["1h"]],
        fields: [("Idempotency-Key", "dentist")])
      #expect(new.status == 201 && new.text("title") == "dentist", "\(new.text)")
      ids.insert(new.text("id"))
    }
    let id = try #require(ids.first)
    #expect(try await server.checked("GET", "/reminders", token).items.count == 1)
    let snoozed = try await server.checked(
      "POST", "/reminders/\(id)/snooze", token, ["until": "2036-01-01T09:00:00Z"])
    #expect(snoozed.text("next") == "2036-01-01T09:00:00Z", "\(snoozed.text)")
    let calendar = try await server.checked("GET", "/calendar", token)
    #expect(calendar.field("content-type")?.hasPrefix("text/calendar") == true)
    #expect(calendar.text.contains("SUMMARY:dentist") && calendar.text.contains("DUE:20360101T090000Z"))
    #expect(try await server.checked("POST", "/reminders/\(id)/done", token).status == 200)
    for (method, path) in [("POST", "/done"), ("DELETE", "")] {
      let over = try await server.checked(method, "/reminders/\(id)\(path)", token)
      #expect(over.status == 409 && over.code == "run_state", "\(over.text)")
    }
    #expect(try await server.checked("GET", "/reminders/\(id)", token).text("state") == "done")
    // The pages say so too, of the run as of the reminder.
    let run = try #require(try await server.checked("GET", "/runs", token).items.first { $0["recipe"] == "dentist" })
    let name = try #require(run["id"]?.stringValue)
    for path in ["/runs", "/runs/" + name] {
      let page = try await HTTPCall(server.port).send(
        "GET", path, [("Accept", "text/html"), ("Authorization", "Bearer " + token)])
      // Below the state of the run, its page has the steps that were not needed any more.
      let text = page.text.components(separatedBy: "id=\"run-decisions\"").first ?? ""
      #expect(text.contains("<span class=\"status done\">") && !text.contains("status cancelled"), "\(path)")
      #expect(!text.contains("class=\"reason\"") && !text.contains("class=\"failure\""), "\(path)")
    }
    try await server.stop()
  }

  @Test func aReminderThatRepeatsHasOneNameAndIsDeletedWithItsRecipe() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let new = try await server.checked(
      "POST", "/reminders", token, ["text": "water the plants every Tuesday at 7", "repeat": "1h", "limit": 3])
    #expect(new.text("id") == "water the plants" && new.field("location") == "/api/v1/reminders/water%20the%20plants")
    let path = "/reminders/water%20the%20plants"
    #expect(try await server.checked("GET", path, token).text("path") == new.text("path"))
    let nothing = try await server.checked("POST", path + "/done", token)
    #expect(nothing.status == 409, "\(nothing.text)")
    #expect(try await server.checked("DELETE", path, token).status == 204)
    #expect(try await server.checked("DELETE", path, token).status == 404)
    try await server.stop()
  }

  @Test func wordsWithSeveralMeaningsAreAskedAbout() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let asked = try await server.checked("POST", "/reminders", token, ["text": "dinner on 3/4 at 9"])
    #expect(asked.status == 422 && asked.code == "ambiguous" && asked.json["meanings"]?.listValue?.count == 2)
    let outside = try await server.checked("POST", "/reminders", token, ["text": "dinner on 3/4 at 9", "meaning": 2])
    #expect(outside.status == 422 && outside.code == "wrong_input", "\(outside.text)")
    let chosen = try await server.checked("POST", "/reminders", token, ["text": "dinner on 3/4 at 9", "meaning": 1])
    #expect(chosen.status == 201 && chosen.text("title") == "dinner", "\(chosen.text)")
    try await server.stop()
  }

  @Test func wrongRemindersAreRefused() async throws {
    let server = try await TestServer()
    let token = try server.token("operator")
    let wrong: [Value] = [
      [:], ["text": ""], ["text": "nothing here"], ["text": "x", "at": "2020-01-01T09:00"],
      ["text": "x tomorrow at 9", "timezone": "Mars/Base"], ["text": "x in 2 hours", "leads": ["1d"]],
      ["text": "x in 2 hours", "repeat": "sometimes"], ["text": "x in 2 hours", "limit": 3],
      ["text": "x in 2 hours", "deliver": ["pigeon"]], ["text": "x", "every": "Monday", "rule": "FREQ=DAILY"],
    ]
    for body in wrong {
      let answer = try await server.checked("POST", "/reminders", token, body)
      #expect(answer.status == 422, "\(body.jsonString): \(answer.text)")
    }
    #expect(try await server.checked("GET", "/reminders?all=true", token).items.isEmpty)
    try await server.stop()
  }

  /// Otherwise the right to reminders would be a right to run programs.
  @Test func onlyCallersWhoWriteRecipesBringAProgram() async throws {
    let server = try await TestServer()
    let body: Value = ["text": "x in 2 hours", "deliver": ["{command: [touch, x]}"]]
    let refused = try await server.checked("POST", "/reminders", try server.token("operator"), body)
    #expect(refused.status == 403 && refused.code == "forbidden", "\(refused.text)")
    #expect(try await server.checked("POST", "/reminders", try server.token("editor"), body).status == 201)
    try await server.stop()
  }
}
