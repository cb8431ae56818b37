public import Foundation
import Localization
public import UseCases

/// A new plugin in a folder of its own: the files of a template with the names filled in, and a copy of the kit.
public struct PluginScaffold: Sendable {
  /// What a plugin is written in; each has a template.
  public enum Language: String, CaseIterable, Sendable {
    /// Swift, with the kit.
    case swift
    /// C, with its header.
    case c
  }

  let name: String
  let language: Language

  /// Prepares a plugin.
  ///
  /// - Throws: ``UseCaseError`` where the name is no id of a plugin, or is taken.
  public init(name: String, language: Language) throws(UseCaseError) {
    let isName =
      (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
      } && name.utf8.first != 0x2D && name.utf8.first != 0x5F
    guard isName else { throw .invalidPluginName(name) }
    // One that comes with Sous would be shadowed, and actions that begin like others be mistaken for them.
    guard !ReservedWords.ofPlugins.contains(name) else { throw .takenPluginName(name) }
    self.name = name
    self.language = language
  }

  /// The name as that of a Swift type: `my-weather` is `MyWeather`.
  var typeName: String {
    let words = name.split { $0 == "-" || $0 == "_" }
    let joined = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return joined.first?.isNumber == true ? "Plugin" + joined : joined
  }

  /// The folder of the kit: beside the installed program, or in the sources that it was built from.
  public static func kitFolder(executable: String = SharedFiles.executable) -> URL? {
    SharedFiles.kit.folder(executable: executable)
  }

  /// Writes the plugin into a new folder.
  ///
  /// - Parameters:
  ///   - folder: The folder; it is made, and may be there only if it is empty.
  ///   - kit: Where the kit lies.
  ///   - version: The version of this program, which the copy of the kit is marked with.
  /// - Returns: The files, relative to the folder, those of the kit left out.
  /// - Throws: ``UseCaseError``; what was written by then is taken away again.
  public func write(to folder: URL, kit: URL?, version: String) throws(UseCaseError) -> [String] {
    guard let kit else { throw .kitMissing }
    let files = FileManager.default
    let existed = files.fileExists(atPath: folder.path(percentEncoded: false))
    if existed {
      guard let content = try? files.contentsOfDirectory(atPath: folder.path(percentEncoded: false)), content.isEmpty
      else {
        throw .occupiedFolder(folder.relativePath)
      }
    }
    do throws(UseCaseError) {
      let written = try fill(kit.appending(path: "Templates/\(language.rawValue)"), into: folder)
      try PluginScaffold.copyKit(kit, into: folder, language: language, version: version)
      return written
    } catch {
      // Nothing was there before, so all that is there now is ours.
      if existed {
        for name in (try? files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? [] {
          try? files.removeItem(at: folder.appending(path: name))
        }
      } else {
        try? files.removeItem(at: folder)
      }
      throw error
    }
  }

  private func fill(_ template: URL, into folder: URL) throws(UseCaseError) -> [String] {
    let files = FileManager.default
    guard let paths = try? files.subpathsOfDirectory(atPath: template.path(percentEncoded: false)), !paths.isEmpty
    else { throw .kitMissing }
    var written: [String] = []
    for path in paths.sorted() where path.hasSuffix(".in") {
      let target = filled(String(path.dropLast(3))).replacingOccurrences(of: "dot-", with: ".")
      let file = folder.appending(path: target)
      do {
        let text = try String(contentsOf: template.appending(path: path), encoding: .utf8)
        try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(filled(text).utf8).write(to: file, options: .withoutOverwriting)
      } catch {
        throw .unwritableFolder(file.relativePath, error.localizedDescription)
      }
      written.append(target)
    }
    return written
  }

  private func filled(_ text: String) -> String {
    text.replacingOccurrences(of: "__ID__", with: name).replacingOccurrences(of: "__TYPE__", with: typeName)
  }

  /// What the copy of the kit in a plugin's folder is.
  public static func language(of folder: URL) -> Language? {
    let files = FileManager.default
    if files.fileExists(atPath: folder.appending(path: "Vendor/PluginKit").path(percentEncoded: false)) {
      return .swift
    }
    return files.fileExists(atPath: folder.appending(path: "include/sous_plugin.h").path(percentEncoded: false))
      ? .c : nil
  }

  /// Copies the kit, or in C the header, in place of what is there.
  public static func copyKit(_ kit: URL, into folder: URL, language: Language, version: String) throws(UseCaseError) {
    let files = FileManager.default
    do {
      switch language {
      case .c:
        let target = folder.appending(path: "include/sous_plugin.h")
        let header = try Data(contentsOf: kit.appending(path: "Sources/CPluginABI/include/sous_plugin.h"))
        try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try header.write(to: target, options: .atomic)
      case .swift:
        let target = folder.appending(path: "Vendor/PluginKit")
        let fresh = folder.appending(path: "Vendor/.PluginKit-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? files.removeItem(at: fresh) }
        try files.createDirectory(at: fresh, withIntermediateDirectories: true)
        for name in ["Package.swift", "Sources"] {
          try files.copyItem(at: kit.appending(path: name), to: fresh.appending(path: name))
        }
        try Data("\(version)\n".utf8).write(to: fresh.appending(path: "VERSION"))
        if files.fileExists(atPath: target.path(percentEncoded: false)) { try files.removeItem(at: target) }
        try files.moveItem(at: fresh, to: target)
      }
    } catch {
      throw .unwritableFolder(folder.relativePath, error.localizedDescription)
    }
  }
}

extension UseCaseError {
  fileprivate static func invalidPluginName(_ name: String) -> UseCaseError {
    .wrongInput(
      .init(
        "'\(name)' is no name for a plugin: it takes 1 to 64 of a-z 0-9 - _, and begins with a letter or digit",
        de:
          "'\(name)' ist kein Name für ein Plugin: er besteht aus 1 bis 64 Zeichen a-z 0-9 - _ und beginnt mit "
          + "Buchstabe oder Ziffer"))
  }

  fileprivate static func takenPluginName(_ name: String) -> UseCaseError {
    .wrongInput(
      .init(
        "'\(name)' is taken: it names a plugin that comes with Sous, a contract, or built-in actions; take another, "
          + "'my-\(name)' for instance",
        de: "'\(name)' ist vergeben: so heißt ein Plugin, das mit Sous kommt, ein Vertrag oder eingebaute Aktionen; "
          + "einen anderen nehmen, etwa 'my-\(name)'"))
  }

  fileprivate static func occupiedFolder(_ path: String) -> UseCaseError {
    .wrongInput(
      .init(
        "\(path) exists already and is not empty; nothing was written. Name another folder with --directory",
        de: "\(path) gibt es schon, und es ist nicht leer; nichts wurde geschrieben. Anderen Ordner mit --directory "
          + "nennen"))
  }

  /// The kit for plugins is not where it belongs.
  public static var kitMissing: UseCaseError {
    .environment(
      .init(
        "the kit for plugins is not installed: it belongs to share/sous/PluginKit beside the program's bin folder "
          + "('make install' puts it there)",
        de: "das Plugin-Kit ist nicht installiert: es gehört nach share/sous/PluginKit neben dem bin-Ordner des "
          + "Programms ('make install' legt es dorthin)"))
  }

  fileprivate static func unwritableFolder(_ path: String, _ reason: String) -> UseCaseError {
    .environment(
      .init(
        "\(path) cannot be written: \(reason); nothing was kept",
        de: "\(path) lässt sich nicht schreiben: \(reason); nichts blieb zurück"))
  }
}
