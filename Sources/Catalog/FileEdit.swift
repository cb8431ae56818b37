import Expressions
import Plans
import RecipeModel
import RecipeSyntax
import Schemas

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
    let offsets = lineStarts
    for (index, entry) in entries.enumerated().reversed() {
      guard let change = changes.first(where: { $0.key == entry.name }) else { continue }
      var end = index + 1 < entries.count ? starts[index + 1] : count
      // Comments and empty lines before the next key are that one's.
      while end > starts[index] + 1, lines[end - 1].allSatisfy({ $0 == " " }) || lines[end - 1].hasPrefix("#") {
        end -= 1
      }
      let new = change.value.map { value in
        let stop = end < offsets.count ? offsets[end] : file.document.source.bytes.count
        let comments = comments(in: offsets[starts[index]]..<stop, key: entry.nameRange, of: entry.value)
        return Self.commented(Self.lines(entry.name, value, margin), margin, entry.value, comments)
      }
      lines.replaceSubrange(starts[index]..<end, with: new ?? [])
    }
    return (lines + added).map { $0 + ending }.joined()
  }

  /// Whether lines end here: as ``SourceText`` counts them. CR and LF together are one character.
  private static func isBreak(_ character: Character) -> Bool {
    character == "\n" || character == "\r\n" || character == "\r"
  }

  // MARK: Comments

  private struct Comment {
    /// The comment with the blanks before it.
    var text: String
    /// Where the scalar ends that stands before it on the same line; `nil` where there is none.
    var after: Int?
    /// Whether it stands on the first line.
    var isFirst: Bool
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Where lines start, in bytes.
  private var lineStarts: [Int] {
    let bytes = file.document.source.bytes
    let ends = bytes.indices.filter {
      bytes[$0] == 0x0A || bytes[$0] == 0x0D && ($0 + 1 == bytes.count || bytes[$0 + 1] != 0x0A)
    }
    return [0] + ends.map { $0 + 1 }
  }

  /// The comments in some bytes: what follows a `#` outside of the scalars of a node.
  private func comments(in range: Range<Int>, key: SourceRange? = nil, of node: Node) -> [Comment] {
    let bytes = file.document.source.bytes
    var scalars = key.map { [$0.start.offset..<$0.end.offset] } ?? []
    collect(node, &scalars)
    var rest = scalars.sorted { $0.lowerBound < $1.lowerBound }[...]
    var found: [Comment] = []
    var (offset, isFirst) = (range.lowerBound, true)
    var after: Int?
    while offset < range.upperBound {
      while let scalar = rest.first, scalar.upperBound <= offset { rest.removeFirst() }
      if let scalar = rest.first, scalar.contains(offset) {
        let end = min(scalar.upperBound, range.upperBound)
        isFirst = isFirst && !bytes[offset..<end].contains(where: Self.isBreak)
        (offset, after) = (end, scalar.upperBound)
      } else if bytes[offset] == UInt8(ascii: "#"), offset == 0 || bytes[offset - 1] <= 0x20 {
        let blanks = bytes[range.lowerBound..<offset].reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
        let end = bytes[offset..<range.upperBound].firstIndex(where: Self.isBreak) ?? range.upperBound
        let text = String(decoding: bytes[(offset - blanks)..<end], as: UTF8.self)
        found.append(Comment(text: text, after: after, isFirst: isFirst))
        offset = end
      } else {
        if Self.isBreak(bytes[offset]) { (isFirst, after) = (false, nil) }
        offset += 1
      }
    }
    return found
  }

  private func collect(_ node: Node, _ scalars: inout [Range<Int>]) {
    switch node.content {
    case .scalar(let scalar):
      let (start, end) = (node.range.start.offset, node.range.end.offset)
      // The line of `|` may have a comment.
      let isBlock = scalar.style == .literal || scalar.style == .folded
      let first = isBlock ? file.document.source.bytes[start..<end].firstIndex(where: Self.isBreak) ?? end : start
      if first < end { scalars.append(first..<end) }
    case .sequence(let nodes): for node in nodes { collect(node, &scalars) }
    case .mapping(let map):
      for entry in map.entries {
        scalars.append(entry.nameRange.start.offset..<entry.nameRange.end.offset)
        collect(entry.value, &scalars)
      }
    case .invalid: break
    }
  }

  /// New lines of a key with the comments of the old ones: behind the key, behind an element that is still there, else
  /// above them.
  private static func commented(
    _ new: [String], _ margin: Int, _ old: Node, _ comments: [Comment]
  ) -> [String] {
    var lines = new
    var above: [String] = []
    let blanks = String(repeating: " ", count: margin)
    for comment in comments {
      let element = old.sequence?.first { $0.range.end.offset == comment.after }?.string
      let row = element.flatMap { lines.firstIndex(of: blanks + "  - " + YAMLText.scalar($0)) }
      if let row = comment.isFirst ? lines.indices.first : row {
        lines[row] += comment.text
      } else {
        above.append(blanks + comment.text.drop { $0 == " " || $0 == "\t" })
      }
    }
    return above + lines
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
    // The comments stand above what is written anew.
    let found = file.document.root.map { comments(in: file.document.source.bytes.indices, of: $0) } ?? []
    let head = found.map { $0.text.drop { $0 == " " || $0 == "\t" } + "\n" }.joined()
    let lines = (head + YAMLText.map(entries)).split(separator: "\n", omittingEmptySubsequences: false)
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
