/// Numbers that a seed decides (SplitMix64).
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

  /// Numbers that depend on a seed and on what they are for, and on nothing that came before.
  init(_ seed: UInt64, _ purpose: String) {
    var hash = seed ^ 0xCBF2_9CE4_8422_2325
    for byte in purpose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    self.init(hash)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// From 0 up to 1.
  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
  /// From 0 up to `count`.
  mutating func below(_ count: Int) -> Int { count <= 1 ? 0 : Int(next() % UInt64(count)) }
  mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
  mutating func within(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + fraction() * (range.upperBound - range.lowerBound)
  }
  mutating func happens(_ share: Double) -> Bool { fraction() < share }
  mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}
