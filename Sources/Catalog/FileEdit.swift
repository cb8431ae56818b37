import Expressions
import Recipes

/// Changes a YAML file where it has to be changed and leaves the rest, comments too, as it stands.
struct FileEdit {
  /// A value that is to stand under a key; `nil` removes the key.
  typealias Change = (key: String, value: YAMLText.Item?)

  let file: CatalogFile

  /// The text of the file with other values for some of its keys.
  func setting(_ changes: [Change]) -> String {
    let text = file.document.source.text
    let ending = text.first(where: Self.isBreak).map { String($0) } ?? "\n"
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: Self.isBreak).map { String($0) }
    if lines.last == "" { lines.removeLast() }
    let entries = file.map.entries
    // A map in braces stands on lines that its keys share, and merged keys on none: such a file is written anew.
    if let first = entries.first, entries.contains(where: \.isMerged) || isFlow(first, lines) {
      return rewritten(changes, ending)
    }
    let margin = entries.first.map { max($0.nameRange.start.column - 1, 0) } ?? 0
    let starts = entries.map { $0.nameRange.start.line - 1 }
    let isInside = starts.allSatisfy { lines.indices.contains($0) }
    guard isInside, zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }) else {
      return rewritten(changes, ending)
    }
    var added: [String] = []
    for (key, value) in changes where file.map[key] == nil {
      added += value.map { Self.lines(key, $0, margin) } ?? []
    }
    let count = lines.count
    for (index, entry) in entries.enumerated().reversed() {
      guard let change = changes.first(where: { $0.key == entry.name }) else { continue }
      var end = index + 1 < entries.count ? starts[index + 1] : count
      // Comments and empty lines before the next key are that one's.
      while end > starts[index] + 1, lines[end - 1].allSatisfy({ $0 == " " }) || lines[end - 1].hasPrefix("#") {
        end -= 1
      }
      lines.replaceSubrange(starts[index]..<end, with: change.value.map { Self.lines(entry.name, $0, margin) } ?? [])
    }
    return (lines + added).map { $0 + ending }.joined()
  }

  /// Whether lines end here: as ``SourceText`` counts them. CR and LF together are one character.
  private static func isBreak(_ character: Character) -> Bool {
    character == "\n" || character == "\r\n" || character == "\r"
  }

  private static func lines(_ key: String, _ value: YAMLText.Item, _ margin: Int) -> [String] {
    YAMLText.lines(key, value, indent: margin).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  private func isFlow(_ entry: Node.Mapping.Entry, _ lines: [String]) -> Bool {
    let line = entry.nameRange.start.line - 1
    guard lines.indices.contains(line) else { return true }
    return lines[line].prefix(max(entry.nameRange.start.column - 1, 0)).contains { $0 != " " }
      || Set(file.map.entries.map(\.nameRange.start.line)).count < file.map.entries.count
  }

  private func rewritten(_ changes: [Change], _ ending: String) -> String {
    var entries: [(key: String, value: YAMLText.Item)] = []
    for entry in file.map.entries {
      if let change = changes.first(where: { $0.key == entry.name }) {
        if let value = change.value { entries.append((entry.name, value)) }
      } else {
        entries.append((entry.name, Self.item(entry.value.value)))
      }
    }
    for change in changes where file.map[change.key] == nil {
      if let value = change.value { entries.append((change.key, value)) }
    }
    let lines = YAMLText.map(entries).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.joined(separator: ending)
  }

  /// A value of a file as it is written anew.
  private static func item(_ value: Value) -> YAMLText.Item {
    switch value {
    case .string(let text): .text(text)
    case .map(let map): .map(map.entries.map { ($0.key.text, item($0.value)) })
    case .list(let list) where list.allSatisfy { $0.stringValue != nil }: .texts(list.compactMap(\.stringValue))
    case .list(let list) where list.allSatisfy { $0.mapValue != nil }:
      .maps(list.compactMap(\.mapValue).map { map in map.entries.map { ($0.key.text, item($0.value)) } })
    default: .bare(value.jsonString)
    }
  }

  /// A text with other scalars in some places.
  ///
  /// - Parameter changes: The places, which do not overlap, with the new texts.
  static func replacing(_ changes: [(range: SourceRange, text: String)], in source: SourceText) -> String {
    var bytes = source.bytes
    for change in changes.sorted(by: { $0.range.start > $1.range.start }) {
      bytes.replaceSubrange(
        change.range.start.offset..<change.range.end.offset, with: Array(YAMLText.scalar(change.text).utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
