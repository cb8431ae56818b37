import Foundation
import Localization
import OperatingSystem
import PluginBoundary
public import PluginHost

extension PluginInstaller {
  /// Opens a plugin in a worker process, which has no rights, and compares it with what was announced. Blocks the calling thread.
  ///
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/notUsable`` if the library does not load,
  ///   ``PluginStoreError/Code/differs`` if it asks for more than was announced.
  public func inspect(_ staged: StagedPlugin) throws(PluginStoreError) -> PluginManifest {
    try checkSigner(staged)
    let manifest: PluginManifest
    do throws(PluginError) {
      let text = try probe.manifest(ofLibraryAt: staged.library)
      manifest = try PluginManifest(json: text, path: staged.library)
    } catch {
      throw PluginStoreError(
        .notUsable,
        LocalizedText(
          "the plugin '\(staged.id)' is not installed: ", de: "das Plugin '\(staged.id)' wird nicht installiert: ")
          + error.message)
    }
    if let version = staged.announcedVersion, version != PluginVersion(manifest.version) {
      throw Self.differs(
        LocalizedText(
          "'\(staged.id)' has the version \(manifest.version), but \(version) was announced",
          de: "'\(staged.id)' hat die Version \(manifest.version), angekündigt war aber \(version)"))
    }
    if let announced = staged.announced {
      let more = PluginPermissions(manifest).exceeding(announced)
      guard more.isEmpty else {
        let english = more.differenceSentences.map(\.english).joined(separator: " ")
        let german = more.differenceSentences.map(\.german).joined(separator: " ")
        throw Self.differs(
          LocalizedText(
            "'\(staged.id)' asks for more than was announced (\(english))",
            de: "'\(staged.id)' verlangt mehr als angekündigt (\(german))"))
      }
    }
    return manifest
  }

  /// Refuses a file without a checked signature in place of a plugin that was signed.
  private func checkSigner(_ staged: StagedPlugin) throws(PluginStoreError) {
    guard staged.signer == nil else { return }
    for file in locks.all {
      guard let key = try file.read().plugins[staged.id]?.key else { continue }
      throw PluginStoreError(
        .wrongSignature,
        LocalizedText(
          "\(file.path) says that '\(staged.id)' is signed by \(key), but no signature was checked: add --key \(key), or remove the "
            + "plugin first. Nothing was installed",
          de:
            "laut \(file.path) ist '\(staged.id)' mit \(key) signiert, aber keine Signatur wurde geprüft: --key \(key) angeben "
            + "oder das Plugin zuerst entfernen. Nichts wurde installiert"))
    }
  }

  /// The version and access of the plugin that would be replaced, from the lock or else from the library; `nil` if none is
  /// installed.
  ///
  /// - Throws: ``PluginStoreError`` if the lock cannot be read.
  public func installed(_ id: String) throws(PluginStoreError) -> (version: String, permissions: PluginPermissions)? {
    let library = folder.library(id)
    guard FileManager.default.fileExists(atPath: library) else { return nil }
    if let entry = try locks.user?.read().plugins[id], let digest = PluginSearchPath.digest(ofLibraryAt: library),
      entry.accepts(digest)
    {
      return (entry.version, entry.permissions)
    }
    guard let text = try? probe.manifest(ofLibraryAt: library),
      let manifest = try? PluginManifest(json: text, path: library)
    else { return nil }
    return (manifest.version, PluginPermissions(manifest))
  }

  /// Refuses a version that is older than the installed one, which an index may offer again to bring back a known defect.
  public func checkAge(_ id: String, _ version: PluginVersion) throws(PluginStoreError) {
    guard let installed = try installed(id), version < PluginVersion(installed.version) else { return }
    throw PluginStoreError(
      .olderVersion,
      LocalizedText(
        "'\(id)' \(version) is older than the installed version \(installed.version). If you want that version: --allow-older",
        de:
          "'\(id)' \(version) ist älter als die installierte Version \(installed.version). Falls diese Version gewünscht ist: "
          + "--allow-older"))
  }

  /// Puts a library in place and records it in the locks. An earlier version stays until this moment; a process that reads sees
  /// the earlier library or the new one.
  ///
  /// The locks name both files until the library is in place, so that an interruption leaves a plugin that can be used.
  ///
  /// - Parameters:
  ///   - staged: The plugin.
  ///   - manifest: Its manifest from ``inspect(_:)``.
  ///   - allowsOlder: Whether a newer version may be replaced.
  /// - Throws: ``PluginStoreError``; the earlier version is as it was.
  public func install(
    _ staged: StagedPlugin, _ manifest: PluginManifest, allowsOlder: Bool
  ) throws(PluginStoreError) {
    let lock = try folder.lock()
    defer { lock.release() }
    // Another process may have installed a newer version since the user was asked.
    if !allowsOlder { try checkAge(staged.id, PluginVersion(manifest.version)) }
    let library = folder.library(staged.id)
    let old = PluginSearchPath.digest(ofLibraryAt: library)
    var entry = PluginLock.Entry(
      version: manifest.version, source: staged.source, index: staged.index, sha256: staged.sha256,
      replacing: old == staged.sha256 ? nil : old, key: staged.signer?.text, permissions: PluginPermissions(manifest))
    let before = try locks.all.map { file throws(PluginStoreError) in try file.read().plugins[staged.id] }
    for file in locks.all { try file.change { $0.plugins[staged.id] = entry } }
    do throws(SystemError) {
      let file = try Descriptor(opening: staged.library, O_RDONLY)
      try uninterrupted { fchmod(file.number, 0o644) }
      try file.synchronize()
      try AtomicFile.rename(staged.library, to: library)
      AtomicFile.synchronizeFolder(of: library)
    } catch {
      for (file, earlier) in zip(locks.all, before) { try? file.change { $0.plugins[staged.id] = earlier } }
      throw .unusable(library, .systemError(error.code))
    }
    guard entry.replacing != nil else { return }
    entry.replacing = nil
    for file in locks.all { try file.change { $0.plugins[staged.id] = entry } }
  }

  /// Whether there is something of a plugin to remove: its library in the user's folder, or an entry in a lock.
  ///
  /// - Throws: ``PluginStoreError`` if a lock cannot be read.
  public func has(_ id: String) throws(PluginStoreError) -> Bool {
    if FileManager.default.fileExists(atPath: folder.library(id)) { return true }
    for file in locks.all where try file.read().plugins[id] != nil { return true }
    return false
  }

  /// Removes a plugin from the user's folder and from the locks.
  ///
  /// - Returns: Whether something was removed.
  /// - Throws: ``PluginStoreError``
  public func remove(_ id: String) throws(PluginStoreError) -> Bool {
    guard FileManager.default.fileExists(atPath: folder.path) else { return try removeEntries(id) }
    let lock = try folder.lock()
    defer { lock.release() }
    let library = folder.library(id)
    let existed = FileManager.default.fileExists(atPath: library)
    if existed {
      do throws(SystemError) {
        try uninterrupted { unlink(library) }
        AtomicFile.synchronizeFolder(of: library)
      } catch {
        throw .unusable(library, .systemError(error.code))
      }
    }
    return try removeEntries(id) || existed
  }

  private func removeEntries(_ id: String) throws(PluginStoreError) -> Bool {
    var isNamed = false
    for file in locks.all {
      try file.change { if $0.plugins.removeValue(forKey: id) != nil { isNamed = true } }
    }
    return isNamed
  }
}
