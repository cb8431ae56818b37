import Expressions
import Testing

@testable import MCP

@Suite struct RequestHeadersTests {
  private static let version = "2026-07-28"

  private func message(_ method: String, _ params: ValueMap) -> IncomingMessage {
    var params = params
    params["_meta"] = ["io.modelcontextprotocol/protocolVersion": .string(Self.version)]
    return IncomingMessage(["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .map(params)])
  }

  @Test(arguments: [
    ([version], ["tools/call"], ["wetter"], true), ([], ["tools/call"], ["wetter"], false),
    (["2025-11-25"], ["tools/call"], ["wetter"], false), ([version], ["tools/list"], ["wetter"], false),
    ([version], ["tools/call"], [], false), ([version], ["tools/call"], ["other"], false),
    ([version], ["tools/call", "tools/call"], ["wetter"], false),
    ([version], ["tools/call"], ["=?base64?d2V0dGVy?="], true),
    ([version], ["tools/call"], ["=?base64?!!!?="], false),
  ]) func fieldsMustBeThoseOfTheMessage(
    _ version: [String], _ method: [String], _ name: [String], _ isRight: Bool
  ) {
    let headers = RequestHeaders(version: version, method: method, name: name)
    let message = message("tools/call", ["name": "wetter"])
    if isRight {
      #expect(throws: Never.self) { try headers.check(message) }
    } else {
      #expect(throws: AssistantError(.headerMismatch, .headerMismatch, "", de: "")) { try headers.check(message) }
    }
  }

  @Test func aNameBeyondASCIIIsDecoded() {
    let headers = RequestHeaders(
      version: [Self.version], method: ["resources/read"], name: ["=?base64?c291czovL3JlY2lwZXMvw6Rwc2Vs?="])
    #expect(throws: Never.self) { try headers.check(message("resources/read", ["uri": "sous://recipes/äpsel"])) }
  }

  @Test func versionsTellTheErasApart() {
    let old = IncomingMessage(["jsonrpc": "2.0", "id": 1, "method": "tools/list"])
    #expect(!RequestHeaders(version: ["2025-11-25"], method: [], name: []).isStateless(old))
    #expect(!RequestHeaders(version: [], method: [], name: []).isStateless(old))
    #expect(RequestHeaders(version: [Self.version], method: [], name: []).isStateless(old))
    #expect(RequestHeaders(version: [], method: [], name: []).isStateless(message("tools/list", [:])))
    #expect(throws: AssistantError(.unsupportedVersion, .unsupportedVersion, "", de: "")) {
      try RequestHeaders(version: ["1900-01-01"], method: [], name: []).checkHandshakeVersion()
    }
  }
}
