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
}
