import Foundation
import Localization
import PluginHost

extension PluginInstaller {
  /// Fetches exactly the file that a lock names.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - entry: The entry of the lock.
  /// - Throws: ``PluginStoreError``; ``PluginStoreError/Code/wrongDigest`` if the source has another file by now.
  public func stage(
    _ id: String, lockedAs entry: PluginLock.Entry
  ) async throws(PluginStoreError) -> StagedPlugin {
    var demands = Demands(library: entry.sha256)
    if let key = entry.key { demands.key = try SignatureKey(key) }
    if let location = entry.index {
      let index = PluginIndexSource(location: location, key: demands.key)
      guard let found = try await read(index).newest(id, version: entry.version) else {
        throw PluginStoreError(
          .notInIndex,
          LocalizedText(
            "\(location) no longer has '\(id)' \(entry.version); 'sous plugins update \(id)' installs the newest version",
            de:
              "\(location) hat '\(id)' \(entry.version) nicht mehr; 'sous plugins update \(id)' installiert die neueste "
              + "Version"))
      }
      return try await stage(found, of: index, demands)
    }
    return try await stage(try Self.source(of: id, entry), demands, recordedAs: entry.source)
  }

  /// Fetches the newest version of a plugin that a lock names.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - entry: The entry of the lock.
  ///   - key: The key of the command line; `nil` for that of the configured index or the lock.
  /// - Returns: `nil` if the index has no newer version and `isIntact`.
  public func stageUpdate(
    of id: String, _ entry: PluginLock.Entry, isIntact: Bool, key: SignatureKey?
  ) async throws(PluginStoreError) -> StagedPlugin? {
    var demands = Demands(key: key)
    if demands.key == nil, let key = entry.key { demands.key = try SignatureKey(key) }
    guard let location = entry.index else {
      let staged = try await stage(try Self.source(of: id, entry), demands, recordedAs: entry.source)
      guard staged.id == id else {
        throw Self.differs(
          LocalizedText(
            "\(entry.source) contains the plugin '\(staged.id)', not '\(id)'",
            de: "\(entry.source) enthält das Plugin '\(staged.id)', nicht '\(id)'"))
      }
      return staged.sha256 == entry.sha256 && isIntact ? nil : staged
    }
    let index =
      indexes.first { $0.location == location } ?? PluginIndexSource(location: location, key: demands.key)
    guard let newest = try await read(index).newest(id) else {
      throw PluginStoreError(
        .notInIndex, LocalizedText("\(location) no longer has '\(id)'", de: "\(location) hat '\(id)' nicht mehr"))
    }
    // The same version with other bytes is an update too: the lock decides, and the user is asked.
    if isIntact, newest.version <= PluginVersion(entry.version) { return nil }
    return try await stage(newest, of: index, demands)
  }

  /// The recorded source of a plugin that no index named.
  private static func source(of id: String, _ entry: PluginLock.Entry) throws(PluginStoreError) -> PluginSource {
    let source = entry.source.contains("://") ? PluginSource.url(entry.source) : try PluginSource(entry.source)
    if case .folder(let folder) = source {
      throw PluginStoreError(
        .wrongSource,
        LocalizedText(
          "'\(id)' was built from \(folder): 'sous plugins install \(folder)' builds and installs it again",
          de: "'\(id)' wurde aus \(folder) gebaut: 'sous plugins install \(folder)' baut und installiert es neu"))
    }
    return source
  }
}
