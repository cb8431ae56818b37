import Testing

@testable import Secrets

struct CryptographyTests {
  // RFC 7914, section 12.
  @Test(
    arguments: [
      (
        "", "", 4, 1, 1,
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
          + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", 10, 8, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 14, 8, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ] as [(String, String, UInt8, UInt32, UInt32, String)])
  func scryptGivesTheVectorsOfItsRFC(
    passphrase: String, salt: String, logarithm: UInt8, blockSize: UInt32, parallelism: UInt32, expected: String
  ) throws {
    let cost = ScryptCost(unchecked: logarithm, blockSize: blockSize, parallelism: parallelism)
    let key = try Cryptography.scrypt(try SecureBytes(passphrase), salt: Array(salt.utf8), cost: cost, count: 64)
    #expect(key.withBytes { Array($0) } == bytes(hex: expected))
  }

  // RFC 5869, appendices A.1 and A.3.
  @Test(
    arguments: [
      (
        "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
      ),
      ("", "", "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"),
    ])
  func keysAreExpandedAsTheRFCSays(salt: String, info: String, expected: String) throws {
    let key = try Cryptography.expand(
      try SecureBytes([UInt8](repeating: 0x0b, count: 22)), salt: bytes(hex: salt), info: bytes(hex: info), count: 42)
    #expect(key.withBytes { Array($0) } == bytes(hex: expected))
  }

  // The vectors 13, 14 and 16 of the submission of GCM to NIST.
  @Test(
    arguments: [
      (
        "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "", "",
        "530f8afbc74536b9a963b4f1c4cb738b"
      ),
      (
        "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "",
        "00000000000000000000000000000000",
        "cea7403d4d606b6e074ec5d3baf39d18" + "d0d1c8a799996bf0265b98b5d48ab919"
      ),
      (
        "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
        "feedfacedeadbeeffeedfacedeadbeefabaddad2",
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
          + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
          + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"
      ),
    ])
  func sealingGivesTheVectorsOfNIST(key: String, nonce: String, header: String, plain: String, sealed: String) throws {
    let key = try SecureBytes(bytes(hex: key))
    let (nonce, header, sealed) = (bytes(hex: nonce), bytes(hex: header), bytes(hex: sealed))
    let plaintext = try SecureBytes(bytes(hex: plain))
    #expect(try Cryptography.seal(plaintext, key: key, nonce: nonce, authenticating: header) == sealed)
    let opened = try #require(try Cryptography.open(sealed, key: key, nonce: nonce, authenticating: header))
    #expect(opened.isEqual(to: plaintext))
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(try Cryptography.open(changed, key: key, nonce: nonce, authenticating: header) == nil)
    }
    #expect(try Cryptography.open(sealed, key: key, nonce: nonce, authenticating: header + [0]) == nil)
    #expect(try Cryptography.open(Array(sealed.prefix(15)), key: key, nonce: nonce, authenticating: header) == nil)
  }

  @Test func wrongSizesAreErrors() throws {
    let key = try SecureBytes([1, 2, 3])
    #expect(throws: SecretError.self) {
      try Cryptography.seal(key, key: key, nonce: [UInt8](repeating: 0, count: 12), authenticating: [])
    }
    #expect(throws: SecretError.self) {
      try Cryptography.seal(key, key: try Cryptography.randomKey(32), nonce: [0], authenticating: [])
    }
  }

  @Test(
    arguments: [
      (9, 8, 1), (23, 8, 1), (17, 0, 1), (17, 65, 1), (17, 8, 0), (17, 8, 17), (22, 8, 1), (20, 16, 1), (255, 1, 1),
      (17, UInt32.max, 1), (17, 8, UInt32.max),
    ] as [(UInt8, UInt32, UInt32)])
  func costsAreBounded(logarithm: UInt8, blockSize: UInt32, parallelism: UInt32) {
    #expect(ScryptCost(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism) == nil)
  }

  @Test func standardCostMayBeRead() {
    let cost = ScryptCost.standard
    #expect(ScryptCost(logarithm: cost.logarithm, blockSize: cost.blockSize, parallelism: cost.parallelism) == cost)
    #expect(ScryptCost(logarithm: 20, blockSize: 8, parallelism: 1) != nil)
  }

  @Test func randomBytesDiffer() throws {
    #expect(try Cryptography.randomBytes(12) != Cryptography.randomBytes(12))
    #expect(!(try Cryptography.randomKey(32).isEqual(to: Cryptography.randomKey(32))))
  }
}
