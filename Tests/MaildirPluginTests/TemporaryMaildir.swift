import Foundation
import Glibc
import PluginKit
import PluginKitTesting
import TestSupport

@testable import MaildirPlugin

/// A Maildir in a folder of its own, removed at the end.
final class TemporaryMaildir: Sendable {
  private let folder: TemporaryFolder
  var path: String { folder.path }

  /// - Parameter boxes: Which of `cur`, `new` and `tmp` exist from the beginning.
  init(boxes: [String] = ["cur", "new", "tmp"]) throws {
    folder = try TemporaryFolder()
    for box in boxes {
      try FileManager.default.createDirectory(atPath: folder(box), withIntermediateDirectories: true)
    }
  }

  /// Makes a file inside, with its folders.
  func write(_ relative: String, _ content: String = TemporaryMaildir.message()) throws {
    let file = path + "/" + relative
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    // Whole at once, as a delivery is: whoever watches the folder sees no half of it.
    let whole = path + "/.\(UUID().uuidString)"
    try Data(content.utf8).write(to: URL(fileURLWithPath: whole))
    guard Glibc.rename(whole, file) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// The names in a folder inside, sorted; empty where it is missing.
  func names(_ relative: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + relative)) ?? []).sorted()
  }

  func content(_ relative: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + relative)), as: UTF8.self)
  }

  func rename(_ old: String, _ new: String) throws {
    try FileManager.default.moveItem(atPath: path + "/" + old, toPath: path + "/" + new)
  }

  /// Sets both times of a file, in seconds since 1970.
  func touch(_ relative: String, at seconds: Int) {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    utimensat(AT_FDCWD, path + "/" + relative, times, 0)
  }

  /// The plugin, configured for a Maildir that exists as long as it does.
  struct Plugin: Sendable {
    fileprivate let maildir: TemporaryMaildir
    let plugin: InMemoryHost.OpenPlugin<MaildirPlugin>
    let host: InMemoryHost

    func call(
      _ action: String, _ input: JSONValue = [:], key: String = "key", attempt: Int = 1
    ) async throws -> JSONValue {
      try await plugin.call(action, input, key: key, attempt: attempt)
    }

    func verify(_ action: String, _ input: JSONValue, key: String) async throws -> JSONValue {
      try await plugin.verify(action, input, key: key)
    }
  }

  /// The plugin, configured for this Maildir.
  func open(_ more: JSONObject = [:], host: InMemoryHost? = nil) throws -> Plugin {
    let configuration = JSONValue.object(more.merging(["path": .string(path)]) { own, _ in own })
    let host = host ?? InMemoryHost()
    return Plugin(maildir: self, plugin: try host.open(MaildirPlugin.self, configuration: configuration), host: host)
  }

  func maildir() throws -> Maildir { try Maildir(path: path) }

  /// A small message.
  static func message(
    subject: String = "Hello", from: String = "Anna Meier <anna@example.org>", id: String = "1@example.org",
    date: String = "Mon, 16 Nov 2026 10:00:00 +0100", text: String = "The text."
  ) -> String {
    """
    From: \(from)
    To: Jana Keller <jana@example.org>
    Subject: \(subject)
    Date: \(date)
    Message-ID: <\(id)>

    \(text)

    """
  }
}

/// The kind of the error that an action ends with.
func kind(of body: () async throws -> some Any) async -> ActionError.Kind? {
  do {
    _ = try await body()
    return nil
  } catch let error as ActionError {
    return error.kind
  } catch {
    return ActionError.Kind(rawValue: "not an ActionError: \(error)")
  }
}
