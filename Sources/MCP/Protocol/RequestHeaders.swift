import Expressions
import Foundation

/// The fields of an HTTP header that repeat members of a message, so that other servers can route it (version 2026-07-28).
public struct RequestHeaders: Sendable {
  /// The values of `MCP-Protocol-Version`.
  public let version: [String]
  /// The values of `Mcp-Method`.
  public let method: [String]
  /// The values of `Mcp-Name`.
  public let name: [String]

  /// Creates fields.
  public init(version: [String], method: [String], name: [String]) {
    (self.version, self.method, self.name) = (version, method, name)
  }

  /// Whether a message is one of a version without a handshake.
  public func isStateless(_ message: IncomingMessage) -> Bool {
    if version.contains(where: { ProtocolVersion(rawValue: $0)?.isStateless ?? false }) { return true }
    guard case .request(_, let method, let params) = message else { return false }
    return method == "server/discover" || params["_meta"]?[MetaKey.version] != nil
  }

  /// The version of a message with a handshake.
  ///
  /// - Throws: ``AssistantError`` with the code `unsupported_version`.
  public func checkHandshakeVersion() throws(AssistantError) {
    for text in version where ProtocolVersion(rawValue: text) == nil { throw ProtocolSession.unsupported(text) }
  }

  /// Makes sure that the fields are those of a message.
  ///
  /// - Throws: ``AssistantError`` with the code `header_mismatch`.
  public func check(_ message: IncomingMessage) throws(AssistantError) {
    guard case .request(_, let method, let params) = message else { return }
    try check("MCP-Protocol-Version", version, params["_meta"]?[MetaKey.version]?.stringValue)
    try check("Mcp-Method", self.method, method)
    switch method {
    case "tools/call": try check("Mcp-Name", name.map(Self.decoded), params["name"]?.stringValue)
    case "resources/read": try check("Mcp-Name", name.map(Self.decoded), params["uri"]?.stringValue)
    default: break
    }
  }

  private func check(_ field: String, _ values: [String], _ wanted: String?) throws(AssistantError) {
    // A member of the wrong type is reported by the method.
    guard let wanted else { return }
    guard values.count == 1, values.first == wanted else {
      let english = values.isEmpty ? "is missing" : "differs from the message"
      let german = values.isEmpty ? "fehlt" : "stimmt nicht mit der Nachricht überein"
      throw AssistantError(
        .headerMismatch, .headerMismatch, "the field '\(field)' of the header \(english)",
        de: "das Feld '\(field)' des Headers \(german)")
    }
  }

  /// The text of a value; texts that a header cannot hold are written as `=?base64?…?=`.
  private static func decoded(_ value: String) -> String {
    let (start, end) = ("=?base64?", "?=")
    guard value.hasPrefix(start), value.hasSuffix(end), value.utf8.count >= start.utf8.count + end.utf8.count,
      let data = Data(base64Encoded: String(value.dropFirst(start.count).dropLast(end.count))),
      let text = String(data: data, encoding: .utf8)
    else { return value }
    return text
  }
}
