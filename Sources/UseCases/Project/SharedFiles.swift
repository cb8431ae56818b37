public import Foundation

/// Files that come with the program. An installed program has them in `share/sous`; a program in a folder of a build uses those
/// of the sources around it.
public enum SharedFiles: Sendable, CaseIterable {
  /// The kit that plugins are built with.
  case kit
  /// The pages of documentation.
  case pages
  /// The recipes that new ones can begin from.
  case templates
  /// A Maildir with example messages.
  case mailbox

  /// The folder below `PREFIX/share/sous`, the one in the sources, and a file or folder that is in both.
  private var places: (installed: String, source: String, mark: String) {
    switch self {
    case .kit: ("PluginKit", "plugins/PluginKit", "Templates")
    case .pages: ("doc", "docs", "getting-started.md")
    case .templates: ("templates", "workflows", "inbox-digest.yaml")
    case .mailbox: ("mailbox", "examples/mailbox", "cur")
    }
  }

  /// The folder that has the files; `nil` if none is found.
  public func folder(executable: String = SharedFiles.executable) -> URL? {
    let places = places
    func isIt(_ folder: URL) -> Bool {
      FileManager.default.fileExists(atPath: folder.appending(path: places.mark).path(percentEncoded: false))
    }
    var folder = URL(filePath: executable).resolvingSymlinksInPath().deletingLastPathComponent()
    let installed = folder.appending(path: "../share/sous/" + places.installed).standardizedFileURL
    if isIt(installed) { return installed }
    while folder.path(percentEncoded: false) != "/" {
      folder = folder.deletingLastPathComponent().standardizedFileURL
      let source = folder.appending(path: places.source)
      if isIt(source) { return source }
    }
    return nil
  }

  /// The executable of this process.
  public static var executable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  }
}
