/// Metrics in the text format of Prometheus (version 0.0.4).
struct PrometheusText {
  /// The kinds of metrics.
  enum Kind: String {
    case counter, gauge, histogram
  }

  private(set) var text = ""

  /// Begins a metric; its samples follow.
  mutating func metric(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a sample.
  mutating func sample(_ name: String, _ labels: [(String, String)] = [], _ value: Double) {
    let list = labels.map { "\($0)=\"\(Self.escaped($1, quotes: true))\"" }.joined(separator: ",")
    text += name + (list.isEmpty ? "" : "{\(list)}") + " \(Self.number(value))\n"
  }

  /// A metric with one sample.
  mutating func single(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
    metric(name, kind, help)
    sample(name, [], value)
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var result = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    if quotes { result = result.replacing("\"", with: "\\\"") }
    return result
  }
}

/// Durations counted in buckets.
struct DurationHistogram {
  /// The upper bounds of the buckets, in seconds.
  let bounds: [Double]
  private var counts: [UInt64]
  private(set) var count: UInt64 = 0
  private(set) var sum = 0.0

  init(_ bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count)
  }

  mutating func add(_ seconds: Double) {
    for (index, bound) in bounds.enumerated() where seconds <= bound { counts[index] += 1 }
    count += 1
    sum += seconds
  }

  /// Adds its samples.
  func write(_ name: String, _ labels: [(String, String)], to text: inout PrometheusText) {
    for (bound, count) in zip(bounds, counts) {
      text.sample(name + "_bucket", labels + [("le", "\(bound)")], Double(count))
    }
    text.sample(name + "_bucket", labels + [("le", "+Inf")], Double(count))
    text.sample(name + "_sum", labels, sum)
    text.sample(name + "_count", labels, Double(count))
  }
}
