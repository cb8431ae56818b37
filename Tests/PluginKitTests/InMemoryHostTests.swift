import Foundation
import PluginKit
import PluginKitTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct InMemoryHostTests {
  let host = InMemoryHost(provider: "home")

  func courier() throws -> InMemoryHost.OpenPlugin<Courier> {
    try host.open(Courier.self, configuration: ["sender_name": "Carl"])
  }

  @Test func namesCrossTheBoundaryInSnakeCaseAcronymsIncluded() async throws {
    let output = try await courier().call(
      "parcel.send", ["recipient_name": "Ada", "weight_in_grams": 10, "attachment_url": "x:y"], key: "k1", attempt: 3)
    #expect(output == ["receipt_id": "k1", "from": "Carl", "attempt": 3])
  }

  @Test func typedInputAndOutputMakeTheRoundTrip() async throws {
    let receipt = try await courier().call(
      "parcel.send", Courier.Parcel(recipientName: "Ada", weightInGrams: 10), returning: Courier.Receipt.self)
    #expect(receipt == Courier.Receipt(receiptID: "key", from: "Carl", attempt: 1))
  }

  @Test func freeFormValuesKeepTheirNamesAndTypes() async throws {
    let value: JSONValue = [
      "snake_case": 1, "camelCase": 2.5, "nested": ["a_b": [true, nil, "ü\u{1F600}\n"]], "big": 9_007_199_254_740_993,
    ]
    #expect(try await courier().call("courier.echo", value) == value)
  }

  @Test(
    arguments: [
      (["weight_in_grams": 1], "recipient_name"),
      (["recipient_name": "Ada", "weight_in_grams": "heavy"], "weight_in_grams"),
      (["recipient_name": nil, "weight_in_grams": 1], "recipient_name"),
    ] as [(JSONValue, String)])
  func unusableInputIsRefusedNamingTheField(input: JSONValue, field: String) async throws {
    let error = await #expect(throws: ActionError.self) { try await courier().call("parcel.send", input) }
    #expect(error?.kind == .invalidInput)
    #expect(error?.message.contains("'\(field)'") == true)
  }

  @Test func ownActionsRefuseWhatTheirSchemaDoesNotKnow() async throws {
    let error = await #expect(throws: ActionError.self) { try await courier().call("courier.stumble", ["x": 1]) }
    #expect(error?.kind == .invalidInput)
    #expect(error?.message.contains("'x'") == true)
    await #expect(throws: ActionError(.invalidInput, "")) { try await courier().call("mailman.secret", ["text": nil]) }
    // The schema of this one is open, and that of a contract is the contract's.
    #expect(try await courier().call("courier.echo", ["x": 1]) == ["x": 1])
    _ = try await courier().call("parcel.send", ["recipient_name": "Ada", "weight_in_grams": 1, "x": 1])
  }

  @Test func actionErrorsKeepTheirKindAndAdvice() async throws {
    let error = await #expect(throws: ActionError.self) {
      try await courier().call("parcel.send", ["recipient_name": "Ada", "weight_in_grams": 10_000])
    }
    #expect(error?.kind == .rateLimited)
    #expect(error?.retryAfter == 2.5)
    #expect(error?.adviceGerman == "Weniger schicken")
  }

  @Test func errorsWithoutKindArePermanent() async throws {
    await #expect(throws: ActionError(.protocol, "")) { try await courier().call("courier.stumble") }
  }

  @Test func unknownActionIsUnsupported() async throws {
    await #expect(throws: ActionError(.unsupported, "")) { try await courier().call("parcel.fly") }
  }

  @Test func cancelledCallEndsAsCancelled() async throws {
    let courier = try courier()
    let task = Task { try await courier.call("courier.wait") }
    task.cancel()
    await #expect(throws: ActionError(.cancelled, "")) { try await task.value }
  }

  @Test(
    arguments: [
      ("Ada", ["verdict": "done", "output": ["receipt_id": "key", "from": "archive", "attempt": 0]]),
      ("Bob", ["verdict": "not_done"]),
      ("Eve", ["verdict": "unknown"]),
    ] as [(String, JSONValue)])
  func verificationAnswersInTheShapeOfTheHeader(recipient: String, verdict: JSONValue) async throws {
    let answer = try await courier().verify(
      "parcel.send", ["recipient_name": .string(recipient), "weight_in_grams": 1])
    #expect(answer == verdict)
  }

  @Test func actionWithoutVerificationIsUnknown() async throws {
    #expect(try await courier().verify("courier.report") == ["verdict": "unknown"])
  }

  @Test func reportsAreKept() async throws {
    _ = try await courier().call("courier.report")
    #expect(
      host.log == [
        .init(call: 0, level: .info, message: "ready as home"),
        .init(call: 1, level: .warning, message: "half way"),
      ])
    #expect(host.progress == [.init(done: 1, total: 2, label: "half")])
    #expect(host.deltas == [["text": "piece"]])
  }

  @Test func clockStandsStillUntilMoved() async throws {
    let courier = try courier()
    #expect(try await courier.call("courier.time") == ["now": 1_800_000_000.0])
    host.advance(by: .milliseconds(1500))
    #expect(try await courier.call("courier.time") == ["now": 1_800_000_001.5])
  }

  @Test(
    arguments: [
      ([:], .invalidInput),
      (["sender_name": 1], .invalidInput),
      (["sender_name": "nobody"], .auth),
    ] as [(JSONValue, ActionError.Kind)])
  func unusableConfigurationIsRefused(configuration: JSONValue, kind: ActionError.Kind) {
    #expect(throws: ActionError(kind, "")) { try host.open(Courier.self, configuration: configuration) }
  }
}
