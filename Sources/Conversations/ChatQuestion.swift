public import Expressions
public import RunStore

/// A file that goes along with a question: as text, or as a picture.
public struct ChatFile: Sendable {
  /// The file's name without its folder.
  public let name: String
  /// The content as text; empty for a picture.
  public let text: String
  /// The picture as a `data:` URL; `nil` for a text.
  public let picture: String?

  /// Creates a file.
  ///
  /// - Parameters:
  ///   - name: The name without a folder.
  ///   - content: The text of the file, or the `data:` URL of a picture, as `DocumentText` gives it.
  public init(name: String, content: String) {
    self.name = name
    picture = content.hasPrefix("data:image/") ? content : nil
    text = picture == nil ? content : ""
  }

  /// The files' texts, each under its name, behind another text.
  public static func text(of files: [ChatFile], after input: String) -> String {
    let parts = files.filter { $0.picture == nil }.map { "--- \($0.name) ---\n\($0.text)" }
    return (input.isEmpty ? parts : [input] + parts).joined(separator: "\n\n")
  }
}

/// The question of a person: the prompt, the text that it is about, pictures.
public struct ChatQuestion: Sendable {
  /// The prompt.
  public let words: String
  /// The text that the prompt is about.
  public let text: String
  /// Pictures as `data:` URLs.
  public let pictures: [String]
  /// The names of the files that go along.
  public let files: [String]

  /// Creates a question.
  ///
  /// - Parameters:
  ///   - words: The prompt.
  ///   - input: The text that the prompt is about.
  ///   - files: The files that go along.
  public init(_ words: String, input: String = "", files: [ChatFile] = []) {
    self.words = words
    text = ChatFile.text(of: files, after: input)
    pictures = files.compactMap(\.picture)
    self.files = files.map(\.name)
  }

  /// Whether it has neither a prompt nor a text.
  public var isEmpty: Bool { (words + text).allSatisfy(\.isWhitespace) }

  /// The turn that is kept.
  public func turn(at time: Timestamp) -> ChatTurnRecord {
    var turn = ChatTurnRecord(.user, [words, text].filter { !$0.isEmpty }.joined(separator: "\n\n"), at: time)
    turn.files = files
    return turn
  }
}
