/// The difference of two texts, word by word.
public struct WordDifference: Sendable, Equatable {
  /// A piece of both texts or of one.
  public enum Piece: Sendable, Equatable {
    /// In both texts.
    case same(String)
    /// Only in the first.
    case removed(String)
    /// Only in the second.
    case added(String)
  }

  /// The pieces in their order; neighbours are of different sorts.
  public private(set) var pieces: [Piece] = []

  /// Of passages with more tokens that differ, only where they begin and end is found out.
  private static let mostTokens = 4000

  /// Compares two texts.
  public init(_ first: String, _ second: String) {
    let (old, new) = (Self.tokens(first), Self.tokens(second))
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var end = 0
    while end < old.count - start, end < new.count - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
      end += 1
    }
    add(old[..<start], as: Piece.same)
    compare(old[start..<(old.count - end)], new[start..<(new.count - end)])
    add(old[(old.count - end)...], as: Piece.same)
    group()
  }

  /// Takes the white space between two changes into them: one change of three words is easier to read than three.
  private mutating func group() {
    var grouped: [Piece] = []
    var (removed, added) = ("", "")
    func end() {
      if !removed.isEmpty { grouped.append(.removed(removed)) }
      if !added.isEmpty { grouped.append(.added(added)) }
      (removed, added) = ("", "")
    }
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .removed(let text): removed += text
      case .added(let text): added += text
      case .same(let text):
        let isGap = text.allSatisfy { $0.isWhitespace && !$0.isNewline }
        if isGap, !removed.isEmpty, !added.isEmpty, index + 1 < pieces.count {
          removed += text
          added += text
        } else {
          end()
          grouped.append(piece)
        }
      }
    }
    end()
    pieces = grouped
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { pieces.allSatisfy { if case .same = $0 { true } else { false } } }

  /// The difference as plain text: `[-old-]{+new+}`.
  public var marked: String {
    pieces.map { piece in
      switch piece {
      case .same(let text): text
      case .removed(let text): "[-\(text)-]"
      case .added(let text): "{+\(text)+}"
      }
    }.joined()
  }

  private mutating func compare(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) {
    guard old.count + new.count <= Self.mostTokens else {
      return compareByLines(old, new)
    }
    merge(old, new, new.difference(from: old))
  }

  /// Large texts are compared line by line, and then the words of the lines that differ, as far as those are few.
  private mutating func compareByLines(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) {
    let (oldLines, newLines) = (Self.lines(old), Self.lines(new))
    guard oldLines.count + newLines.count <= Self.mostTokens, oldLines.count > 1 || newLines.count > 1 else {
      add(old, as: Piece.removed)
      return add(new, as: Piece.added)
    }
    let changes = newLines.map(Array.init).difference(from: oldLines.map(Array.init))
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (left, right) = (0, 0)
    while left < oldLines.count || right < newLines.count {
      var (gone, come): ([Substring], [Substring]) = ([], [])
      while left < oldLines.count, removed.contains(left) {
        gone += oldLines[left]
        left += 1
      }
      while right < newLines.count, inserted.contains(right) {
        come += newLines[right]
        right += 1
      }
      if gone.count + come.count <= Self.mostTokens {
        merge(gone[...], come[...], come.difference(from: gone))
      } else {
        add(gone[...], as: Piece.removed)
        add(come[...], as: Piece.added)
      }
      if left < oldLines.count, right < newLines.count, !removed.contains(left), !inserted.contains(right) {
        add(oldLines[left], as: Piece.same)
        left += 1
        right += 1
      }
    }
  }

  private mutating func merge(
    _ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>, _ changes: CollectionDifference<Substring>
  ) {
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    let (old, new) = (Array(old), Array(new))
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      while left < old.count, removed.contains(left) {
        add(old[left...left], as: Piece.removed)
        left += 1
      }
      while right < new.count, inserted.contains(right) {
        add(new[right...right], as: Piece.added)
        right += 1
      }
      guard left < old.count, right < new.count, !removed.contains(left), !inserted.contains(right) else {
        if left >= old.count, right >= new.count { return }
        continue
      }
      add(old[left...left], as: Piece.same)
      left += 1
      right += 1
    }
  }

  private mutating func add(_ tokens: ArraySlice<Substring>, as make: (String) -> Piece) {
    let text = tokens.joined()
    guard !text.isEmpty else { return }
    switch (pieces.last, make(text)) {
    case (.same(let before)?, .same): pieces[pieces.count - 1] = .same(before + text)
    case (.removed(let before)?, .removed): pieces[pieces.count - 1] = .removed(before + text)
    case (.added(let before)?, .added): pieces[pieces.count - 1] = .added(before + text)
    case (_, let piece): pieces.append(piece)
    }
  }

  /// Words, white space and single other characters.
  private static func tokens(_ text: String) -> [Substring] {
    var tokens: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      let first = text[start]
      var end = text.index(after: start)
      let isWord = isPartOfWord(first)
      if isWord || first.isWhitespace && !first.isNewline {
        while end < text.endIndex,
          isWord ? isPartOfWord(text[end]) : text[end].isWhitespace && !text[end].isNewline
        {
          end = text.index(after: end)
        }
      }
      tokens.append(text[start..<end])
      start = end
    }
    return tokens
  }

  private static func isPartOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  private static func lines(_ tokens: ArraySlice<Substring>) -> [ArraySlice<Substring>] {
    var lines: [ArraySlice<Substring>] = []
    var start = tokens.startIndex
    for index in tokens.indices where tokens[index].first?.isNewline == true {
      lines.append(tokens[start...index])
      start = index + 1
    }
    if start < tokens.endIndex { lines.append(tokens[start...]) }
    return lines
  }
}
