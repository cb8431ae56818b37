#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Ranks sentences by how much they have in common with the others.
///
/// TextRank for sentence extraction, Mihalcea and Tarau 2004: an edge between two sentences weighs the number of terms
/// they share, divided by the sum of the logarithms of their lengths; the rank is the stationary weight of a random
/// walk along the edges with damping 0.85. Deterministic: no random start, sums in fixed order.
enum TextRank {
  /// The paper's damping factor.
  static let damping = 0.85
  /// More sentences than this are cut down first by a linear measure, so that the graph stays small.
  static let maximumSentences = 400
  /// The walk ends here when it has not settled before.
  static let maximumIterations = 60
  /// The walk has settled when no rank moves by more than this.
  static let tolerance = 1e-6

  /// The rank of every sentence, highest about 1 or above for central ones, 0.15 for isolated ones.
  ///
  /// Time is at most quadratic in ``maximumSentences``; pass no more than that many.
  static func ranks(of sentences: [Sentence]) -> [Double] {
    let edges = edges(between: sentences)
    let totals = edges.map { $0.reduce(0) { $0 + $1.weight } }
    var ranks = [Double](repeating: 1, count: sentences.count)
    for _ in 0..<maximumIterations {
      var next = [Double](repeating: 1 - damping, count: ranks.count)
      for (source, outgoing) in edges.enumerated() where totals[source] > 0 {
        let share = damping * ranks[source] / totals[source]
        for edge in outgoing { next[edge.target] += share * edge.weight }
      }
      let movement = zip(ranks, next).map { abs($0 - $1) }.max() ?? 0
      ranks = next
      if movement <= tolerance { break }
    }
    return ranks
  }

  /// The sentences that the graph is made of: all of them, or the ``maximumSentences`` whose terms are most frequent.
  static func considered(_ sentences: [Sentence]) -> [Sentence] {
    guard sentences.count > maximumSentences else { return sentences }
    var frequency: [String: Int] = [:]
    for sentence in sentences {
      for term in sentence.terms { frequency[term, default: 0] += 1 }
    }
    let scored = sentences.map { sentence in
      let sum = sentence.terms.reduce(0) { $0 + (frequency[$1] ?? 0) }
      return (sentence: sentence, score: Double(sum) / (Double(sentence.terms.count) + 4))
    }
    return
      scored.sorted { ($0.score, -$0.sentence.position) > ($1.score, -$1.sentence.position) }
      .prefix(maximumSentences).map(\.sentence).sorted { $0.position < $1.position }
  }

  /// How alike two sentences are: shared terms, normalised by the logarithms of the lengths.
  static func similarity(shared: Int, _ first: Int, _ second: Int) -> Double {
    guard shared > 0 else { return 0 }
    let norm = log(Double(first)) + log(Double(second))
    // Two sentences of one term each: the formula has no value; they are the same thing.
    return norm > 0 ? Double(shared) / norm : Double(shared)
  }

  private struct Edge {
    let target: Int
    let weight: Double
  }

  private static func edges(between sentences: [Sentence]) -> [[Edge]] {
    var postings: [String: [Int]] = [:]
    var edges = [[Edge]](repeating: [], count: sentences.count)
    for (index, sentence) in sentences.enumerated() {
      var shared = [Int](repeating: 0, count: index)
      for term in sentence.terms {
        for other in postings[term] ?? [] { shared[other] += 1 }
        postings[term, default: []].append(index)
      }
      for (other, count) in shared.enumerated() where count > 0 {
        let weight = similarity(shared: count, sentence.terms.count, sentences[other].terms.count)
        edges[index].append(Edge(target: other, weight: weight))
        edges[other].append(Edge(target: index, weight: weight))
      }
    }
    return edges
  }
}
