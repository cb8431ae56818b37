/// A place of a text that holds personal data.
struct Finding: Hashable {
  /// Where, in bytes.
  var range: Range<Int>
  var kind: PersonalDataKind

  /// Findings from left to right, none touching another. Of two that overlap, one comes to be that covers both, so that
  /// nothing of either is left; it is of the kind of the lower rank.
  static func merged(_ findings: [Finding]) -> [Finding] {
    let sorted = findings.filter { !$0.range.isEmpty }.sorted {
      ($0.range.lowerBound, $0.kind.rank, $1.range.upperBound) < (
        $1.range.lowerBound, $1.kind.rank, $0.range.upperBound
      )
    }
    return sorted.reduce(into: []) { merged, finding in
      guard let last = merged.last, finding.range.lowerBound < last.range.upperBound else {
        return merged.append(finding)
      }
      merged[merged.count - 1] = Finding(
        range: last.range.lowerBound..<max(last.range.upperBound, finding.range.upperBound),
        kind: last.kind.rank <= finding.kind.rank ? last.kind : finding.kind)
    }
  }

  /// The finding without an unmatched bracket at its ends: of "(079 412 88 03" the bracket stays in the text.
  func withoutLooseBrackets(_ bytes: [UInt8]) -> Finding {
    guard kind != .literal, kind != .own else { return self }
    var range = range
    for (open, close) in Self.brackets {
      guard range.count > 1 else { break }
      var depth = 0
      var hasUnmatchedClose = false
      for byte in bytes[range] {
        if byte == open { depth += 1 } else if byte == close { depth -= 1 }
        if depth < 0 { hasUnmatchedClose = true }
      }
      if depth > 0, bytes[range.lowerBound] == open { range = range.lowerBound + 1..<range.upperBound }
      if hasUnmatchedClose, range.count > 1, bytes[range.upperBound - 1] == close {
        range = range.lowerBound..<range.upperBound - 1
      }
    }
    // A blank next to the bracket is not data.
    while range.count > 1, bytes[range.lowerBound] == 0x20 { range = range.lowerBound + 1..<range.upperBound }
    while range.count > 1, bytes[range.upperBound - 1] == 0x20 { range = range.lowerBound..<range.upperBound - 1 }
    return Finding(range: range, kind: kind)
  }

  private static let brackets: [(UInt8, UInt8)] = [(0x28, 0x29), (0x5B, 0x5D), (0x7B, 0x7D)]
}
