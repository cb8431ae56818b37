import CPluginABI
import PluginKit
import Synchronization
import Testing

/// The kit as a host sees it: through the C table.
@Suite(.timeLimit(.minutes(5)))
struct PluginEntryTests {
  let table: sous_plugin

  init() throws {
    table = try #require(PluginEntry.pointer(for: Courier.self)).load(as: sous_plugin.self)
  }

  @Test func handshakeIsThatOfTheHeader() {
    #expect(table.magic == SOUS_PLUGIN_MAGIC)
    #expect(table.abi_version == SOUS_ABI_VERSION)
    #expect(table.size == MemoryLayout<sous_plugin>.size)
  }

  @Test func aLibraryHoldsOnePlugin() {
    #expect(PluginEntry.pointer(for: Courier.self) == PluginEntry.pointer(for: Courier.self))
    #expect(PluginEntry.pointer(for: Stowaway.self) == nil)
  }

  @Test func manifestIsDescribed() throws {
    let describe = try #require(table.describe)
    let bytes = describe()
    let json = Array(UnsafeBufferPointer(start: bytes.data, count: bytes.size))
    #expect(try JSONValue(json: json)["id"] == "courier")
  }

  @Test func callsAnswerThroughTheTable() async throws {
    let host = NativeHost()
    let courier = try host.create(table, #"{"sender_name": "Carl"}"#)
    defer { table.destroy(courier) }
    let answer = await host.call(
      table, courier, "parcel.send", #"{"recipient_name": "Ada", "weight_in_grams": 5}"#, key: "k", attempt: 2)
    #expect(answer.status == UInt32(SOUS_STATUS_OK))
    // Names stand in the order in which the type declares them.
    #expect(answer.payload == #"{"receipt_id":"k","from":"Carl","attempt":2}"#)
  }

  @Test func reportsReachTheHost() async throws {
    let host = NativeHost()
    let courier = try host.create(table, #"{"sender_name": "Carl"}"#)
    defer { table.destroy(courier) }
    _ = await host.call(table, courier, "courier.report", "{}", id: 77)
    #expect(
      host.reports == [
        "log 0 1 ready as test", "log 77 2 half way", "progress 77 1/2 half", #"delta 77 {"text":"piece"}"#,
      ])
    let time = await host.call(table, courier, "courier.time", "{}")
    #expect(time.payload == #"{"now":1234.5}"#)
  }

  @Test func hostWithoutCapabilitiesSuffices() async throws {
    let host = NativeHost(hasCapabilities: false)
    let courier = try host.create(table, #"{"sender_name": "Carl"}"#)
    defer { table.destroy(courier) }
    #expect(await host.call(table, courier, "courier.report", "{}").status == UInt32(SOUS_STATUS_OK))
    #expect(await host.call(table, courier, "courier.time", "{}").status == UInt32(SOUS_STATUS_OK))
    #expect(host.reports.isEmpty)
  }

  @Test(arguments: [
    ("parcel.fly", "{}", "unsupported"), ("parcel.send", "{}", "invalid_input"), ("parcel.send", "{", "invalid_input"),
    ("courier.stumble", "{}", "protocol"),
  ])
  func failuresHaveAKind(action: String, input: String, kind: String) async throws {
    let host = NativeHost()
    let courier = try host.create(table, #"{"sender_name": "Carl"}"#)
    defer { table.destroy(courier) }
    let answer = await host.call(table, courier, action, input)
    #expect(answer.status == UInt32(SOUS_STATUS_ERROR))
    #expect(try JSONValue(json: Array(answer.payload.utf8))["kind"] == .string(kind))
  }

  @Test func errorsCarryEverythingTheHeaderNames() async throws {
    let host = NativeHost()
    let courier = try host.create(table, #"{"sender_name": "Carl"}"#)
    defer { table.destroy(courier) }
    let answer = await host.call(
      table, courier, "parcel.send", #"{"recipient_name": "Ada", "weight_in_grams": 9999}"#)
    #expect(
      try JSONValue(json: Array(answer.payload.utf8)) == [
        "kind": "rate_limited", "message": "Too heavy", "message_de": "Zu schwer", "advice": "Send less",
        "advice_de": "Weniger schicken", "retry_after": 2.5,
      ])
  }

  @Test func refusedConfigurationGivesAReasonAndNoInstance() throws {
    let host = NativeHost()
    let failure = #expect(throws: NativeHost.CreateFailure.self) { try host.create(table, "{}") }
    #expect(try JSONValue(json: Array((failure?.payload ?? "").utf8))["kind"] == "invalid_input")
  }

  @Test func cancelEndsTheCallOnceAndIsIdempotent() async throws {
    let host = NativeHost()
    let courier = try host.create(table, #"{"sender_name": "Carl"}"#)
    defer { table.destroy(courier) }
    let table = table
    let raw = UInt(bitPattern: courier)
    let answer = await host.call(table, courier, "courier.wait", "{}", id: 5) {
      for id: UInt64 in [5, 5, 6, 0] { table.cancel(OpaquePointer(bitPattern: raw), id) }
    }
    #expect(try JSONValue(json: Array(answer.payload.utf8))["kind"] == "cancelled")
    table.cancel(courier, 5)
  }

  @Test func manyCallsAtOnceAllAnswer() async throws {
    let host = NativeHost()
    let courier = try host.create(table, #"{"sender_name": "Carl"}"#)
    let raw = UInt(bitPattern: courier)
    let table = table
    await withTaskGroup(of: Bool.self) { group in
      for number in 1...500 {
        group.addTask {
          let text = #"{"number":\#(number)}"#
          return await host.call(
            table, OpaquePointer(bitPattern: raw), "courier.echo", text, id: UInt64(number)
          ).payload == text
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    table.destroy(courier)
  }
}

/// A second plugin in the same library.
private struct Stowaway: Plugin {
  static let manifest = Manifest(id: "stowaway", version: "1", summary: "x")
  init(configuration: NoConfiguration, context: PluginContext) {}
  static var actions: ActionList<Stowaway> {}
}
