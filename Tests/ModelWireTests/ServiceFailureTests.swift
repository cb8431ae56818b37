import PluginKit
import Testing

@testable import ModelWire

struct ServiceFailureTests {
  static let statuses: [(Int, ActionError.Kind)] = [
    (400, .invalidInput), (401, .auth), (402, .quota), (403, .auth), (404, .notFound), (408, .timeout), (409, .server),
    (413, .invalidInput), (422, .invalidInput), (429, .rateLimited), (500, .server), (502, .server), (503, .server),
    (504, .server), (529, .server), (302, .protocol),
  ]

  @Test(arguments: statuses)
  func tellsTheKindByTheStatus(_ status: Int, _ kind: ActionError.Kind) {
    #expect(ServiceFailure(status: status, body: []).kind == kind)
  }

  @Test(arguments: [
    (429, #"{"error":{"code":"insufficient_quota","message":"x"}}"#, ActionError.Kind.quota),
    (429, #"{"error":{"type":"insufficient_quota","code":null,"message":"x"}}"#, .quota),
    (400, #"{"error":{"code":"billing_hard_limit_reached","message":"x"}}"#, .quota),
    (429, #"{"error":{"message":"You exceeded your current quota, please check"}}"#, .quota),
    (403, #"{"message":"billing is not active"}"#, .quota),
    (429, #"{"error":{"code":"rate_limit_exceeded","message":"x"}}"#, .rateLimited),
    (400, #"{"error":"registry.ollama.ai/x does not support tools"}"#, .unsupported),
  ])
  func tellsTheKindByTheName(_ status: Int, _ body: String, _ kind: ActionError.Kind) {
    #expect(ServiceFailure(status: status, body: Array(body.utf8)).kind == kind)
  }

  @Test(arguments: [
    (#"{"error":{"message":"a\n  b"}}"#, "a b"), (#"{"error":"text"}"#, "text"), (#"{"message":"m"}"#, "m"),
    (#"{"detail":"d"}"#, "d"), (#"{"detail":[{"loc":["body",0],"msg":"bad"}]}"#, "body.0: bad"),
    ("<!DOCTYPE html>\n<html><head><TITLE lang=en>502 Bad\nGateway</TITLE>", "502 Bad Gateway"),
    ("<html><body>no title", nil), ("upstream down\n", "upstream down"), ("", nil), ("{}", nil), ("[]", nil),
  ])
  func findsTheWords(_ body: String, _ words: String?) {
    #expect(ServiceFailure(status: 502, body: Array(body.utf8)).words == words)
  }

  @Test func boundsTheWords() {
    let body = #"{"error":"\#(String(repeating: "ä", count: 5000))"}"#
    #expect(ServiceFailure(status: 500, body: Array(body.utf8)).words?.count == 301)
  }

  static let advised: [(Int, HTTPHeaders, ActionError.Kind)] = [
    (429, ["x-should-retry": "false"], ActionError.Kind.quota), (500, ["x-should-retry": "false"], .protocol),
    (400, ["x-should-retry": "true"], .server), (401, ["x-should-retry": "true"], .auth), (429, [:], .rateLimited),
  ]

  @Test(arguments: advised)
  func obeysWhatTheServiceSaysAboutTryingAgain(_ status: Int, _ headers: HTTPHeaders, _ kind: ActionError.Kind) throws {
    let service = try ModelService(baseURL: "https://llm.example.com/v1", provider: "p")
    let failure = ServiceFailure(status: status, body: [])
    #expect(service.error(failure, headers: headers, model: "m", now: nil).kind == kind)
  }
}
