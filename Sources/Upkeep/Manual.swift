public import Foundation
public import UseCases

/// The pages of documentation that come with the program.
public enum Manual {
  /// A page.
  public struct Page: Sendable, Equatable {
    /// The name without `.md`: `scheduled-mail`.
    public let name: String
    /// The first heading.
    public let title: String
    /// The whole text, in Markdown.
    public let text: String
    /// The file.
    public let path: String
  }

  /// All pages by name. A page that exists in German too is returned in German if `isGerman`.
  ///
  /// - Returns: No page if none is installed.
  public static func pages(isGerman: Bool, in folder: URL? = SharedFiles.pages.folder()) -> [Page] {
    guard let folder else { return [] }
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().compactMap { file in
      let german = folder.appending(path: "de/" + file)
      let isThere = isGerman && files.fileExists(atPath: german.path(percentEncoded: false))
      let path = isThere ? german : folder.appending(path: file)
      guard let data = try? Data(contentsOf: path) else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      let heading = text.split(separator: "\n").first { $0.hasPrefix("# ") }?.dropFirst(2)
      let name = String(file.dropLast(3))
      return Page(
        name: name, title: heading.map(String.init) ?? name, text: text, path: path.path(percentEncoded: false))
    }
  }

  /// The pages for a word: the page of that name; else those with the word in a heading; else those with the word anywhere.
  public static func pages(for word: String, among pages: [Page]) -> [Page] {
    let wanted = word.lowercased()
    let name = wanted.split(separator: "/").last.map(String.init) ?? wanted
    if let page = pages.first(where: { $0.name == name || $0.name + ".md" == name }) { return [page] }
    let headed = pages.filter { page in
      page.text.split(separator: "\n").contains { $0.hasPrefix("#") && $0.lowercased().contains(wanted) }
    }
    return headed.isEmpty ? pages.filter { $0.text.lowercased().contains(wanted) } : headed
  }
}
