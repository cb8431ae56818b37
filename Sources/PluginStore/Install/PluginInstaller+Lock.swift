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
      let index = try index(location, of: id, demands.key)
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
    let staged = try await stage(try Self.source(of: id, entry), demands, recordedAs: entry.source)
    try Self.check(staged, id, entry)
    return staged
  }

  /// Fetches the newest version of a plugin that a lock names.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - entry: The entry of the lock.
  ///   - key: The key of the command line; `nil` for that of the configured index or the lock.
  /// - Returns: `nil` if the installed library is the lock's, and the source has nothing newer.
  /// - Throws: ``PluginStoreError``; ``PluginStoreError/Code/notUpdatable`` if the recorded source cannot be fetched again.
  public func stageUpdate(
    of id: String, _ entry: PluginLock.Entry, isIntact: Bool, key: SignatureKey?
  ) async throws(PluginStoreError) -> StagedPlugin? {
    var demands = Demands(key: key)
    if demands.key == nil, let key = entry.key { demands.key = try SignatureKey(key) }
    guard let location = entry.index else {
      let staged = try await stage(try Self.source(of: id, entry), demands, recordedAs: entry.source)
      try Self.check(staged, id, entry)
      return staged.sha256 == entry.sha256 && isIntact ? nil : staged
    }
    let index = try index(location, of: id, demands.key)
    guard let newest = try await read(index).newest(id) else {
      throw PluginStoreError(
        .notInIndex, LocalizedText("\(location) no longer has '\(id)'", de: "\(location) hat '\(id)' nicht mehr"))
    }
    // A library that is missing or differs from the lock is fetched again, even if the version is the same.
    if isIntact, newest.version <= PluginVersion(entry.version) { return nil }
    return try await stage(newest, of: index, demands)
  }

  /// Refuses a file that has another plugin than the lock names.
  private static func check(_ staged: StagedPlugin, _ id: String, _ entry: PluginLock.Entry) throws(PluginStoreError) {
    guard staged.id != id else { return }
    throw differs(
      LocalizedText(
        "\(entry.source) contains the plugin '\(staged.id)', not '\(id)'",
        de: "\(entry.source) enthält das Plugin '\(staged.id)', nicht '\(id)'"))
  }

  /// The index that a lock records.
  private func index(
    _ location: String, of id: String, _ key: SignatureKey?
  ) throws(PluginStoreError) -> PluginIndexSource {
    if let index = indexes.first(where: { $0.shown == location }) { return index }
    guard !SourceURL.lacksQuery(location) else {
      throw PluginStoreError(
        .notUpdatable,
        LocalizedText(
          "the index of '\(id)' is a URL with a query, which sous.lock does not record: give the whole URL with --index",
          de:
            "der Index von '\(id)' ist eine URL mit einer Abfrage (?…), die sous.lock nicht festhält: die ganze URL mit --index "
            + "angeben"))
    }
    return PluginIndexSource(location: location, key: key)
  }

  /// The recorded source of a plugin that no index named.
  private static func source(of id: String, _ entry: PluginLock.Entry) throws(PluginStoreError) -> PluginSource {
    if SourceURL.lacksQuery(entry.source) {
      throw PluginStoreError(
        .notUpdatable,
        LocalizedText(
          "'\(id)' comes from \(entry.source)…, a URL with a query, which sous.lock does not record: 'sous plugins install URL' with "
            + "the whole URL installs it",
          de:
            "'\(id)' kommt von \(entry.source)…, einer URL mit einer Abfrage, die sous.lock nicht festhält: 'sous plugins install "
            + "URL' mit der ganzen URL installiert es"))
    }
    if entry.source.contains("://") { return .url(entry.source) }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: entry.source, isDirectory: &isFolder) else {
      throw PluginStoreError(
        .notUpdatable,
        LocalizedText(
          "'\(id)' comes from \(entry.source), which does not exist: 'sous plugins install' with another source installs it",
          de: "'\(id)' kommt von \(entry.source), und dort ist nichts: 'sous plugins install' mit einer anderen Quelle "
            + "installiert es"))
    }
    if isFolder.boolValue {
      throw PluginStoreError(
        .notUpdatable,
        LocalizedText(
          "'\(id)' was built from \(entry.source): 'sous plugins install \(entry.source)' builds and installs it again",
          de:
            "'\(id)' wurde aus \(entry.source) gebaut: 'sous plugins install \(entry.source)' baut und installiert es neu"
        ))
    }
    return .file(entry.source)
  }
}
