/// A file that goes along with a question: as text, or as a picture.
struct ChatFile {
  /// The file's name without its folder.
  let name: String
  /// The content as text; empty for a picture.
  let text: String
  /// The picture as a `data:` URL; `nil` for a text.
  let picture: String?

  /// Reads a file as inputs of recipes are read.
  ///
  /// - Throws: ``CommandError`` where it cannot be read, is too large, or is neither text nor a picture.
  init(_ path: String) async throws(CommandError) {
    name = path.split(separator: "/").last.map(String.init) ?? path
    let read = try await InputFiles.text(of: path)
    picture = read.hasPrefix("data:image/") ? read : nil
    text = picture == nil ? read : ""
  }

  /// The files' texts, each under its name, behind what is to be worked on anyway.
  static func text(of files: [ChatFile], after input: String) -> String {
    let parts = files.filter { $0.picture == nil }.map { "--- \($0.name) ---\n\($0.text)" }
    return (input.isEmpty ? parts : [input] + parts).joined(separator: "\n\n")
  }
}
