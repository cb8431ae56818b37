import Foundation
import OperatingSystem

/// A plugin that was fetched and checked, but is not installed. Its library is in a hidden folder of the plugin folder.
/// ``discard()`` removes the hidden folder, and so does the end of the last reference.
public final class StagedPlugin: Sendable {
  /// The id, by the name of the library.
  public let id: String
  /// The file or folder that it comes from, or the URL without user info and query.
  public let source: String
  /// The index that named it.
  public let index: String?
  /// The key whose signature was checked; `nil` if none was.
  public let signer: SignatureKey?
  /// The SHA-256 of the library.
  public let sha256: String
  /// The version that the index or the archive's manifest announces.
  public let announcedVersion: PluginVersion?
  /// The access that the index or the archive's manifest announces; `nil` for a bare library, whose manifest is read in a worker
  /// process.
  public let announced: PluginPermissions?
  /// The path of the library in the hidden folder.
  let library: String
  private let folder: String
  private let lock: FileLock

  init(
    id: String, source: String, index: String?, signer: SignatureKey?, sha256: String,
    announcedVersion: PluginVersion?, announced: PluginPermissions?, library: String, staging: Staging
  ) {
    self.id = id
    self.source = source
    self.index = index
    self.signer = signer
    self.sha256 = sha256
    self.announcedVersion = announcedVersion
    self.announced = announced
    self.library = library
    (folder, lock) = (staging.path, staging.lock)
    staging.isTaken = true
  }

  deinit { discard() }

  /// Removes the hidden folder. A process that exits ends no references: a task that has returned the plugin may still have one.
  public func discard() { try? FileManager.default.removeItem(atPath: folder) }

  /// A hidden folder for one plugin; it is removed unless a ``StagedPlugin`` takes it over.
  final class Staging {
    let path: String
    let lock: FileLock
    var isTaken = false

    init(_ folder: PluginFolder) throws(PluginStoreError) { (path, lock) = try folder.makeStaging() }

    deinit { if !isTaken { try? FileManager.default.removeItem(atPath: path) } }
  }
}
