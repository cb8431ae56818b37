import Engine
public import Expressions

/// The difference of two texts, line by line, as `diff -u` shows it.
public struct LineDifference: Sendable, Equatable {
  /// A line of both texts or of one, with its end.
  public enum Line: Sendable, Equatable {
    /// In both texts.
    case same(String)
    /// Only in the first.
    case removed(String)
    /// Only in the second.
    case added(String)
  }

  /// Lines that differ, with some lines around them.
  public struct Hunk: Sendable, Equatable {
    /// The number of its first line in the first text, from 1.
    public var oldStart: Int
    /// The number of its first line in the second text, from 1.
    public var newStart: Int
    /// The lines in their order.
    public var lines: [Line]

    /// The header of the hunk as in `diff -u`: `@@ -3,4 +3,5 @@`.
    public var header: String {
      let old = lines.count { if case .added = $0 { false } else { true } }
      let new = lines.count { if case .removed = $0 { false } else { true } }
      // A hunk without lines of a text is after the line of that number.
      return "@@ -\(old == 0 ? oldStart - 1 : oldStart),\(old) +\(new == 0 ? newStart - 1 : newStart),\(new) @@"
    }
  }

  /// The places that differ, in their order.
  public private(set) var hunks: [Hunk] = []

  /// Lines around each difference.
  private static let context = 3
  /// Of passages with more lines that differ, only where they begin and end is found out.
  private static let mostLines = 4000

  /// Compares two texts.
  public init(_ first: String, _ second: String) {
    let (old, new) = (Self.lines(first), Self.lines(second))
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var end = 0
    while end < old.count - start, end < new.count - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
      end += 1
    }
    let lines =
      old[..<start].map(Line.same)
      + Self.compare(Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
      + old[(old.count - end)...].map(Line.same)
    hunks = Self.hunks(lines)
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { hunks.isEmpty }

  /// The difference as `diff -u` writes it, without the names of files.
  public var text: String {
    hunks.map { hunk in
      ([hunk.header] + hunk.lines.map(\.marked)).map { $0 + "\n" }.joined()
    }.joined()
  }

  /// The difference for programs: a list of `{old_start, new_start, lines: [{kind, text}]}`.
  public var json: Value {
    .list(
      hunks.map { hunk in
        .object([
          ("old_start", .number(hunk.oldStart)), ("new_start", .number(hunk.newStart)),
          (
            "lines",
            .list(hunk.lines.map { .object([("kind", .string($0.kind)), ("text", .string($0.text))]) })
          ),
        ])
      })
  }

  /// The lines with their ends, so that a text whose last line has none differs in that line.
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var rest = text.utf8[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let next = rest.index(after: end)
      lines.append(String(decoding: rest[..<next], as: UTF8.self))
      rest = rest[next...]
    }
    if !rest.isEmpty { lines.append(String(decoding: rest, as: UTF8.self)) }
    return lines
  }

  private static func compare(_ old: [String], _ new: [String]) -> [Line] {
    guard old.count + new.count <= mostLines else { return old.map(Line.removed) + new.map(Line.added) }
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [Line] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if left < old.count, removed.contains(left) {
        lines.append(.removed(old[left]))
        left += 1
      } else if right < new.count, inserted.contains(right) {
        lines.append(.added(new[right]))
        right += 1
      } else if left < old.count, right < new.count {
        lines.append(.same(old[left]))
        (left, right) = (left + 1, right + 1)
      } else {
        break
      }
    }
    return lines
  }

  private static func hunks(_ lines: [Line]) -> [Hunk] {
    var hunks: [Hunk] = []
    var (old, new) = (1, 1)
    // Where the current hunk ends, if no further difference comes.
    var end = 0
    for (index, line) in lines.enumerated() {
      if line.isChange {
        if index >= end {
          let start = max(end, index - context)
          let before = Array(lines[start..<index])
          hunks.append(Hunk(oldStart: old - before.count, newStart: new - before.count, lines: before))
        }
        end = index + context + 1
      }
      if index < end, !hunks.isEmpty { hunks[hunks.count - 1].lines.append(line) }
      if line.kind != "added" { old += 1 }
      if line.kind != "removed" { new += 1 }
    }
    return hunks
  }
}

extension LineDifference.Line {
  var isChange: Bool { if case .same = self { false } else { true } }

  private var whole: String {
    switch self {
    case .same(let text), .removed(let text), .added(let text): text
    }
  }

  /// The line without its end.
  public var text: String {
    // A carriage return and a line feed are one character.
    String(decoding: whole.utf8.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// `same`, `removed` or `added`.
  public var kind: String {
    switch self {
    case .same: "same"
    case .removed: "removed"
    case .added: "added"
    }
  }

  /// The line with the mark of `diff -u` before it, and without its end.
  public var marked: String {
    let mark =
      switch self {
      case .same: " "
      case .removed: "-"
      case .added: "+"
      }
    let hasEnd = whole.utf8.last == UInt8(ascii: "\n")
    return mark + text + (hasEnd ? "" : "\n\\ No newline at end of file")
  }
}
