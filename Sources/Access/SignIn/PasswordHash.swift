internal import COpenSSL
internal import Foundation
internal import Hashing

/// How much work scrypt (RFC 7914) makes of a password.
public struct PasswordCost: Sendable, Hashable {
  /// The binary logarithm of N.
  public let logarithm: Int
  /// r: the size of a block, in 128 bytes.
  public let blockSize: Int
  /// p: the number of passes.
  public let parallelism: Int

  /// The cost of new passwords: 32 MiB, about 0.1 s.
  public static let standard = PasswordCost(known: 15, 8, 1)

  /// Creates a cost; `nil` if it is outside of what a stored hash may ask for: N from 2^4 to 2^20, r from 1 to 32, p from 1
  /// to 16, and 256 MiB of memory.
  public init?(logarithm: Int, blockSize: Int, parallelism: Int) {
    guard (4...20).contains(logarithm), (1...32).contains(blockSize), (1...16).contains(parallelism) else { return nil }
    self.init(known: logarithm, blockSize, parallelism)
    guard memory <= 256 << 20 else { return nil }
  }

  private init(known logarithm: Int, _ blockSize: Int, _ parallelism: Int) {
    (self.logarithm, self.blockSize, self.parallelism) = (logarithm, blockSize, parallelism)
  }

  /// The bytes of memory that scrypt takes.
  fileprivate var memory: Int { 128 * blockSize * (1 << logarithm + parallelism) }
  /// Whether another cost makes an attacker work more.
  fileprivate func isLess(than other: PasswordCost) -> Bool {
    (blockSize * parallelism) << logarithm < (other.blockSize * other.parallelism) << other.logarithm
  }
}

/// A password as it is stored: `$scrypt$ln=15,r=8,p=1$SALT$HASH`, both in base64 without padding.
public struct PasswordHash: Sendable, Hashable {
  /// The cost.
  public let cost: PasswordCost
  let salt: [UInt8]
  let hash: [UInt8]

  private static let saltSize = 16
  private static let hashSize = 32

  /// Hashes a password with a new salt.
  ///
  /// - Throws: ``AccessError``: `io` if libcrypto fails.
  public init(_ password: String, cost: PasswordCost = .standard) throws(AccessError) {
    self.cost = cost
    salt = try RandomBytes.make(Self.saltSize)
    hash = try Self.hash(password, salt: salt, cost: cost, size: Self.hashSize)
  }

  /// Reads a stored hash; `nil` if it is malformed, or if its cost, its salt or its hash is outside the limits.
  public init?(stored text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard text.utf8.count <= 512, parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
    let values = parts[2].split(separator: ",", omittingEmptySubsequences: false)
    guard values.count == 3, let logarithm = Self.number(values[0], "ln="),
      let blockSize = Self.number(values[1], "r="),
      let parallelism = Self.number(values[2], "p="),
      let cost = PasswordCost(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism),
      let salt = Base64.decoded(parts[3]), (8...64).contains(salt.count), let hash = Base64.decoded(parts[4]),
      (16...64).contains(hash.count)
    else { return nil }
    (self.cost, self.salt, self.hash) = (cost, salt, hash)
  }

  /// The text to store.
  public var stored: String {
    "$scrypt$ln=\(cost.logarithm),r=\(cost.blockSize),p=\(cost.parallelism)$\(Base64.text(salt))$\(Base64.text(hash))"
  }

  /// Whether this is the hash of a password. The time does not depend on the place of a difference.
  ///
  /// - Throws: ``AccessError``: `io` if libcrypto fails.
  public func matches(_ password: String) throws(AccessError) -> Bool {
    let other = try Self.hash(password, salt: salt, cost: cost, size: hash.count)
    return MessageAuthentication.areEqual(other, hash)
  }

  /// Whether the password should be hashed again, because its cost is less than that of new passwords.
  public func isOutdated(_ cost: PasswordCost = .standard) -> Bool { self.cost.isLess(than: cost) }

  /// Takes as long as a check of a password, for user names that do not exist.
  static func spendTime(_ password: String, cost: PasswordCost) throws(AccessError) {
    _ = try hash(password, salt: [UInt8](repeating: 0, count: saltSize), cost: cost, size: hashSize)
  }

  private static func number(_ text: Substring, _ name: String) -> Int? {
    let digits = text.dropFirst(name.count)
    guard text.hasPrefix(name), (1...2).contains(digits.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(digits)
  }

  private static func hash(
    _ password: String, salt: [UInt8], cost: PasswordCost, size: Int
  ) throws(AccessError) -> [UInt8] {
    // The same characters may be typed in several forms of Unicode.
    var bytes = Array(password.precomposedStringWithCanonicalMapping.utf8).map { CChar(bitPattern: $0) }
    var output = [UInt8](repeating: 0, count: size)
    let status = EVP_PBE_scrypt(
      bytes, bytes.count, salt, salt.count, 1 << UInt64(cost.logarithm), UInt64(cost.blockSize),
      UInt64(cost.parallelism), UInt64(cost.memory) + 1 << 20, &output, size)
    bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
    guard status == 1 else { throw RandomBytes.failure("scrypt") }
    return output
  }
}
