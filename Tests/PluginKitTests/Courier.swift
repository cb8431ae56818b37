import Foundation
import PluginKit
import Synchronization

/// A plugin with every feature of the kit, for the tests.
struct Courier: Plugin {
  struct Configuration: Decodable, Sendable {
    var senderName: String
    var maximumWeight: Int?
  }
  struct Parcel: Codable, Sendable {
    var recipientName: String
    var weightInGrams: Int
    var attachmentURL: String?
  }
  struct Receipt: Codable, Sendable, Equatable {
    var receiptID: String
    var from: String
    var attempt: Int
  }
  struct Nothing: Codable, Sendable {}
  struct StrangeError: Error {}

  static let manifest = Manifest(
    id: "courier", version: "1.2.3", summary: "Carries \"parcels\"", summaryGerman: "Befördert Pakete",
    contracts: ["parcel/1"],
    configuration: .object(
      .required("sender_name", .string("Who sends", minimumLength: 1)),
      .optional("maximum_weight", .integer("Grams", minimum: 1, default: 5000))),
    hosts: ["courier.example"], secrets: ["token"])

  let configuration: Configuration

  init(configuration: Configuration, context: PluginContext) throws {
    guard configuration.senderName != "nobody" else { throw ActionError(.auth, "Nobody may send nothing.") }
    self.configuration = configuration
    context.log(.info, "ready as \(context.provider)")
    Courier.contexts.withLock { $0[context.provider] = context }
  }

  /// What the instances have been given, by provider.
  static let contexts = Mutex<[String: PluginContext]>([:])

  static var actions: ActionList<Courier> {
    Action("parcel.send", effect: .once, costly: true, summary: "Sends a parcel") { try await $0.send($1, $2) }
      .verifying { _, parcel, context in
        switch parcel.recipientName {
        case "Ada": .done(Receipt(receiptID: context.key, from: "archive", attempt: 0))
        case "Bob": .notDone
        default: .unknown
        }
      }
    Action(
      "courier.echo", effect: .pure, summary: "Returns the input", input: JSONValue.self, output: JSONValue.self,
      inputSchema: .object(open: true), outputSchema: .object(open: true)
    ) { _, input, _ in input }
    Action("courier.report", effect: .read, summary: "Reports", input: Nothing.self, output: Nothing.self) {
      _, input, context in
      context.log(.warning, "half way")
      context.progress(1, of: 2, "half")
      try context.delta(["text": "piece"] as JSONValue)
      return input
    }
    Action("courier.wait", effect: .read, summary: "Waits", input: Nothing.self, output: Nothing.self) {
      _, input, _ in
      try await Task.sleep(for: .seconds(3600))
      return input
    }
    Action("courier.stumble", effect: .read, summary: "Throws", input: Nothing.self, output: Nothing.self) {
      _, _, _ in throw StrangeError()
    }
    Mailman.capabilities(of: Courier.self)
    Action("courier.time", effect: .read, summary: "Tells the time", input: Nothing.self, output: JSONValue.self) {
      _, _, context in ["now": .number(context.clock.now.timeIntervalSince1970)]
    }
  }

  func send(_ parcel: Parcel, _ context: ActionContext) async throws -> Receipt {
    guard parcel.weightInGrams <= configuration.maximumWeight ?? 5000 else {
      throw ActionError(
        .rateLimited, "Too heavy", german: "Zu schwer", advice: "Send less", adviceGerman: "Weniger schicken",
        retryAfter: 2.5)
    }
    return Receipt(receiptID: context.key, from: configuration.senderName, attempt: context.attempt)
  }
}
