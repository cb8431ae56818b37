import Foundation
import Hashing
import Localization
import Networking
import OperatingSystem
import PluginBoundary
import PluginHost

extension PluginInstaller {
  /// Checks the bytes of a file that was fetched, and takes the library out of it.
  ///
  /// - Parameters:
  ///   - staging: The hidden folder.
  ///   - copy: The file in it.
  ///   - name: The name of the file, which names a bare library.
  ///   - source: The source as the lock records it.
  ///   - index: The index that named the source.
  ///   - signature: The text of the signature, and the place that it should be at.
  ///   - entry: The entry of the index.
  func finish(
    _ staging: StagedPlugin.Staging, _ copy: String, name: String, _ source: String, _ index: String?,
    _ demands: Demands, _ signature: (text: String?, place: String), _ entry: PluginIndex.Entry?
  ) throws(PluginStoreError) -> StagedPlugin {
    guard let digest = PluginSearchPath.digest(ofLibraryAt: copy) else { throw .unusable(copy, .systemError(EIO)) }
    if let wanted = demands.sha256, wanted != digest { throw Self.wrongDigest(source, wanted: wanted, found: digest) }
    if let key = demands.key {
      guard let text = signature.text else { throw Self.unsigned(source, signature.place, key) }
      try DetachedSignature(text, from: signature.place).verify(fileAt: copy, by: key, limit: Self.longest)
    }
    let (id, library, manifest) = try unpack(copy, name: name, source: source, into: staging.path)
    if let entry, entry.id != id {
      throw Self.differs(
        LocalizedText(
          "\(source) contains the plugin '\(id)', but the index calls it '\(entry.id)'",
          de: "\(source) enthält das Plugin '\(id)', aber der Index nennt es '\(entry.id)'"))
    }
    try checkSigner(id, demands.key)
    guard let own = PluginSearchPath.digest(ofLibraryAt: library) else { throw .unusable(library, .systemError(EIO)) }
    if let wanted = demands.library, wanted != own { throw Self.wrongDigest(source, wanted: wanted, found: own) }
    return StagedPlugin(
      id: id, source: source, index: index, signer: demands.key, sha256: own,
      announcedVersion: entry?.version ?? manifest.map { PluginVersion($0.version) },
      announced: entry?.permissions ?? manifest.map(PluginPermissions.init), library: library, staging: staging)
  }

  private func unpack(
    _ copy: String, name: String, source: String, into folder: String
  ) throws(PluginStoreError) -> (id: String, library: String, manifest: PluginManifest?) {
    guard let kind = try PluginArchive.Kind(fileAt: copy) else {
      throw PluginStoreError(
        .wrongSource,
        LocalizedText(
          "\(source) is neither a library (ELF) nor an archive (.tar.gz, .tar.xz) of a plugin",
          de: "\(source) ist weder eine Bibliothek (ELF) noch ein Archiv (.tar.gz, .tar.xz) eines Plugins"))
    }
    guard kind == .library else {
      let contents = try PluginArchive(path: copy, kind: kind, environment: environment).unpack(into: folder)
      do throws(PluginError) {
        return (
          contents.id, contents.library, try PluginManifest(json: contents.manifest, path: contents.library)
        )
      } catch {
        throw PluginStoreError(.badArchive, error.message)
      }
    }
    guard let id = PluginID.ofLibrary(at: name) else {
      throw PluginStoreError(
        .wrongSource,
        LocalizedText(
          "a library is named lib<id>.so, with an id of a-z 0-9 - _; '\(name)' is not",
          de: "eine Bibliothek heißt lib<id>.so, mit einer ID aus a-z 0-9 - _; '\(name)' heißt anders"))
    }
    let library = folder + "/lib\(id).so"
    do throws(SystemError) {
      try AtomicFile.rename(copy, to: library)
    } catch {
      throw .unusable(library, .systemError(error.code))
    }
    return (id, library, nil)
  }

  // MARK: - Files

  func fetch(
    _ url: String, to path: String, limit: Int = PluginInstaller.longest, own: [String]
  ) async throws(PluginStoreError) {
    guard try await download.fetch(url, to: path, limit: limit, own: own) else {
      throw PluginStoreError(
        .download,
        LocalizedText(
          "the server has no file \(SourceURL(url).shown)",
          de: "der Server hat keine Datei \(SourceURL(url).shown)"))
    }
  }

  /// The place of an entry: a URL, or a path of this machine if the index is a file.
  func place(of entry: PluginIndex.Entry, in index: PluginIndexSource) throws(PluginStoreError) -> String {
    if entry.url.contains("://") { return entry.url }
    guard index.isURL else {
      if entry.url.hasPrefix("/") { return entry.url }
      let folder = (index.location as NSString).deletingLastPathComponent
      return folder.isEmpty ? entry.url : folder + "/" + entry.url
    }
    do throws(NetworkError) {
      return try TransportSafety.resolve(entry.url, in: index.location)
    } catch {
      throw PluginStoreError(
        .badIndex, LocalizedText(verbatim: "\(index.shown): \(SourceURL(entry.url).shown): ") + error.message)
    }
  }

  /// Copies a file up to the limit. A FIFO or device is refused: it may never end.
  func copyFile(_ path: String, to copy: String) throws(PluginStoreError) {
    var problem: SystemError?
    do throws(SystemError) {
      let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
      let status = try file.status
      guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL) }
      guard status.st_size <= Self.longest else { throw SystemError(EFBIG) }
      let target = try Descriptor(opening: copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
      try file.readPieces { piece in
        do throws(SystemError) { try target.write(Array(piece)) } catch { problem = error }
        return problem == nil
      }
    } catch {
      problem = error
    }
    if let problem { throw .unusable(path, .systemError(problem.code)) }
  }

  func signatureText(besideFile path: String) throws(PluginStoreError) -> String? {
    do throws(SystemError) {
      let file = try Descriptor(opening: path + ".minisig", O_RDONLY)
      return String(decoding: try file.readAll(limit: DetachedSignature.longest + 1), as: UTF8.self)
    } catch {
      if error.code == ENOENT { return nil }
      throw .unusable(path + ".minisig", .systemError(error.code))
    }
  }

  func signatureText(beside url: SourceURL, _ staging: StagedPlugin.Staging) async throws(PluginStoreError) -> String? {
    let copy = staging.path + "/signature"
    guard try await download.fetch(url.signature, to: copy, limit: DetachedSignature.longest, own: [url.text]) else {
      return nil
    }
    guard let bytes = try? Descriptor(opening: copy, O_RDONLY).readAll(limit: DetachedSignature.longest) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
  }

  // MARK: - Errors

  private static func wrongDigest(_ source: String, wanted: String, found: String) -> PluginStoreError {
    PluginStoreError(
      .wrongDigest,
      LocalizedText(
        "\(source) has the SHA-256 \(found), but \(wanted) is expected: the file was changed or damaged. Nothing was installed",
        de:
          "\(source) hat die SHA-256 \(found), erwartet wird aber \(wanted): Die Datei wurde verändert oder beschädigt. Nichts "
          + "wurde installiert"))
  }

  private static func unsigned(_ source: String, _ place: String, _ key: SignatureKey) -> PluginStoreError {
    PluginStoreError(
      .wrongSignature,
      LocalizedText(
        "\(source) has no signature (\(place)), but one of the key \(key.name) is demanded. Nothing was installed",
        de: "\(source) hat keine Signatur (\(place)), verlangt wird aber eine des Schlüssels \(key.name). Nichts wurde "
          + "installiert"))
  }

  static func differs(_ reason: LocalizedText) -> PluginStoreError {
    PluginStoreError(
      .differs,
      reason
        + LocalizedText(
          ". Nothing was installed; report it to the author", de: ". Nichts wurde installiert; dem Autor melden"))
  }
}
