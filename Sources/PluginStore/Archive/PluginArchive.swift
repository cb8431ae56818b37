import Expressions
import Foundation
import Localization
import OperatingSystem
import PluginBoundary

/// The archive of a plugin: a tar with one `lib<id>.so` and one `manifest.json`, compressed by gzip or xz.
///
/// Other files, such as a licence, are ignored. No file is written under a name of the archive.
struct PluginArchive: Sendable {
  /// A kind of file that can be installed, by its first bytes.
  enum Kind: Sendable, Equatable {
    /// An ELF library.
    case library
    case gzip
    case xz

    /// The kind of a file; `nil` for any other contents.
    init?(fileAt path: String) throws(PluginStoreError) {
      let start: [UInt8]
      do throws(SystemError) {
        start = try Descriptor(opening: path, O_RDONLY).readAll(limit: 6)
      } catch {
        throw .unusable(path, .systemError(error.code))
      }
      if start.starts(with: [0x7F, 0x45, 0x4C, 0x46]) {
        self = .library
      } else if start.starts(with: [0x1F, 0x8B]) {
        self = .gzip
      } else if start.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) {
        self = .xz
      } else {
        return nil
      }
    }
  }

  /// The contents that count.
  struct Contents: Sendable {
    var id: String
    /// The path of the library that was written.
    var library: String
    /// The contents of `manifest.json`.
    var manifest: [UInt8]
  }

  let path: String
  let kind: Kind
  /// The environment for the program that decompresses.
  let environment: [String: String]

  /// The largest `manifest.json` in bytes.
  private static let longestManifest = 4 << 20

  /// Unpacks library and manifest. Blocks the calling thread; needs `gzip` or `xz`.
  ///
  /// - Parameters:
  ///   - folder: An empty folder for the library.
  ///   - limits: The limits of the archive.
  /// - Throws: ``PluginStoreError``; the caller removes the folder.
  func unpack(into folder: String, limits: TarReader.Limits = .init()) throws(PluginStoreError) -> Contents {
    // The memory that xz may use keeps an archive from asking for gigabytes of dictionary.
    let arguments = kind == .xz ? ["xz", "--decompress", "--stdout", "--memlimit-decompress=256MiB"] : ["gzip", "-dc"]
    let tool = ToolProcess(arguments: arguments, environment: environment, input: path)
    var reader = TarReader(limits: limits)
    var collector = Collector(folder: folder, longestManifest: Self.longestManifest)
    var total = 0
    let ending = try tool.run { piece throws(PluginStoreError) in
      total += piece.count
      // Headers and padding take room too. An archive that unpacks to more is refused.
      guard total <= limits.bytes + (64 << 20) else {
        throw TarReader.damaged(LocalizedText("it unpacks to too many bytes", de: "es enthält zu viele Bytes"))
      }
      for event in try reader.take(piece) { try collector.take(event) }
    }
    guard ending.status == 0 else {
      let words = ending.words.split(whereSeparator: \.isNewline).last.map { String($0.prefix(200)) } ?? ""
      throw TarReader.damaged(
        LocalizedText("it is damaged (\(words))", de: "es ist beschädigt (\(words))"))
    }
    guard reader.isComplete else {
      throw TarReader.damaged(LocalizedText("it is cut off", de: "es ist abgeschnitten"))
    }
    return try collector.finish()
  }

  /// Writes the library and keeps the manifest.
  private struct Collector {
    private enum Target {
      case library(Descriptor)
      case manifest
      case other
    }

    let folder: String
    let longestManifest: Int
    private var target = Target.other
    private var library: (id: String, path: String)?
    private var manifest: [UInt8]?

    init(folder: String, longestManifest: Int) { (self.folder, self.longestManifest) = (folder, longestManifest) }

    mutating func take(_ event: TarReader.Event) throws(PluginStoreError) {
      switch event {
      case .file(let name, let size): target = try begin(name.split(separator: "/").last.map(String.init) ?? name, size)
      case .data(let bytes):
        switch target {
        case .library(let file):
          do throws(SystemError) {
            try file.write(Array(bytes))
          } catch {
            throw .unusable(folder, .systemError(error.code))
          }
        case .manifest: manifest?.append(contentsOf: bytes)
        case .other: break
        }
      case .end: target = .other
      }
    }

    private mutating func begin(_ name: String, _ size: Int) throws(PluginStoreError) -> Target {
      if name == "manifest.json" {
        guard manifest == nil else {
          throw TarReader.damaged(
            LocalizedText("it has two files manifest.json", de: "es hat zwei Dateien manifest.json"))
        }
        guard size <= longestManifest else {
          throw TarReader.damaged(LocalizedText("manifest.json is too large", de: "manifest.json ist zu groß"))
        }
        manifest = []
        return .manifest
      }
      guard let id = PluginID.ofLibrary(at: name) else { return .other }
      if let library {
        throw TarReader.damaged(
          LocalizedText(
            "it has two libraries, lib\(library.id).so and \(name)",
            de: "es hat zwei Bibliotheken, lib\(library.id).so und "
              + name))
      }
      let path = folder + "/" + name
      library = (id, path)
      do throws(SystemError) {
        return .library(try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600))
      } catch {
        throw .unusable(path, .systemError(error.code))
      }
    }

    func finish() throws(PluginStoreError) -> Contents {
      guard let library else {
        throw TarReader.damaged(
          LocalizedText("it has no library 'lib<id>.so'", de: "es hat keine Bibliothek 'lib<id>.so'"))
      }
      guard let manifest else {
        throw TarReader.damaged(
          LocalizedText(
            "it has no 'manifest.json'; its author makes one with 'sous plugins pack'",
            de: "es hat keine 'manifest.json'; der Autor legt sie mit 'sous plugins pack' an"))
      }
      return Contents(id: library.id, library: library.path, manifest: manifest)
    }
  }
}
