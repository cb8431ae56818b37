import Foundation
import Localization
import PluginBoundary

/// The build of a plugin in its source folder: a Swift package, or a Makefile.
public struct PluginBuild: Sendable {
  /// The folder.
  public let folder: String
  /// The program that builds, with its arguments; `nil` if the folder only has a built library.
  public let command: [String]?
  private let isRelease: Bool

  /// Looks at a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - isRelease: Whether a Swift package is optimised.
  public init(folder: String, isRelease: Bool) {
    self.folder = folder
    self.isRelease = isRelease
    if FileManager.default.fileExists(atPath: folder + "/Package.swift") {
      command = ["swift", "build"] + (isRelease ? ["-c", "release"] : [])
    } else if ["Makefile", "makefile", "GNUmakefile"].contains(where: {
      FileManager.default.fileExists(atPath: folder + "/" + $0)
    }) {
      command = ["make"]
    } else {
      command = nil
    }
  }

  /// Builds, if there is something to build. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - environment: The environment of the build.
  ///   - report: Gets the output of the build as text, in pieces.
  /// - Returns: The library.
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/program`` if the build fails,
  ///   ``PluginStoreError/Code/wrongSource`` if the folder has no library or several.
  public func run(
    environment: [String: String], report: (String) -> Void
  ) throws(PluginStoreError) -> String {
    if let command {
      let tool = ToolProcess(arguments: command, folder: folder, environment: environment)
      var words: [UInt8] = []
      let ending = try tool.run(joinsErrors: true) { piece throws(PluginStoreError) in
        words += piece
        if words.count > 64 << 10 { words.removeFirst(words.count - (32 << 10)) }
        report(String(decoding: piece, as: UTF8.self))
      }
      guard ending.status == 0 else {
        let text = command.joined(separator: " ")
        let last = String(decoding: words.suffix(2000), as: UTF8.self).split(whereSeparator: \.isNewline).suffix(12)
        throw PluginStoreError(
          .program,
          LocalizedText(
            "'\(text)' in \(folder) failed with status \(ending.status); correct the build and try again:\n",
            de:
              "'\(text)' in \(folder) schlug mit Status \(ending.status) fehl; den Build berichtigen und erneut versuchen:\n"
          )
            + LocalizedText(verbatim: last.joined(separator: "\n")))
      }
    }
    return try library()
  }

  /// The one library in the folders that builds write to.
  private func library() throws(PluginStoreError) -> String {
    let configurations = isRelease ? [".build/release", ".build/debug"] : [".build/debug", ".build/release"]
    for place in configurations + ["build", ""] {
      let path = place.isEmpty ? folder : folder + "/" + place
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
        .filter { PluginID.ofLibrary(at: $0) != nil }.sorted()
      if names.count > 1 {
        throw PluginStoreError(
          .wrongSource,
          LocalizedText(
            "\(path) has several libraries (\(names.joined(separator: ", "))); give the file of one of them",
            de: "\(path) hat mehrere Bibliotheken (\(names.joined(separator: ", "))); eine davon als Datei angeben")
        )
      }
      if let name = names.first { return path + "/" + name }
    }
    throw PluginStoreError(
      .wrongSource,
      LocalizedText(
        "\(folder) has no Package.swift, no Makefile and no library lib<id>.so; 'sous plugins new' creates a plugin",
        de:
          "\(folder) hat keine Package.swift, kein Makefile und keine Bibliothek lib<id>.so; 'sous plugins new' legt ein "
          + "Plugin an"))
  }
}
