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

  /// Refuses a file that another key has signed, or whose signature was not checked, in place of a plugin that was signed. A new
  /// key needs the removal of the plugin, which takes the earlier key out of the locks.
  func checkSigner(_ id: String, _ signer: SignatureKey?) throws(PluginStoreError) {
    for file in locks.all {
      guard let key = try file.read().plugins[id]?.key, key != signer?.text else { continue }
      let difference =
        signer.map {
          LocalizedText(
            "but the key \($0.text) has signed this file. If you trust that key, run 'sous plugins remove \(id)', and install the "
              + "plugin again",
            de:
              "aber diese Datei hat der Schlüssel \($0.text) signiert. Wenn Sie diesem Schlüssel vertrauen, 'sous plugins remove "
              + "\(id)' ausführen und das Plugin neu installieren")
        }
        ?? LocalizedText(
          "but no signature was checked. Add --key \(key), or run 'sous plugins remove \(id)' first",
          de:
            "aber keine Signatur wurde geprüft. --key \(key) angeben, oder zuerst 'sous plugins remove \(id)' ausführen"
        )
      throw PluginStoreError(
        .wrongSignature,
        LocalizedText(
          "\(file.path) says that the key \(key) signs '\(id)', ",
          de: "laut \(file.path) signiert der Schlüssel \(key) das Plugin '\(id)', ")
          + difference + LocalizedText(". Nothing was installed", de: ". Nichts wurde installiert"))
    }
  }

  /// The version and access of the plugin that would be replaced, from the lock or else from the library; `nil` if none is
  /// installed.
  ///
  /// - Throws: ``PluginStoreError`` if the lock cannot be read.
  public func installed(_ id: String) throws(PluginStoreError) -> (version: String, permissions: PluginPermissions)? {
    if let entry = try locks.project?.read().plugins[id],
      FileManager.default.fileExists(atPath: folder.library(id, sha256: entry.sha256))
    {
      return (entry.version, entry.permissions)
    }
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
  ///   - demanding: The lock that demands the plugin; `nil` if the user named it. A plugin that only the user's lock demands stays
  ///     out of the project's lock.
  /// - Throws: ``PluginStoreError``. Library and locks are as they were, unless the message says that the plugin was installed.
  public func install(
    _ staged: StagedPlugin, _ manifest: PluginManifest, allowsOlder: Bool, demandedBy demanding: String? = nil
  ) throws(PluginStoreError) {
    let lock = try folder.lock()
    defer { lock.release() }
    // Another process may have installed a newer version, or recorded a key, since the user was asked.
    if !allowsOlder { try checkAge(staged.id, PluginVersion(manifest.version)) }
    try checkSigner(staged.id, staged.signer)
    if let project = locks.project, try isBesideNewest(manifest, allowsOlder: allowsOlder, demandedBy: demanding) {
      return try install(staged, manifest, beside: project)
    }
    let files = locks.files(demandedBy: demanding)
    let library = folder.library(staged.id)
    let old = PluginSearchPath.digest(ofLibraryAt: library)
    let before = try files.map { file throws(PluginStoreError) in try file.read().plugins[staged.id] }
    let entry = Self.entry(staged, manifest)
    do throws(PluginStoreError) {
      // Locks of other projects may name it.
      if let old, old != staged.sha256, before.contains(where: { $0?.accepts(old) == true }) {
        try folder.keep(staged.id, sha256: old)
      }
      for (file, earlier) in zip(files, before) {
        var entry = entry
        if let old, old != staged.sha256, Self.isExpected(old, earlier, before) { entry.replacing = old }
        try file.change { $0.plugins[staged.id] = entry }
      }
      try place(staged, at: library)
    } catch {
      for (file, earlier) in zip(files, before) { try? file.change { $0.plugins[staged.id] = earlier } }
      throw error
    }
    for file in files {
      do throws(PluginStoreError) {
        try file.change { $0.plugins[staged.id] = entry }
      } catch {
        throw PluginStoreError(
          error.code,
          LocalizedText(
            "'\(staged.id)' \(manifest.version) was installed, but sous.lock could not be completed: ",
            de:
              "'\(staged.id)' \(manifest.version) wurde installiert, aber sous.lock ließ sich nicht vervollständigen: ")
            + error.message
            + LocalizedText(
              ". Correct the cause, then 'sous plugins update \(staged.id)' completes it",
              de: ". Die Ursache beheben, dann vervollständigt 'sous plugins update \(staged.id)' die Datei"))
      }
    }
  }

  private static func entry(_ staged: StagedPlugin, _ manifest: PluginManifest) -> PluginLock.Entry {
    PluginLock.Entry(
      version: manifest.version, source: staged.source, index: staged.index, sha256: staged.sha256,
      key: staged.signer?.text, permissions: PluginPermissions(manifest))
  }

  /// Whether a plugin is older than the newest installed one, which stays in its place for other projects. An older version that
  /// the user has named with `--allow-older` replaces the newest one.
  private func isBesideNewest(
    _ manifest: PluginManifest, allowsOlder: Bool, demandedBy demanding: String?
  ) throws(PluginStoreError) -> Bool {
    let isOfProject = demanding != nil && demanding != locks.user?.path
    guard isOfProject || !allowsOlder, let digest = PluginSearchPath.digest(ofLibraryAt: folder.library(manifest.id)),
      let newest = try locks.user?.read().plugins[manifest.id], newest.accepts(digest)
    else { return false }
    return PluginVersion(manifest.version) < PluginVersion(newest.version)
  }

  /// Puts a library beside the newest one, for the project whose lock then names it.
  private func install(
    _ staged: StagedPlugin, _ manifest: PluginManifest, beside project: PluginLockFile
  ) throws(PluginStoreError) {
    try folder.makeVersion(sha256: staged.sha256)
    try place(staged, at: folder.library(staged.id, sha256: staged.sha256))
    try project.change { $0.plugins[staged.id] = Self.entry(staged, manifest) }
  }

  /// Whether the file that is replaced still counts if the installation is interrupted: a file that a lock refuses must not become
  /// an expected one.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the file.
  ///   - earlier: The entry of the lock that is changed.
  ///   - all: The entries of all locks.
  private static func isExpected(_ digest: String, _ earlier: PluginLock.Entry?, _ all: [PluginLock.Entry?]) -> Bool {
    earlier?.accepts(digest) ?? all.allSatisfy { $0?.accepts(digest) ?? true }
  }

  private func place(_ staged: StagedPlugin, at library: String) throws(PluginStoreError) {
    do throws(SystemError) {
      let file = try Descriptor(opening: staged.library, O_RDONLY)
      try uninterrupted { fchmod(file.number, 0o644) }
      try file.synchronize()
      try AtomicFile.rename(staged.library, to: library)
      AtomicFile.synchronizeFolder(of: library)
    } catch {
      throw .unusable(library, .systemError(error.code))
    }
  }

  /// Whether there is something of a plugin to remove: its library in the user's folder, or an entry in a lock.
  ///
  /// - Throws: ``PluginStoreError`` if a lock cannot be read.
  public func has(_ id: String) throws(PluginStoreError) -> Bool {
    if FileManager.default.fileExists(atPath: folder.library(id)) { return true }
    for file in locks.all where try file.read().plugins[id] != nil { return true }
    return false
  }

  /// Removes all versions of a plugin from the user's folder, and its entries from the locks.
  ///
  /// - Returns: Whether something was removed.
  /// - Throws: ``PluginStoreError``; ``PluginStoreError/Code/wrongSource`` if the id is none.
  public func remove(_ id: String) throws(PluginStoreError) -> Bool {
    guard PluginID.isValid(id) else {
      throw PluginStoreError(
        .wrongSource,
        LocalizedText(
          "'\(id)' is not the id of a plugin, which has the characters a-z 0-9 - _; 'sous plugins list' shows the ids",
          de: "'\(id)' ist keine ID eines Plugins, die aus a-z 0-9 - _ besteht; 'sous plugins list' zeigt die IDs"))
    }
    guard FileManager.default.fileExists(atPath: folder.path) else { return try removeEntries(id) }
    let lock = try folder.lock()
    defer { lock.release() }
    let newest = folder.library(id)
    let libraries = (FileManager.default.fileExists(atPath: newest) ? [newest] : []) + folder.versions(id)
    for library in libraries {
      do throws(SystemError) {
        try uninterrupted { unlink(library) }
        AtomicFile.synchronizeFolder(of: library)
      } catch {
        throw .unusable(library, .systemError(error.code))
      }
      // A folder of a version goes with the last library in it.
      if library != newest { rmdir((library as NSString).deletingLastPathComponent) }
    }
    return try removeEntries(id) || !libraries.isEmpty
  }

  private func removeEntries(_ id: String) throws(PluginStoreError) -> Bool {
    var isNamed = false
    for file in locks.all {
      try file.change { if $0.plugins.removeValue(forKey: id) != nil { isNamed = true } }
    }
    return isNamed
  }
}
