/// The unencrypted beginning of a vault, which says how its key is made.
///
/// ```
///   0   8  "SOUSVLT" and NUL
///   8   1  version of the format, 1
///   9   1  where the key comes from: 1 passphrase (scrypt), 2 key file (HKDF)
///  10   1  scrypt: log2 N; 0 for a key file
///  11   1  0
///  12   4  scrypt: r, big-endian as all numbers; 0 for a key file
///  16   4  scrypt: p; 0 for a key file
///  20  32  salt of the key
///  52  32  key check: HMAC-SHA-256 of the bytes before it
///  84  12  nonce, new with every write
///  96   4  bytes of ciphertext, the tag not counted
/// 100      ciphertext of AES-256-GCM, and its tag of 16 bytes; bytes 0 to 99 are authenticated with it
///  …   32  SHA-256 of everything before
/// ```
///
/// The checksum needs no key: it tells a damaged file from a wrong passphrase. The key check tells a wrong passphrase from an
/// altered file.
struct VaultHeader: Equatable {
  /// Where the key comes from.
  enum Derivation: Equatable {
    case passphrase(ScryptCost)
    case keyFile
  }

  /// Why bytes are not a header.
  enum Problem: Error {
    /// This is not a vault, or its first bytes are damaged.
    case foreign
    /// A version that is not known here.
    case version(UInt8)
    /// More work, or less, than a vault may ask for.
    case cost
    /// A field has a value that no version writes.
    case damaged
  }

  static let size = 100
  static let saltSize = 32
  private static let magic = Array("SOUSVLT\0".utf8)
  static let version: UInt8 = 1
  private static let checkedSize = 52

  var derivation: Derivation
  var salt: [UInt8]
  var keyCheck: [UInt8]
  var nonce: [UInt8]
  var length: UInt32

  /// Whether bytes begin like a vault of any version.
  static func isVault(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// The input of the key check.
  var checkedBytes: [UInt8] { Array(bytes.prefix(VaultHeader.checkedSize)) }

  /// The header as it is in the file.
  var bytes: [UInt8] {
    var bytes = VaultHeader.magic + [VaultHeader.version]
    switch derivation {
    case .passphrase(let cost):
      bytes += [1, cost.logarithm, 0] + VaultHeader.bytes(cost.blockSize) + VaultHeader.bytes(cost.parallelism)
    case .keyFile:
      bytes += [2, 0, 0] + VaultHeader.bytes(0) + VaultHeader.bytes(0)
    }
    return bytes + salt + keyCheck + nonce + VaultHeader.bytes(length)
  }

  init(derivation: Derivation, salt: [UInt8], keyCheck: [UInt8], nonce: [UInt8], length: UInt32) {
    self.derivation = derivation
    self.salt = salt
    self.keyCheck = keyCheck
    self.nonce = nonce
    self.length = length
  }

  /// Reads the beginning of a file.
  init(_ file: [UInt8]) throws(Problem) {
    guard file.count >= VaultHeader.magic.count + 1, VaultHeader.isVault(file) else { throw .foreign }
    guard file[8] == VaultHeader.version else { throw .version(file[8]) }
    guard file.count >= VaultHeader.size, file[11] == 0 else { throw .damaged }
    let blockSize = VaultHeader.number(file, at: 12)
    let parallelism = VaultHeader.number(file, at: 16)
    switch file[9] {
    case 1:
      guard let cost = ScryptCost(logarithm: file[10], blockSize: blockSize, parallelism: parallelism) else {
        throw .cost
      }
      derivation = .passphrase(cost)
    case 2:
      guard file[10] == 0, blockSize == 0, parallelism == 0 else { throw .damaged }
      derivation = .keyFile
    default: throw .damaged
    }
    salt = Array(file[20..<52])
    keyCheck = Array(file[52..<84])
    nonce = Array(file[84..<96])
    length = VaultHeader.number(file, at: 96)
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func number(_ bytes: [UInt8], at index: Int) -> UInt32 {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
