import Foundation
import Hashing
import Localization
public import Networking
import OperatingSystem
import PluginBoundary
public import PluginHost

/// Fetches, checks and installs plugins.
///
/// An installation has three parts, so that a person can be asked in between: ``stage(_:_:)`` fetches and checks bytes and opens
/// nothing, ``inspect(_:)`` reads the manifest in a worker process, ``install(_:_:allowsOlder:)`` puts the library in place.
public struct PluginInstaller: Sendable {
  /// The largest archive or library in bytes.
  static let longest = 512 << 20

  /// The user's folder of plugins.
  public let folder: PluginFolder
  /// The locks that record the installed plugins.
  public let locks: PluginLocks
  /// The indexes that names are looked up in, in this order.
  public var indexes: [PluginIndexSource]
  let environment: [String: String]
  let probe: any PluginProbing
  let download: Download

  /// Prepares installations. Touches nothing.
  public init(
    folder: PluginFolder, locks: PluginLocks, indexes: [PluginIndexSource], environment: [String: String],
    network: NetworkService, probe: any PluginProbing = PluginProbe()
  ) {
    self.folder = folder
    self.locks = locks
    self.indexes = indexes
    self.environment = environment
    self.probe = probe
    download = Download(network: network)
  }

  /// The checks of one installation.
  public struct Demands: Sendable {
    /// The key that has to have signed the file; `nil` for that of the index, if it has one.
    public var key: SignatureKey?
    /// The SHA-256 of the file that is fetched, if it is known.
    public var sha256: String?
    /// The SHA-256 of the library, if a lock names it.
    public var library: String?

    /// Demands nothing.
    public init(key: SignatureKey? = nil, sha256: String? = nil, library: String? = nil) {
      (self.key, self.sha256, self.library) = (key, sha256, library)
    }
  }

  // MARK: - Fetching

  /// Fetches a plugin into a hidden folder, and checks SHA-256 and signature. Opens no library.
  ///
  /// - Parameters:
  ///   - source: The source; a folder has to be built before, see ``PluginBuild``, and is given as the library's file.
  ///   - demands: The checks.
  ///   - origin: The source as the lock records it; `nil` for the source itself.
  /// - Throws: ``PluginStoreError``; nothing is left behind.
  public func stage(
    _ source: PluginSource, _ demands: Demands = Demands(), recordedAs origin: String? = nil
  ) async throws(PluginStoreError) -> StagedPlugin {
    try folder.prepare()
    switch source {
    case .folder(let path):
      throw PluginStoreError(
        .wrongSource, LocalizedText("\(path) is a folder; build it first", de: "\(path) ist ein Ordner; zuerst bauen"))
    case .file(let path):
      let staging = try StagedPlugin.Staging(folder)
      let copy = staging.path + "/fetched"
      try copyFile(path, to: copy)
      let name = (path as NSString).lastPathComponent
      let signature = try demands.key == nil ? nil : signatureText(besideFile: path)
      return try finish(
        staging, copy, name: name, origin ?? absolute(path), nil, demands, (signature, path + ".minisig"), nil)
    case .url(let url):
      let staging = try StagedPlugin.Staging(folder)
      let copy = staging.path + "/fetched"
      try await fetch(url, to: copy, own: [url])
      let place = SourceURL(url)
      var signature: String?
      if demands.key != nil { signature = try await signatureText(beside: place, staging) }
      return try finish(
        staging, copy, name: place.name, origin ?? place.shown, nil, demands,
        (signature, SourceURL(place.signature).shown), nil)
    case .name(let id, let version):
      let (entry, index) = try await entry(id, version: version)
      return try await stage(entry, of: index, demands)
    }
  }

  /// Fetches an entry of an index.
  public func stage(
    _ entry: PluginIndex.Entry, of index: PluginIndexSource, _ demands: Demands = Demands()
  ) async throws(PluginStoreError) -> StagedPlugin {
    try folder.prepare()
    let staging = try StagedPlugin.Staging(folder)
    let copy = staging.path + "/fetched"
    let place = try place(of: entry, in: index)
    if place.contains("://") {
      try await fetch(place, to: copy, own: index.isURL ? [index.location] : [place])
    } else {
      try copyFile(place, to: copy)
    }
    var demands = demands
    demands.key = demands.key ?? index.key
    demands.sha256 = demands.sha256 ?? entry.sha256
    let url = place.contains("://") ? SourceURL(place) : nil
    var signature = (text: entry.signature, place: index.shown)
    if demands.key != nil, signature.text == nil {
      signature.place = url.map { SourceURL($0.signature).shown } ?? place + ".minisig"
      if let url {
        signature.text = try await signatureText(beside: url, staging)
      } else {
        signature.text = try signatureText(besideFile: place)
      }
    }
    return try finish(
      staging, copy, name: "lib\(entry.id).so", url?.shown ?? place, index.shown, demands, signature, entry)
  }

  /// The newest entry of a plugin in the indexes: the first index that has the plugin decides, so that a later one cannot offer
  /// a higher version of it.
  ///
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/notInIndex``.
  public func entry(
    _ id: String, version: String? = nil
  ) async throws(PluginStoreError) -> (entry: PluginIndex.Entry, index: PluginIndexSource) {
    guard !indexes.isEmpty else {
      let hint = FileManager.default.fileExists(atPath: id)
      throw PluginStoreError(
        .notInIndex,
        LocalizedText(
          "no index is configured that could have '\(id)': name one with --index URL, or in sous.yaml under plugins: { index: [URL] }"
            + (hint ? ". For the folder or file of that name: ./\(id)" : ""),
          de:
            "kein Index ist eingetragen, der '\(id)' haben könnte: einen mit --index URL nennen, oder in sous.yaml unter "
            + "plugins: { index: [URL] }" + (hint ? ". Für den Ordner oder die Datei dieses Namens: ./\(id)" : "")))
    }
    for index in indexes {
      let contents = try await read(index)
      guard contents.entries.contains(where: { $0.id == id }) else { continue }
      if let entry = contents.newest(id, version: version) { return (entry, index) }
      throw PluginStoreError(
        .notInIndex,
        LocalizedText(
          "\(index.shown) has no version \(version ?? "") of '\(id)'; it has "
            + contents.entries.filter { $0.id == id }.map(\.version.description).joined(separator: ", "),
          de: "\(index.shown) hat keine Version \(version ?? "") von '\(id)'; es gibt "
            + contents.entries.filter { $0.id == id }.map(\.version.description).joined(separator: ", ")))
    }
    let places = indexes.map(\.shown).joined(separator: ", ")
    throw PluginStoreError(
      .notInIndex,
      LocalizedText(
        "no plugin '\(id)' for \(PluginIndex.platform) in \(places)",
        de: "kein Plugin '\(id)' für \(PluginIndex.platform) in "
          + places))
  }

  /// Reads an index.
  public func read(_ index: PluginIndexSource) async throws(PluginStoreError) -> PluginIndex {
    guard index.isURL else { return try contents(of: index.location, from: index) }
    try folder.prepare()
    let staging = try StagedPlugin.Staging(folder)
    // Keeps the hidden folder until the file has been read.
    defer { withExtendedLifetime(staging) {} }
    let copy = staging.path + "/index"
    try await fetch(index.location, to: copy, limit: PluginIndex.longest, own: [index.location])
    return try contents(of: copy, from: index)
  }

  private func contents(of path: String, from index: PluginIndexSource) throws(PluginStoreError) -> PluginIndex {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Descriptor(opening: path, O_RDONLY).readAll(limit: PluginIndex.longest)
    } catch {
      throw .unusable(path, .systemError(error.code))
    }
    return try PluginIndex(json: bytes, from: index.shown)
  }
}
