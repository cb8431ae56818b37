import Testing

@testable import IMAPPlugin

struct ResponseReaderTests {
  private func responses(_ text: String, pieces: Int = .max, limits: ResponseReader.Limits = .init()) throws -> [String]
  {
    var reader = ResponseReader(limits: limits)
    var result: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      reader.append(Array(rest.prefix(pieces)))
      rest = rest.dropFirst(pieces)
      while let next = try reader.next() { result.append(String(decoding: next, as: UTF8.self)) }
    }
    return result
  }

  private static let conversation =
    "* OK [CAPABILITY IMAP4rev1] ready {5}\r\n* 1 FETCH (BODY[] {12}\r\n)\r\ns1 OK x\r\n UID 7)\r\n+ go on\r\ns1 OK done\r\n"

  @Test(arguments: [1, 2, 3, 7, 1000]) func piecesOfAnySizeGiveTheSameResponses(_ size: Int) throws {
    #expect(
      try responses(Self.conversation, pieces: size) == [
        "* OK [CAPABILITY IMAP4rev1] ready {5}", "* 1 FETCH (BODY[] {12}\r\n)\r\ns1 OK x\r\n UID 7)", "+ go on",
        "s1 OK done",
      ])
  }

  @Test func whatStandsInALiteralIsNoResponse() throws {
    let parsed = try responses(Self.conversation).map { try ResponseParser.parse(Array($0.utf8)) }
    guard case .untagged(.fetch(let message)) = parsed[1] else {
      Issue.record("no FETCH")
      return
    }
    #expect(message.uid == 7)
    #expect(message.section("").map { String(decoding: $0, as: UTF8.self) } == ")\r\ns1 OK x\r\n")
  }

  @Test(arguments: [
    (String(repeating: "x", count: 2000), ProtocolFault.Code.lineTooLong),
    ("* 1 FETCH (BODY[] {10000000000}\r\n", .tooLarge),
    ("* 1 FETCH (BODY[] {99999999999999999999999}\r\n", .tooLarge),
    ("* OK a\u{0}b\r\n", .nul),
    ("* OK a\nb", .lineEnd),
    ("\n", .lineEnd),
  ])
  func whatIsTooMuchIsRefused(_ text: String, _ code: ProtocolFault.Code) {
    var limits = ResponseReader.Limits()
    limits.line = 1000
    let limited = limits
    let fault = #expect(throws: ProtocolFault.self) { try responses(text, pieces: 100, limits: limited) }
    #expect(fault?.code == code)
  }

  @Test func literalsWithinTheLimitAddUpToTooMuch() {
    var limits = ResponseReader.Limits()
    limits.response = 100
    let limited = limits
    let text = "* X" + String(repeating: " {30}\r\n" + String(repeating: "y", count: 30), count: 5)
    let fault = #expect(throws: ProtocolFault.self) { try responses(text, limits: limited) }
    #expect(fault?.code == .tooLarge)
  }

  @Test func resultsOfSearchesMayBeLong() throws {
    let numbers = (1...300_000).map(String.init).joined(separator: " ")
    let found = try responses("* SEARCH \(numbers)\r\n", pieces: 1 << 16)
    guard case .untagged(.search(let uids)) = try ResponseParser.parse(Array(found[0].utf8)) else {
      Issue.record("no SEARCH")
      return
    }
    #expect(uids.count == 300_000 && uids.last == 300_000)
  }
}
