import Foundation
import RecipeModel
import Testing

/// The examples of proxies that are installed, and the pages that show them.
struct ProxyExamplesTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: Self.repository + "/" + path, encoding: .utf8)
  }

  /// The directives of a text that say how requests are passed on, without comments.
  private func directives(_ text: String, _ words: [String]) -> Set<String> {
    Set(
      text.split(separator: "\n").map { line in
        String(line.prefix { $0 != "#" }).trimmingCharacters(in: .whitespaces)
      }.filter { line in words.contains { line.hasPrefix($0) } })
  }

  @Test(arguments: [
    ("packaging/proxy/nginx.conf", ["proxy_", "client_max_body_size", "ssl_certificate", "listen 443"]),
    ("packaging/proxy/Caddyfile", ["reverse_proxy", "flush_interval"]),
  ]) func thePageShowsTheInstalledFile(file: String, words: [String]) throws {
    let installed = directives(try text(file), words)
    #expect(installed.count >= words.count)
    let page = try text("docs/server.md")
    for directive in installed { #expect(page.contains(directive), "\(file): \(directive)") }
  }

  @Test func theProxyTakesTheUploadsThatTheServerTakes() throws {
    let limit = ConfiguredServer().limits.upload >> 20
    #expect(try text("packaging/proxy/nginx.conf").contains("client_max_body_size \(limit)m;"))
  }

  /// A unit that makes no folder for the socket of the page would leave the daemon without its address.
  @Test func theUnitMakesTheFolderOfTheSocket() throws {
    #expect(try text("packaging/systemd/system/sous.service").contains("RuntimeDirectory=sous\n"))
    #expect(try text("docs/server.md").contains("listen: unix:/run/sous/http.sock"))
  }
}
