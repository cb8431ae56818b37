public import Foundation
public import UseCases

/// The pages of documentation that come with the program: a page for each task, and the reference.
public enum Manual {
  /// A page.
  public struct Page: Sendable, Equatable {
    /// The name without folder and `.md`: `scheduled-mail`.
    public let name: String
    /// The first heading.
    public let title: String
    /// The whole text, in Markdown.
    public let text: String
    /// The file.
    public let path: String
    /// Whether it is about a task; other pages are the reference of a subject.
    public let isTask: Bool
    /// Whether the text is in German.
    public let isGerman: Bool
  }

  /// A section of a page, with the sections below it.
  public struct Section: Sendable, Equatable {
    /// The page that it is in.
    public let page: Page
    /// The heading without `#`.
    public let heading: String
    /// The text from the heading to the next heading of the same level, in Markdown.
    public let text: String
  }

  /// An answer to a question for a page.
  public enum Answer: Sendable, Equatable {
    /// One page.
    case page(Page)
    /// One section.
    case section(Section)
    /// Several sections that fit; one at least.
    case sections([Section])
    /// Several pages that fit; none if the word is unknown.
    case pages([Page])
  }

  /// All pages: those of tasks first, each group by name. A page that exists in German too is returned in German if `isGerman`.
  ///
  /// - Returns: No page if none is installed.
  public static func pages(isGerman: Bool, in folder: URL? = SharedFiles.pages.folder()) -> [Page] {
    guard let folder else { return [] }
    return ["tasks/", ""].flatMap { part in
      let names = Set(
        files(in: folder.appending(path: part)) + (isGerman ? files(in: folder.appending(path: "de/" + part)) : []))
      return names.sorted().compactMap { file -> Page? in
        let german =
          isGerman ? page(folder.appending(path: "de/" + part + file), isTask: !part.isEmpty, isGerman: true) : nil
        return german ?? page(folder.appending(path: part + file), isTask: !part.isEmpty, isGerman: false)
      }
    }
  }

  /// The pages of a folder. `README.md` is a list of pages for readers of the sources.
  private static func files(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
    return names.filter { $0.hasSuffix(".md") && $0 != "README.md" }
  }

  private static func page(_ file: URL, isTask: Bool, isGerman: Bool) -> Page? {
    guard let data = try? Data(contentsOf: file) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    let name = file.deletingPathExtension().lastPathComponent
    let heading = text.split(separator: "\n").first { $0.hasPrefix("# ") }?.dropFirst(2)
    return Page(
      name: name, title: heading.map(String.init) ?? name, text: text, path: file.path(percentEncoded: false),
      isTask: isTask, isGerman: isGerman)
  }

  /// The answer for a word: the page of that name or the page or section with that German word; else the sections with the word in
  /// their heading; else the pages with the word in a German word of theirs; else the pages with the word in their text.
  ///
  /// - Parameters:
  ///   - word: `mail`, `docs/mail.md`, `mail#react-to-mail` as in links, or any word. Case does not matter.
  ///   - pages: The pages, the preferred ones first.
  public static func answer(to word: String, among pages: [Page]) -> Answer {
    let wanted = word.lowercased()
    let parts = wanted.split(separator: "#", maxSplits: 1).map(String.init)
    let file = parts.first?.split(separator: "/").last.map(String.init) ?? wanted
    if let page = pages.first(where: { $0.name == file || $0.name + ".md" == file }) {
      guard parts.count == 2 else { return .page(page) }
      return sections(of: page).first { anchor(of: $0.heading) == parts[1] }.map(Answer.section) ?? .page(page)
    }
    // The title of a page is the page.
    if let page = pages.first(where: { $0.title.lowercased() == wanted }) { return .page(page) }
    if let target = target(ofGermanWord: wanted), let name = target.split(separator: "#").first,
      pages.contains(where: { $0.name == name })
    {
      return answer(to: target, among: pages)
    }
    let headed = pages.flatMap(sections(of:)).filter { $0.heading.lowercased().contains(wanted) }
    if let exact = headed.first(where: { $0.heading.lowercased() == wanted })
      ?? (headed.count == 1 ? headed.first : nil)
    {
      return .section(exact)
    }
    if !headed.isEmpty { return .sections(headed) }
    let titled = Self.pages(withGermanWord: wanted, among: pages)
    if !titled.isEmpty { return titled.count == 1 ? .page(titled[0]) : .pages(titled) }
    let mentioning = pages.filter { $0.text.lowercased().contains(wanted) }
    guard mentioning.count == 1, let page = mentioning.first else { return .pages(mentioning) }
    let places = sections(of: page).filter { $0.text.lowercased().contains(wanted) }
    // The innermost section comes last.
    return places.last.map(Answer.section) ?? .page(page)
  }

  /// The sections of a page in their order; the whole page is the first one.
  static func sections(of page: Page) -> [Section] {
    let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false)
    var isCode = false
    var headings: [(line: Int, level: Int, text: String)] = []
    for (number, line) in lines.enumerated() {
      if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
      let level = line.prefix { $0 == "#" }.count
      guard !isCode, level > 0, line.dropFirst(level).first == " " else { continue }
      headings.append((number, level, String(line.dropFirst(level + 1))))
    }
    return headings.enumerated().map { position, heading in
      let end = headings.dropFirst(position + 1).first { $0.level <= heading.level }?.line ?? lines.count
      var text = lines[heading.line..<end].joined(separator: "\n")
      while text.hasSuffix("\n") { text.removeLast() }
      return Section(page: page, heading: heading.text, text: text + "\n")
    }
  }

  /// The anchor of a heading in links, as GitHub makes it.
  static func anchor(of heading: String) -> String {
    String(heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }).replacing(" ", with: "-")
  }
}
