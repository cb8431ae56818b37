public import Expressions
public import Localization

/// Completion and hover for a text that no editor holds open, for clients of other protocols.
///
/// Each answer depends on the arguments alone. Texts are plain; offsets count UTF-8 bytes from 0.
public struct TextAssistance: Sendable {
  private let surroundings: LanguageSession.Surroundings
  private let path: String
  private let language: Language

  /// Creates it for one file.
  ///
  /// - Parameters:
  ///   - surroundings: Its access to files and configuration.
  ///   - path: The absolute path that the text has or will have; paths in it are relative to its folder.
  ///   - language: The language of all texts.
  public init(_ surroundings: LanguageSession.Surroundings, path: String, language: Language) {
    (self.surroundings, self.path, self.language) = (surroundings, path, language)
  }

  /// The completions for the word before an offset, those that begin with it first.
  ///
  /// - Parameters:
  ///   - offset: The place of the cursor. One in the middle of a character counts as the beginning of the character.
  ///   - limit: The most completions.
  /// - Returns: `{label, kind, detail, documentation, insert, from, to}` each: the bytes from `from` to `to` become `insert`;
  ///   whether these are all.
  public func completion(of text: String, at offset: Int, limit: Int) -> (items: [Value], isComplete: Bool) {
    guard let (features, offset) = place(text, offset) else { return ([], true) }
    var found: [(rank: Int, order: String, item: Value)] = []
    for item in features.completion(at: offset) {
      guard let range = range(item["textEdit"]?["range"], features.buffer), range.lowerBound <= offset else { continue }
      let word = features.buffer.text(range.lowerBound..<min(offset, range.upperBound)).lowercased()
      let label = item["label"]?.stringValue ?? ""
      let name = label.lowercased()
      guard word.isEmpty || name.contains(word) else { continue }
      found.append(
        (word.isEmpty || name.hasPrefix(word) ? 0 : 1, item["sortText"]?.stringValue ?? label, answer(item, range)))
    }
    found.sort { ($0.rank, $0.order) < ($1.rank, $1.order) }
    return (found.prefix(max(0, limit)).map(\.item), found.count <= limit)
  }

  /// The explanation of the name or value at an offset: `{text, from, to}`; `nil` if there is none.
  public func hover(of text: String, at offset: Int) -> Value? {
    guard let (features, offset) = place(text, offset) else { return nil }
    let answer = features.hover(at: offset)
    guard let text = answer["contents"]?.stringValue, let range = range(answer["range"], features.buffer) else {
      return nil
    }
    return [
      "text": .string(text), "from": .int(Int64(range.lowerBound)), "to": .int(Int64(range.upperBound)),
    ]
  }

  // MARK: Places

  private func place(_ text: String, _ offset: Int) -> (features: DocumentFeatures, offset: Int)? {
    var session = LanguageSession(surroundings, language: language)
    session.encoding = .utf8
    let document = OpenDocument(uri: FileAddress.uri(of: path), path: path, version: nil, text: text)
    session.documents[document.uri] = document
    guard let features = session.features(document) else { return nil }
    let bytes = features.buffer.bytes
    var start = min(max(0, offset), bytes.count)
    while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return (features, start)
  }

  /// A range of the protocol as offsets.
  private func range(_ range: Value?, _ buffer: TextBuffer) -> Range<Int>? {
    func offset(_ position: Value?) -> Int? {
      guard let line = position?["line"]?.intValue, let character = position?["character"]?.intValue else { return nil }
      return buffer.offset(line: Int(clamping: line), character: Int(clamping: character), .utf8)
    }
    guard let start = offset(range?["start"]), let end = offset(range?["end"]), start <= end else { return nil }
    return start..<end
  }

  private func answer(_ item: Value, _ range: Range<Int>) -> Value {
    let kind = item["kind"]?.intValue.flatMap { DocumentFeatures.CompletionKind(rawValue: $0) }
    let documentation = item["documentation"]?.stringValue ?? ""
    return [
      "label": item["label"] ?? "", "kind": .string(kind?.word ?? "value"), "detail": item["detail"] ?? "",
      "documentation": .string(String(documentation.prefix(Self.longestDocumentation))),
      "insert": item["textEdit"]?["newText"] ?? "", "from": .int(Int64(range.lowerBound)),
      "to": .int(Int64(range.upperBound)),
    ]
  }

  /// Characters of an explanation in a list of completions.
  private static let longestDocumentation = 1000
}

extension DocumentFeatures.CompletionKind {
  /// The name for clients of other protocols.
  fileprivate var word: String {
    switch self {
    case .method, .function: "function"
    case .field, .property: "key"
    case .variable: "variable"
    case .module: "provider"
    case .value: "value"
    case .enumMember: "choice"
    case .reference: "step"
    case .file: "file"
    case .event: "event"
    }
  }
}
