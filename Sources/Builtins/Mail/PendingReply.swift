import Engine
import Expressions
import Mail
import Plans
import Schemas

/// An answer that a rule sends by itself, where RFC 3834 (2) and RFC 5230 (4.5, 4.6) allow one.
struct PendingReply {
  /// The state key of the time of the last answer.
  let key: String
  /// The message that it answers.
  let uid: String
  /// The step's output: who gets it, and what it answers.
  let value: Value

  /// Prepares the answer to a message; `nil` if it may not be answered by a program.
  ///
  /// Senders are remembered by the rule's handle, as in RFC 5230, 4.2, else by the addresses that it answers for: neither
  /// another name nor another text makes a sender get a second answer.
  init?(to message: Value, uid: String, _ settings: AutomaticReply) {
    let headers = Self.headers(message)
    let own = Set(settings.addresses.map { Address.comparable($0) })
    guard let address = Self.recipient(message, headers), Self.isPersonal(message, headers),
      Self.names(message, own), !own.contains(Address.comparable(address))
    else { return nil }
    let memory =
      settings.handle.map { "as \($0.prefix(100))" }
      ?? "for " + String(Set(settings.addresses).sorted().joined(separator: ",").stableHash, radix: 36)
    // One key for both spellings of a domain, and the one that Return-Path mostly has.
    key = "reply/\(memory)/\((Address(address: address).withASCIIDomain?.address ?? address).prefix(300))"
    self.uid = uid
    let identifier = message["message_id"]?.stringValue
    var references = message["references"]?.listValue ?? []
    if let identifier, references.last != .string(identifier) { references.append(.string(identifier)) }
    value = [
      "uid": .string(uid), "to": .string(address), "subject": message["subject"] ?? "",
      "message_id": message["message_id"] ?? .null, "references": .list(references), "key": .string(key),
    ]
  }

  /// The fields of the header by their names in lower case, each with its first value.
  private static func headers(_ message: Value) -> [String: String] {
    var fields: [String: String] = [:]
    for field in message["headers"]?.listValue ?? [] {
      guard let name = field["name"]?.stringValue?.lowercased(), let value = field["value"]?.stringValue else {
        continue
      }
      if fields[name] == nil { fields[name] = value.trimmed }
    }
    return fields
  }

  /// Who gets the answer: the sender of the envelope (RFC 3834, 4), else of the message; `nil` if no answer is allowed, or if
  /// there is not exactly one address.
  private static func recipient(_ message: Value, _ headers: [String: String]) -> String? {
    let from = message["from"]?["address"]?.stringValue?.lowercased() ?? ""
    var address = from
    if let path = headers["return-path"] {
      address = path.trimmingCharacters(in: "<> ").lowercased()
    }
    guard isSingle(address), !isAutomaton(address), !isAutomaton(from) else { return nil }
    return address
  }

  /// Whether a text is one bare address: the sender must not inject several recipients or header fields into the answer.
  private static func isSingle(_ address: String) -> Bool {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    let separators = "()<>,;:\\\"[]".unicodeScalars
    return parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7F && !separators.contains(scalar)
              && !scalar.properties.isWhitespace
          }
      }
  }

  /// Whether an address is not read by people: RFC 3834, 2, and common addresses of programs.
  private static func isAutomaton(_ address: String) -> Bool {
    let local = address.prefix { $0 != "@" }.filter { $0 != "-" && $0 != "_" && $0 != "." }
    let words = [
      "noreply", "donotreply", "mailerdaemon", "postmaster", "listserv", "majordomo", "bounce", "bounces", "nobody",
    ]
    return words.contains(String(local)) || local.hasPrefix("noreply") || local.hasPrefix("donotreply")
      || local.hasPrefix("bounce") || local.hasPrefix("owner") && address.hasPrefix("owner-")
      || address.prefix { $0 != "@" }.hasSuffix("-request") || address.prefix { $0 != "@" }.hasSuffix("-owner")
  }

  /// Whether a person wrote it to few, and nothing in it asks programs not to answer.
  private static func isPersonal(_ message: Value, _ headers: [String: String]) -> Bool {
    if message["bulk"]?.boolValue == true || message["list_id"]?.stringValue != nil { return false }
    if headers.keys.contains(where: { $0.hasPrefix("list-") }) { return false }
    if let automatic = headers["auto-submitted"], automatic.prefix(while: { $0 != ";" }).trimmed.lowercased() != "no" {
      return false
    }
    if let precedence = headers["precedence"], ["bulk", "junk", "list"].contains(precedence.lowercased()) {
      return false
    }
    let suppressed = (headers["x-auto-response-suppress"] ?? "").lowercased()
    return !["all", "autoreply", "oof"].contains { suppressed.contains($0) }
  }

  /// Whether it was sent to one of the addresses: RFC 5230, 4.5.
  private static func names(_ message: Value, _ addresses: Set<String>) -> Bool {
    let recipients = (message["to"]?.listValue ?? []) + (message["cc"]?.listValue ?? [])
    return recipients.contains { addresses.contains(Address.comparable($0["address"]?.stringValue ?? "")) }
  }
}

extension BuiltinCall {
  /// Whether a period of seconds has passed since the time that is kept under a key; also where nothing is kept, or if there is
  /// no run log, as where a filter is only tried.
  func isDue(_ key: String, after period: Double) async throws -> Bool {
    guard surroundings.state != nil else { return true }
    let recipe = request.recipe
    let last = try await sentMessages { state in
      try SentMessages.note(of: key, before: recipe, in: state)
    }
    guard let text = last, let time = SentMessages.time(of: text) else { return true }
    return surroundings.time.now.seconds(since: time) >= period
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { trimmingCharacters(in: " \t\r\n") }

  fileprivate func trimmingCharacters(in characters: String) -> String {
    var rest = self[...]
    while let first = rest.first, characters.contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, characters.contains(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
