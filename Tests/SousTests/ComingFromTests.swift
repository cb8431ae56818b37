import Expressions
import Foundation
import LoopbackPorts
import Synchronization
import Testing

/// The recipes of `examples/coming-from`, which say what public workflows of other products do: each is valid and runs against a
/// server on the loopback interface.
@Suite(.timeLimit(.minutes(15))) struct ComingFromTests {
  private static let folder = SousProcess.repository + "/examples/coming-from"

  /// A run of a recipe, and its result.
  struct Case: Sendable, CustomTestStringConvertible {
    var recipe: String
    var inputs: [String] = []
    var status = "succeeded"
    /// The outputs of the run, as JSON.
    var outputs = "{}"
    /// The requests that the server gets: method, path and body. Those of steps side by side may come in any order.
    var requests: [String] = []
    var testDescription: String { ([recipe] + inputs).joined(separator: " ") }
  }

  private static let cases: [Case] = [
    Case(
      recipe: "site-health", inputs: [#"services=["@/a","@/b"]"#], outputs: #"{"healthy":2}"#,
      requests: ["HEAD /a/healthz", "HEAD /b/healthz"]),
    Case(recipe: "greeting", inputs: ["name=Ada"], outputs: #"{"greeting":"Hello Ada"}"#),
    Case(
      recipe: "stale-issues", inputs: ["api=@"], outputs: #"{"stale":[1]}"#,
      requests: [
        "GET /issues?state=open", #"POST /issues/1/comments {"body":"Nothing has happened here for 60 days."}"#,
        #"PUT /issues/1/labels {"labels":["bug","no-issue-activity"]}"#,
      ]),
    Case(recipe: "broken-links", inputs: [#"checker=["echo","fine"]"#], outputs: #"{"broken":false}"#),
    Case(recipe: "broken-links", inputs: [#"checker=["sh","-c","echo dead; exit 2"]"#], outputs: #"{"broken":true}"#),
    Case(recipe: "branch-by-parameter", outputs: #"{"ran":["succeeded","skipped"]}"#),
    Case(recipe: "branch-by-parameter", inputs: ["kind=bar"], outputs: #"{"ran":["skipped","succeeded"]}"#),
    Case(recipe: "merge-tables", outputs: #"{"rows":["one","two","three"]}"#),
    Case(recipe: "reshape-json", outputs: #"{"result":{"sample":42}}"#),
    Case(recipe: "mail-at-the-end"),
    Case(recipe: "mail-at-the-end", inputs: [#"command=["false"]"#], status: "failed"),
    Case(
      recipe: "ask-an-api", inputs: ["api=@"], outputs: #"{"writers":["a@example.com","b@example.com"]}"#,
      requests: ["GET /comments?postId=1"]),
    Case(recipe: "allow-failure", status: "failed"),
    Case(
      recipe: "sales-report", inputs: ["source=@"], outputs: #"{"best":"2026-03"}"#,
      requests: (1...3).map { "GET /monthly_orders/2026_0\($0).csv" }),
    Case(recipe: "business-days"),
    Case(recipe: "business-days", inputs: ["date=2026-12-26"], status: "failed"),
    Case(
      recipe: "alert-on-failure", inputs: ["api=@"], status: "failed",
      requests: [
        #"POST /alerts {"alert_type":"info","summary":"Payments are failing","payload":{"severity":"1","step":"pay","message":"'sh' ended with status 1"}}"#
      ]),
    Case(
      recipe: "for-each-user", outputs: #"{"texts":["Report for user1","Report for user2","Report for user3"]}"#),
    Case(
      recipe: "feed-to-chat", inputs: ["feed=@/feed.xml", "chat=@/hook"], outputs: #"{"titles":["New"]}"#,
      requests: ["GET /feed.xml", #"POST /hook {"text":"Posts since yesterday\nNew: https://n.example/1"}"#]),
    Case(
      recipe: "customer-totals", inputs: ["payments=@", "contacts=@"], outputs: #"{"updated":2}"#,
      requests: [
        "GET /charges", "GET /customers/c1", "GET /customers/c2",
        #"PUT /contacts/c1%40example.com {"total_spend":15.0}"#,
        #"PUT /contacts/c2%40example.com {"total_spend":1.0}"#,
      ]),
    Case(
      recipe: "ticket-thread", inputs: ["desk=@", "chat=@"],
      requests: [
        "GET /tickets/7", ##"POST /messages {"channel":"#tickets","text":"It is broken"}"##,
        #"PUT /tickets/7 {"thread":"t9"}"#,
      ]),
    Case(
      recipe: "ticket-thread", inputs: ["desk=@", "chat=@", "id=8", "comment=More"],
      requests: [
        "GET /tickets/8", ##"POST /messages {"channel":"#tickets","thread":"t1","text":"More"}"##,
      ]),
  ]

  private func project(_ server: ExampleServer) throws -> SousProcess {
    let sous = try SousProcess()
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder) where !name.hasPrefix(".") {
      try FileManager.default.copyItem(atPath: Self.folder + "/" + name, toPath: sous.folder + "/" + name)
    }
    let settings = try String(contentsOfFile: sous.folder + "/sous.yaml", encoding: .utf8)
    let hosts = try #require(settings.range(of: "  hosts:"))
    try sous.write("sous.yaml", settings[..<hosts.lowerBound] + "  hosts: [\"127.0.0.1:\(server.port)\"]\n")
    return sous
  }

  @Test(arguments: cases) func aRewrittenWorkflowRuns(_ example: Case) throws {
    let server = try ExampleServer()
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    let inputs = example.inputs.flatMap {
      ["-i", $0.replacing("@/", with: "\(server.url)/").replacing(#/=@$/#, with: "=\(server.url)")]
    }
    let outcome = try sous.run(SousProcess.executable, ["run", example.recipe + ".yaml", "--json"] + inputs)
    let run = try outcome.json
    #expect(run["status"]?.stringValue == example.status, "\(outcome.errors)")
    #expect(run["outputs"] == (try Value(json: Array(example.outputs.utf8))), "\(String(describing: run["outputs"]))")
    #expect(server.requests.sorted() == example.requests.sorted())
  }

  @Test func everyRecipeIsValidAndIsRunHere() throws {
    let outcome = try SousProcess().run(
      SousProcess.executable, ["validate", Self.folder, "--config", Self.folder + "/sous.yaml", "--json"])
    #expect(outcome.status == 0)
    #expect(try outcome.json == [], "\(outcome.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".yaml") }
    let apart: Set<String> = ["sous", "user-report", "nightly-backup", "for-each-merge", "vacation-approval"]
    #expect(Set(names.map { String($0.dropLast(5)) }) == Set(Self.cases.map(\.recipe)).union(apart))
  }

  @Test func aBackupIsMadeAndOldOnesGo() throws {
    let server = try ExampleServer()
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    try sous.write("backups/old.dump", "old")
    let past = Date(timeIntervalSince1970: 1_577_836_800)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: sous.folder + "/backups/old.dump")
    let outcome = try sous("run", "nightly-backup.yaml", "-i", #"dump=["touch"]"#, "--json")
    let file = try #require(try outcome.json["outputs"]?["file"]?.stringValue, "\(outcome.errors)")
    let dumps = try FileManager.default.contentsOfDirectory(atPath: sous.folder + "/backups")
    #expect(dumps.map { "backups/" + $0 } == [file])
  }

  @Test func resultsOfALoopAreMerged() throws {
    let server = try ExampleServer()
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    #expect(try sous("run", "for-each-merge.yaml").status == 0)
    let merged = try String(contentsOfFile: sous.folder + "/merged.txt", encoding: .utf8)
    #expect(merged == "Hello, world! 1\nHello, world! 2\nHello, world! 3\n")
  }

  @Test func aRequestIsHandedOnAfterItsApproval() throws {
    let server = try ExampleServer()
    defer { server.end() }
    let sous = try project(server)
    defer { sous.remove() }
    #expect(try sous("run", "--queue", "vacation-approval.yaml", "-i", "api=\(server.url)").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(server.requests.count == 1)
    #expect(try sous("approve", "last").status == 0)
    #expect(try sous("work", "--until-idle").status == 0)
    #expect(
      server.requests.last == #"POST /requests {"name":"Rita Asher","start":"2027-07-01","end":"2027-07-07"}"#,
      "\(server.requests)")
    #expect(server.requests.count == 2)
  }
}

/// The services that the recipes ask.
private final class ExampleServer: Sendable {
  private let listener: LoopbackListener
  private let kept = Mutex<[String]>([])

  init() throws {
    listener = try LoopbackListener()
    listener.serve { [self] connection in
      answer(connection)
      close(connection)
    }
  }

  var port: Int { listener.port }
  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [String] { kept.withLock { $0 } }

  func end() { listener.end() }

  private func body(of path: String) -> String {
    let now = Date()
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "UTC")
    switch path {
    case "/issues?state=open":
      format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss'Z'"
      return """
        [{"number":1,"updated_at":"2020-01-01T00:00:00Z","labels":["bug"]},
         {"number":2,"updated_at":"\(format.string(from: now))","labels":[]},
         {"number":3,"updated_at":"2020-01-01T00:00:00Z","labels":["no-issue-activity"]}]
        """
    case "/comments?postId=1": return #"[{"email":"a@example.com"},{"email":"b@example.com"}]"#
    case _ where path.hasPrefix("/monthly_orders/"):
      let month = path.suffix(6).prefix(2)
      return "order_date,total\n2026-\(month)-01,\(month).5\n2026-\(month)-09,10\n"
    case "/feed.xml":
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
      return """
        <rss><channel>
        <item><title>New</title><link>https://n.example/1</link><pubDate>\(format.string(from: now))</pubDate></item>
        <item><title>Old</title><link>https://n.example/2</link><pubDate>Thu, 01 Jan 2026 00:00:00 +0000</pubDate></item>
        </channel></rss>
        """
    case "/charges":
      return """
        [{"customer":"c1","amount_captured":1250},{"customer":"c1","amount_captured":250},
         {"customer":"c2","amount_captured":100},{"amount_captured":5}]
        """
    case _ where path.hasPrefix("/customers/"):
      let id = path.split(separator: "/").last ?? ""
      return #"{"id":"\#(id)","email":"\#(id)@example.com"}"#
    case "/tickets/7": return #"{"id":7,"subject":"It is broken"}"#
    case "/tickets/8": return #"{"id":8,"subject":"It is broken","thread":"t1"}"#
    case "/messages": return #"{"thread":"t9"}"#
    default: return "{}"
    }
  }

  private func answer(_ connection: Int32) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      bytes += chunk[..<count]
      guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
      let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
      let length =
        lines.first { $0.lowercased().hasPrefix("content-length:") }
        .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
      guard bytes.count - end.upperBound >= length else { continue }
      let words = lines[0].split(separator: " ").map(String.init)
      guard words.count > 1 else { return }
      let sent = String(decoding: bytes[end.upperBound...].prefix(length), as: UTF8.self)
      kept.withLock { $0.append(([words[0], words[1]] + [sent].filter { !$0.isEmpty }).joined(separator: " ")) }
      let body = body(of: words[1])
      var response = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n".utf8)
      if words[0] != "HEAD" { response += body.utf8 }
      var position = 0
      while position < response.count {
        let count = response[position...].withUnsafeBytes {
          send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        position += count
      }
      return
    }
  }
}
