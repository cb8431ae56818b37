import Engine
import Expressions
import Localization
import Providers
import UseCases

/// Who has the bookmarks.
protocol BookmarkSource: Sendable {
  /// A page of bookmarks, as `readeck.list` gives it.
  func list(_ query: Value) async throws(ActionFailure) -> Value
  /// All that is known of a bookmark.
  func bookmark(_ id: String) async throws(ActionFailure) -> Value
  /// The HTML of an article.
  func article(_ id: String) async throws(ActionFailure) -> String
  /// The bytes of a picture.
  func picture(_ url: String) async throws(ActionFailure) -> [UInt8]
  /// Changes a bookmark, as `readeck.update` takes it; deletes it where nothing is named.
  func change(_ id: String, _ changes: Value) async throws(ActionFailure)
}

/// A configured provider with the plugin `readeck`.
struct ReadeckSource: BookmarkSource {
  private let project: Project
  private let provider: String
  private let storage: any BlobStore

  /// - Parameter storage: Holds pictures while they pass.
  init(_ project: Project, _ provider: String, _ storage: any BlobStore) {
    (self.project, self.provider, self.storage) = (project, provider, storage)
  }

  func list(_ query: Value) async throws(ActionFailure) -> Value { try await call("readeck.list", query) }

  func bookmark(_ id: String) async throws(ActionFailure) -> Value {
    try await call("readeck.get", ["id": .string(id)])
  }

  func article(_ id: String) async throws(ActionFailure) -> String {
    try await call("readeck.article", ["id": .string(id)])["html"]?.stringValue ?? ""
  }

  func picture(_ url: String) async throws(ActionFailure) -> [UInt8] {
    let answer = try await call("readeck.picture", ["url": .string(url)])
    guard let blob = answer["blob"]?.stringValue, let size = answer["size"]?.intValue else { return [] }
    defer { (storage as? TransferStorage)?.forget(blob: blob) }
    do throws(StorageFailure) {
      return try storage.readBlob(
        hash: String(blob.dropFirst("blob:sha256:".count)), offset: 0, length: Int(clamping: size))
    } catch {
      throw ActionFailure(.io, error.message)
    }
  }

  func change(_ id: String, _ changes: Value) async throws(ActionFailure) {
    guard case .map(var input) = changes, !input.isEmpty else {
      _ = try await call("readeck.delete", ["id": .string(id)])
      return
    }
    input["id"] = .string(id)
    _ = try await call("readeck.update", .map(input))
  }

  private func call(_ action: String, _ input: Value) async throws(ActionFailure) -> Value {
    try await project.call(action, input, by: provider, key: nil, reporter: SilentReporter())
  }
}

extension ActionFailure {
  /// Whether the server could not be reached: what is kept is shown in its place.
  var isOffline: Bool { [.dns, .timeout, .refused, .unreachable, .io].contains(kind) }
}
