/// A set of UIDs or sequence numbers (RFC 9051 `sequence-set`), as ranges in their original order.
struct UIDSet: Sendable, Equatable {
  /// The ranges, none of them empty.
  private(set) var ranges: [ClosedRange<UInt32>] = []

  init() {}

  /// The fewest ranges that hold some UIDs, in ascending order.
  init(_ uids: some Sequence<UInt32>) {
    for uid in Set(uids).sorted() { append(uid...uid) }
  }

  init(_ range: ClosedRange<UInt32>) { ranges = [range] }

  var isEmpty: Bool { ranges.isEmpty }

  /// How many numbers it holds.
  var count: Int { ranges.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) + 1 } }

  /// Adds a range at the end, joined with the last one where it follows upon it.
  mutating func append(_ range: ClosedRange<UInt32>) {
    if let last = ranges.last, last.upperBound < .max, last.upperBound + 1 == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound...range.upperBound
    } else {
      ranges.append(range)
    }
  }

  func contains(_ uid: UInt32) -> Bool { ranges.contains { $0.contains(uid) } }

  /// Ascending numbers without those of the set.
  func removed(from ascending: [UInt32]) -> [UInt32] {
    let ordered = ranges.sorted { $0.lowerBound < $1.lowerBound }
    var index = 0
    return ascending.filter { uid in
      while index < ordered.count, ordered[index].upperBound < uid { index += 1 }
      return index == ordered.count || !ordered[index].contains(uid)
    }
  }

  /// The numbers in their order.
  ///
  /// - Throws: `tooMany` beyond the limit: `1:4294967295` is short to write.
  func expanded(limit: Int = 4_000_000) throws(ProtocolFault) -> [UInt32] {
    guard count <= limit else { throw ProtocolFault(.tooMany, "a set of \(count) UIDs") }
    var result: [UInt32] = []
    result.reserveCapacity(count)
    for range in ranges { result.append(contentsOf: range) }
    return result
  }

  /// The set as commands write it: `1:3,7`.
  var text: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound):\($0.upperBound)" }.joined(separator: ",")
  }
}
