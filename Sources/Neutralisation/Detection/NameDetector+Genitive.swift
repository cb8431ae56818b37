extension NameDetector {
  /// Whether a name ends in a sound that takes an apostrophe in the genitive.
  static func hasSibilant(_ name: some StringProtocol) -> Bool { name.last.map { "sßxz".contains($0) } ?? false }

  /// The range of a name without the ending of a genitive, which stays in the text: "Frau Quobbs Vertrag". Only where the
  /// ending is certain: an apostrophe, or the name without it is in the lists and with it is not.
  static func withoutGenitive(_ range: Range<Int>, _ last: WordScan.Word, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<
    Int
  > {
    for ending in ["'s", "\u{2019}s"] where last.text.hasSuffix(ending) {
      return range.lowerBound..<range.upperBound - ending.utf8.count
    }
    guard last.text.hasSuffix("s"), range.count > 3 else { return range }
    let bare = String(last.text.dropLast())
    guard !hasSibilant(bare) else { return range }
    let isListed = FirstNames.all.contains(bare) || Surnames.all.contains(bare)
    let isOwn = FirstNames.all.contains(last.text) || Surnames.all.contains(last.text)
    return isListed && !isOwn ? range.lowerBound..<range.upperBound - 1 : range
  }
}
