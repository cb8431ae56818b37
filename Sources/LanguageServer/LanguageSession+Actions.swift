import Expressions
import Localization
import Plans
import RecipeSyntax

extension LanguageSession {
  /// The changes that mend what is wrong in a part of a document.
  func codeActions(_ document: OpenDocument, _ parameters: Value) -> Value {
    let wanted = parameters["context"]?["only"]?.listValue?.compactMap(\.stringValue)
    // A kind represents those below it: `quickfix` for `quickfix.sous`, and nothing for all.
    guard takesActions, wanted?.contains(where: { $0.isEmpty || $0 == "quickfix" }) ?? true else { return .list([]) }
    guard let start = offset(parameters["range"]?["start"], in: document.buffer),
      let end = offset(parameters["range"]?["end"], in: document.buffer)
    else { return .list([]) }
    let found = (findings[document.uri] ?? []).filter { finding in
      guard let range = finding.range, finding.suggestion != nil else { return false }
      return range.start.offset <= max(start, end) && start <= range.end.offset
    }
    return .list(found.compactMap { action($0, document) })
  }

  private func action(_ diagnostic: Diagnostic, _ document: OpenDocument) -> Value? {
    guard let place = diagnostic.range, let suggestion = diagnostic.suggestion else { return nil }
    let range = place.start.offset..<max(place.start.offset, place.end.offset)
    guard range.upperBound <= document.buffer.bytes.count else { return nil }
    let text = Self.replacement(suggestion, for: document.buffer.text(range))
    let title =
      diagnostic.code == .unquotedTemplate
      ? LocalizedText("Put the value in quotes", de: "Den Wert in Anführungszeichen setzen")
      : LocalizedText("Change to '\(suggestion)'", de: "In '\(suggestion)' ändern")
    let edit: Value = ["range": DocumentFeatures.range(range, in: document.buffer, encoding), "newText": .string(text)]
    return [
      "title": .string(title.string(in: language)), "kind": "quickfix", "isPreferred": true,
      "diagnostics": [value(diagnostic, document)], "edit": edits([edit], in: document),
    ]
  }

  /// A quoted text keeps its quotes.
  private static func replacement(_ suggestion: String, for text: String) -> String {
    guard let quote = text.first, quote == "\"" || quote == "'", text.count >= 2, text.last == quote,
      suggestion.first != quote, !suggestion.contains(quote)
    else { return suggestion }
    return "\(quote)\(suggestion)\(quote)"
  }

  /// Edits of one document as the client takes them.
  func edits(_ edits: [Value], in document: OpenDocument) -> Value {
    guard takesVersionedEdits else { return ["changes": [document.uri: .list(edits)]] }
    return [
      "documentChanges": [
        [
          "textDocument": ["uri": .string(document.uri), "version": document.version.map { .int($0) } ?? .null],
          "edits": .list(edits),
        ]
      ]
    ]
  }
}
