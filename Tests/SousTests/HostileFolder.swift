import FixturePlugins
import Foundation
import LoopbackPorts
import Synchronization

/// A folder that somebody has downloaded and that means harm, and what it has come to: a library that leaves a mark, programs
/// that print secrets, and servers that count who connects.
final class HostileFolder: Sendable {
  /// The program in the folder, with a secret in its environment and a home outside of it.
  let sous: SousProcess
  /// The home of the user, with a file that holds a token.
  let home: String

  private let server: LoopbackListener
  private let connections = Mutex(0)

  /// The secrets of the user: none may come to light.
  static let secrets = ["sk-of-the-environment", "ghp-of-the-home"]

  init() throws {
    var sous = try SousProcess()
    home = sous.folder + "-home"
    sous.environment["SOUS_TRUST"] = nil
    sous.environment["HOME"] = home
    sous.environment["XDG_CACHE_HOME"] = home + "/cache"
    sous.environment["KEY"] = Self.secrets[0]
    sous.environment["EDITOR"] = "true"
    self.sous = sous
    server = try LoopbackListener()
    server.serve { [self] connection in
      connections.withLock { $0 += 1 }
      close(connection)
    }
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    try Data(Self.secrets[1].utf8).write(to: URL(fileURLWithPath: home + "/token"))
    chmod(home + "/token", 0o600)
    try writeFiles()
  }

  func remove() {
    server.end()
    sous.remove()
    try? FileManager.default.removeItem(atPath: home)
  }

  /// `0.0.0.0` leads to this machine too, but a configuration that names it does not say so.
  private func writeFiles() throws {
    let (near, far) = ("http://127.0.0.1:\(server.port)", "http://0.0.0.0:\(server.port)")
    try sous.write(
      "sous.yaml",
      """
      plugins: { paths: [plugins] }
      recipes: { folders: [recipes], sync: { url: "ssh://0.0.0.0:\(server.port)/recipes.git" } }
      secrets: [{ command: [./tools/secret.sh] }, { file: ~/token }, environment]
      http: { hosts: ["0.0.0.0"], credentials: [{ host: "0.0.0.0", bearer: { secret: { env: KEY } } }] }
      providers:
        odd: { plugin: ./plugins/libecho.so, isolation: in-process }
        near: { plugin: openai, base_url: "\(near)/v1", api_key: { secret: { env: KEY } }, model: m }
        far: { plugin: openai, base_url: "\(far)/v1", api_key: { secret: { env: KEY } }, model: m }
        file: { plugin: openai, base_url: "\(far)/v1", api_key: { secret: { file: ~/token } }, model: m }
        run: { plugin: openai, base_url: "\(near)/v1", api_key: { secret: { command: [./tools/secret.sh] } }, model: m }
        post: { plugin: imap, host: 0.0.0.0, port: \(server.port), tls: none, user: u, password: { secret: { env: KEY } } }
        out: { plugin: smtp, host: 0.0.0.0, port: \(server.port), tls: none, user: a@example.org, password: { secret: { env: KEY } } }
        home: { plugin: maildir, path: box, create: true }
        read: { plugin: readeck, base_url: "\(far)", token: { secret: { env: KEY } } }
        ring: { plugin: ntfy, base_url: "\(far)", topic: t, token: { secret: { env: KEY } } }
      defaults: { chat: far, mail.store: post, mail.transport: out, notify: ring }
      auth:
        acc:
          service: custom
          client_id: sous
          client_secret: { secret: { env: KEY } }
          authorization_endpoint: https://0.0.0.0:\(server.port)/a
          token_endpoint: https://0.0.0.0:\(server.port)/t
          device_authorization_endpoint: https://0.0.0.0:\(server.port)/d

      """)
    try sous.write("tools/secret.sh", "#!/bin/sh\n: > '\(mark("command"))'\necho word\n")
    chmod(sous.folder + "/tools/secret.sh", 0o755)
    try FileManager.default.createDirectory(atPath: sous.folder + "/plugins", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: try FixtureLibrary.marking(mark("library")), toPath: sous.folder + "/plugins/libecho.so")
    try sous.write("r.yaml", "name: r\nsteps:\n  - { id: a, uses: template, with: { text: x } }\n")
    for (name, step) in [
      ("odd", "uses: echo.echo, provider: odd"), ("chat", "uses: chat.complete, with: { prompt: Hi }"),
      ("mail", "uses: mail.search, with: { folder: INBOX }"),
      ("send", "uses: mail.send, with: { to: [a@example.org], subject: s, text: t }"),
    ] {
      try sous.write("\(name).yaml", "name: \(name)\nsteps:\n  - { id: a, \(step), retry: { attempts: 1 } }\n")
    }
    try sous.write(
      "filter.yaml",
      "kind: mail-filter\nname: f\nfolder: INBOX\nrules:\n  - { when: message.bulk, then: [{ move: T }] }\n")
    try sous.write("recipes/served.yaml", "name: served\nsteps:\n  - { uses: echo.echo, provider: odd }\n")
    try sous.write("t.test.yaml", "recipe: r.yaml\ntests:\n  - { name: t, expect: { status: succeeded } }\n")
    try sous.write("m.eml", "From: a@example.org\nTo: b@example.org\nSubject: s\n\nHello\n")
    try sous.write("empty.json", "{}")
    try sous.write("keep.sieve", "require \"fileinto\";\nif header :is \"X\" \"y\" { fileinto \"T\"; }\n")
    try sous.write("catalog/p.yaml", "text: Hello\n")
    // A plugin that is not installed, from a server that is not this machine by its name.
    let digest = String(repeating: "0", count: 64)
    try sous.write(
      "sous.lock",
      """
      {"format": 1, "plugins": {"parcel": {"version": "1.0.0", "source": "https://0.0.0.0:\(server.port)/libparcel.so",
      "sha256": "\(digest)"}}}
      """)
  }

  private func mark(_ name: String) -> String { home + "/mark-" + name }

  /// What of the user's the folder has got hold of; empty if nothing happened. The next call counts anew.
  func effects() -> [String] {
    var found = ["library", "command"].filter { unlink(mark($0)) == 0 }
    let cache = home + "/cache/sous/plugins"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? [] {
      let text = (try? String(contentsOfFile: cache + "/" + name, encoding: .utf8)) ?? ""
      if text.contains("/plugins/libecho.so") {
        unlink(cache + "/" + name)
        found.append("worker")
      }
    }
    let count = connections.withLock { connections in
      defer { connections = 0 }
      return connections
    }
    return count == 0 ? found : found + ["connection"]
  }

  /// Runs a command line in the folder.
  func call(_ line: String) throws -> SousProcess.Outcome {
    try sous.run("/bin/sh", ["-c", "exec '\(SousProcess.executable)' \(line)"])
  }
}
