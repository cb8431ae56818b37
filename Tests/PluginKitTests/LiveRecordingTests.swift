import Foundation
import PluginKit
import PluginKitTesting
import Synchronization
import Testing

/// Recording from a server on this machine, and playing it back.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Python.path != nil, "needs python3"))
struct LiveRecordingTests {
  static let server = """
    import http.server
    class Handler(http.server.BaseHTTPRequestHandler):
      def do_GET(self):
        body = ('{"status":1,"page_title":"' + self.headers.get('Authorization', 'none') + '"}').encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Set-Cookie', 'session=1')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
      def log_message(self, *arguments): pass
    server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  struct Fetcher: Plugin {
    struct Configuration: Decodable, Sendable { var baseURL: String; var apiKey: String }
    static let manifest = Manifest(
      id: "fetcher", version: "1", summary: "Fetches", hosts: ["{base_url}"], secrets: ["api_key"])
    let configuration: Configuration
    init(configuration: Configuration, context: PluginContext) { self.configuration = configuration }

    static var actions: ActionList<Fetcher> {
      Action("fetcher.get", effect: .read, summary: "Fetches", input: NoConfiguration.self, output: Browser.Page.self) {
        plugin, _, context in
        let request = HTTPRequest(
          url: plugin.configuration.baseURL + "/page", query: ["key": plugin.configuration.apiKey],
          headers: ["Authorization": "Bearer \(plugin.configuration.apiKey)"])
        return try await context.http.send(request).checked().json(as: Browser.Page.self)
      }
    }
  }

  @Test func whatWasRecordedPlaysBackWithoutTheSecret() async throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: try #require(Python.path))
    process.arguments = ["-c", Self.server]
    process.standardOutput = output
    try process.run()
    // Waiting for its end from another thread than the one that began it would spin.
    defer { kill(process.processIdentifier, SIGKILL) }
    let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).filter(\.isNumber)
    let base = JSONValue.string("http://127.0.0.1:\(port)")

    let live = InMemoryHost()
    live.record()
    let first = try await live.open(Fetcher.self, configuration: ["base_url": base, "api_key": "real-key"])
      .call("fetcher.get")
    #expect(first["page_title"] == "Bearer real-key")
    let recording = live.recording(note: "made by a test")
    let text = String(decoding: try recording.json(), as: UTF8.self)
    #expect(!text.contains("real-key"))
    #expect(!text.contains("session"))
    #expect(text.contains("/page?key=<secret>"))

    let host = InMemoryHost()
    host.replay(recording)
    let second = try await host.open(Fetcher.self, configuration: ["base_url": base, "api_key": "test-key"])
      .call("fetcher.get")
    #expect(second["page_title"] == "Bearer <secret:api_key>")
    try host.finishReplay()
  }
}

private enum Python {
  static let path = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
}
