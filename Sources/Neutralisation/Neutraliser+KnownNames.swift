extension Neutraliser {
  /// Names and organisations that other places have given away.
  func again(_ view: TextView, _ mapping: PlaceholderMapping) -> [Finding] {
    guard !mapping.nameWords.isEmpty || !mapping.organisations.isEmpty || !mapping.unknownNames.isEmpty else {
      return []
    }
    var found: [Finding] = []
    let secrets = view.known.filter { $0.kind == .idNumber }
    let bytes = secrets.isEmpty ? view.bytes : Self.masked(view.bytes, secrets)
    TextReading.forEach(of: bytes, names: mapping.nameWords) { reading in
      guard reading.scope == .all else { return }
      found += reading.bytes.withUnsafeBufferPointer { again($0, mapping) }.map(reading.placed)
    }
    return found
  }

  private func again(_ bytes: UnsafeBufferPointer<UInt8>, _ mapping: PlaceholderMapping) -> [Finding] {
    let scan = WordScan(bytes)
    let words = scan.words
    // How much more often a word is in lower case than with a capital: what is mostly a word is not a name elsewhere.
    var uses: [String: Int] = [:]
    for word in words where !word.isNumber {
      if word.isCapital {
        uses[word.text, default: 0] -= 1
      } else if scan.isFree(word) {
        uses[word.text, default: 0] += 1
      }
    }
    var found: [Finding] = []
    var index = 0
    while index < words.count {
      defer { index += 1 }
      guard words[index].isCapital || words[index].isElided && mapping.nameWords.contains(words[index].stem) else {
        continue
      }
      if options.kinds.contains(.organisation), let length = Self.organisation(at: index, words, mapping) {
        found.append(
          Finding(
            range: words[index].range.lowerBound..<words[index + length - 1].range.upperBound, kind: .organisation))
      }
      if options.kinds.contains(.unknownName), (uses[words[index].text] ?? 0) <= 0,
        mapping.unknownNames.contains(NameDetector.base(words[index].text))
      {
        let range = NameDetector.withoutGenitive(words[index].range, words[index], bytes)
        found.append(Finding(range: range, kind: .unknownName))
      }
      guard options.kinds.contains(.person), !FieldWords.namesIllness(words, index),
        words[index].isElided
          || Self.isName(words[index].text, mapping)
            && ((uses[words[index].text] ?? 0) <= 0 || NameDetector.isListed(words[index].text))
      else { continue }
      let start = index
      while index + 1 < words.count, words[index + 1].gap == .blank, words[index + 1].isCapital,
        Self.isName(words[index + 1].text, mapping), index - start < 4
      {
        index += 1
      }
      // "S. Quobb", where "Quobb" is the name.
      let hasInitial =
        start > 0 && words[start].gap == .stop && words[start - 1].isInitial && words[start - 1].gap != .stop
      var range = words[hasInitial ? start - 1 : start].range.lowerBound..<words[index].range.upperBound
      // "Quobbs", where "Quobb" is the name.
      if Self.isGenitive(words[index].text, mapping) {
        range = range.lowerBound..<range.upperBound - 1
      } else {
        range = NameDetector.withoutGenitive(range, words[index], bytes)
      }
      found.append(Finding(range: range, kind: .person))
    }
    return found
  }

  private static func isName(_ word: String, _ mapping: PlaceholderMapping) -> Bool {
    mapping.nameWords.contains(word) || mapping.nameWords.contains(NameDetector.base(word))
      || word.contains("-") && word.split(separator: "-").contains { mapping.nameWords.contains(String($0)) }
  }

  private static func isGenitive(_ word: String, _ mapping: PlaceholderMapping) -> Bool {
    word.hasSuffix("s") && !NameDetector.hasSibilant(word.dropLast()) && !word.hasSuffix("'s")
      && !word.hasSuffix("\u{2019}s") && !mapping.nameWords.contains(word)
      && mapping.nameWords.contains(String(word.dropLast()))
  }

  private static func organisation(at index: Int, _ words: [WordScan.Word], _ mapping: PlaceholderMapping) -> Int? {
    mapping.organisations[words[index].text]?.filter { stem in
      index + stem.count <= words.count && zip(stem, words[index...]).allSatisfy { $0 == $1.text }
    }.map(\.count).max()
  }
}
