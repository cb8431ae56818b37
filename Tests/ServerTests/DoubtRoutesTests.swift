import Access
import Engine
import Expressions
import Foundation
import LoopbackPorts
import OperatingSystem
import TestSupport
import TestWorkspace
import Testing

@testable import Server

/// Attempts whose outcome is unknown, over the API and on pages.
@Suite(.timeLimit(.minutes(3)))
struct DoubtRoutesTests {
  /// A mail server that takes a message and closes the connection without an answer.
  private final class SilentMailServer: Sendable {
    let listener: LoopbackListener

    init() throws {
      listener = try LoopbackListener()
      listener.serve { connection in
        defer { close(connection) }
        Self.say("220 mail.example\r\n", connection)
        var isData = false
        var rest = ""
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
          rest += String(decoding: buffer.prefix(count), as: UTF8.self)
          while let end = rest.range(of: "\r\n") {
            let line = String(rest[..<end.lowerBound])
            rest = String(rest[end.upperBound...])
            if isData {
              if line == "." { return }
            } else if line.uppercased().hasPrefix("DATA") {
              isData = true
              Self.say("354 go on\r\n", connection)
            } else {
              Self.say("250 mail.example\r\n", connection)
            }
          }
        }
      }
    }

    private static func say(_ text: String, _ connection: Int32) {
      let bytes = Array(text.utf8)
      _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  private func page(_ server: TestServer, _ path: String, _ token: String) async throws -> String {
    try await HTTPCall(server.port).send(
      "GET", path, [("Accept", "text/html"), ("Authorization", "Bearer " + token)]
    ).text
  }

  /// The run of a request whose server has closed the connection without an answer.
  @Test func aPersonSaysWhetherAStepTookEffect() async throws {
    let silent = try LoopbackListener()
    silent.serve { connection in
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      _ = recv(connection, &buffer, buffer.count, 0)
      close(connection)
    }
    defer { silent.end() }
    let server = try await TestServer(
      [
        "order":
          "name: order\nsteps: [{ id: place, uses: http.request, with: { method: POST, url: \"http://127.0.0.1:\(silent.port)/\" } }]\n"
      ], configuration: "http: { hosts: [\"127.0.0.1:\(silent.port)\"] }\n")
    let (token, viewer) = (try server.token("operator"), try server.token("viewer"))
    #expect(try await server.checked("GET", "/doubts", token).items.isEmpty)
    let run = try await server.call("POST", "/recipes/order/runs", token, [:]).text("id")
    try await eventually { try await server.call("GET", "/runs/\(run)", token).text("status") == "needs_attention" }
    let found = try await server.checked("GET", "/doubts", token).items
    #expect(found.count == 1 && found.first?["run"]?.stringValue == run && found.first?["settles"] == true, "\(found)")
    #expect(found.first?["message"] == .null && found.first?["recipe"] == "order")
    #expect(try await server.checked("GET", "/doubts", viewer).items.first?["settles"] == false)
    for path in ["/decisions", "/runs/\(run)"] {
      let (own, read) = (try await page(server, path, token), try await page(server, path, viewer))
      #expect(own.contains("data-api=\"POST /api/v1/runs/\(run)/settle\""), "\(path)")
      #expect(read.contains("place") && !read.contains("/settle\""), "\(path)")
    }
    #expect(try await page(server, "/", token).contains("Outcome unknown: place"))
    let settled = try await server.checked(
      "POST", "/runs/\(run)/settle", token, ["done": true, "step": "place"])
    #expect(settled.status == 200, "\(settled.text)")
    try await eventually { try await server.call("GET", "/runs/\(run)", token).text("status") == "succeeded" }
    #expect(try await server.checked("GET", "/doubts", token).items.isEmpty)
    try await server.stop()
  }

  @Test func aMessageWithoutAnAnswerIsDecidedInTheOutbox() async throws {
    let mail = try SilentMailServer()
    defer { mail.listener.end() }
    let server = try await TestServer(
      configuration:
        "providers: { relay: { plugin: smtp, host: 127.0.0.1, port: \(mail.listener.port), tls: none, from: me@example.com } }\n"
    )
    try await server.readManifests()
    let (token, clerk) = (try server.token("operator"), try server.token("operator", scopes: ["runs:read"]))
    let id = try await server.checked(
      "POST", "/outbox", token, ["to": ["you@example.com"], "subject": "<b>Claim", "text": "x"]
    ).text("id")
    try await eventually { try await server.call("GET", "/outbox/\(id)", token).text("state") == "unknown" }
    let found = try await server.checked("GET", "/doubts", token).items.first
    #expect(found?["message"]?["to"] == ["you@example.com"], "\(String(describing: found))")
    // Without the right to the outbox, only the step is known.
    #expect(try await server.checked("GET", "/doubts", clerk).items.first?["message"] == .null)
    for path in ["/outbox", "/outbox/\(id)"] {
      let text = try await page(server, path, token)
      #expect(
        text.contains("Was this message sent: &lt;b&gt;Claim") && text.contains("/runs/\(id)/settle\""), "\(path)")
    }
    _ = try await server.checked("POST", "/runs/\(id)/settle", token, ["done": true, "step": "send"])
    try await eventually { try await server.call("GET", "/outbox/\(id)", token).text("state") == "sent" }
    try await server.stop()
  }
}
