/// How much work scrypt makes of a passphrase (RFC 7914, section 2).
public struct ScryptCost: Sendable, Hashable {
  /// The binary logarithm of N, the number of steps and of blocks in memory.
  public let logarithm: UInt8
  /// r: the size of a block, in 128 bytes.
  public let blockSize: UInt32
  /// p: how often the whole is done.
  public let parallelism: UInt32

  /// The cost of new vaults: 128 MiB, and about half a second.
  public static let standard = ScryptCost(unchecked: 17, blockSize: 8, parallelism: 1)

  /// The most memory that is spent on a vault from elsewhere: 1 GiB.
  static let mostMemory: UInt64 = 1 << 30

  /// Creates a cost; `nil` if it is less than protects anything or more than a file may ask for.
  ///
  /// - Parameters:
  ///   - logarithm: 10 to 22.
  ///   - blockSize: 1 to 64; with `logarithm` no more than 1 GiB.
  ///   - parallelism: 1 to 16.
  public init?(logarithm: UInt8, blockSize: UInt32, parallelism: UInt32) {
    guard (10...22).contains(logarithm), (1...64).contains(blockSize), (1...16).contains(parallelism) else {
      return nil
    }
    let cost = ScryptCost(unchecked: logarithm, blockSize: blockSize, parallelism: parallelism)
    guard cost.memory <= ScryptCost.mostMemory + (1 << 20) else { return nil }
    self = cost
  }

  /// For values that are known to be right.
  init(unchecked logarithm: UInt8, blockSize: UInt32, parallelism: UInt32) {
    self.logarithm = logarithm
    self.blockSize = blockSize
    self.parallelism = parallelism
  }

  /// N.
  var iterations: UInt64 { 1 << UInt64(logarithm) }
  /// The bytes of memory it takes.
  var memory: UInt64 { 128 * UInt64(blockSize) * (iterations + UInt64(parallelism) + 2) }
}
