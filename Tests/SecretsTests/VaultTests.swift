import Foundation
import Localization
import TestSupport
import Testing

@testable import Secrets

@Suite(.timeLimit(.minutes(5)))
struct VaultTests {
  /// Little work, so that many files can be tried.
  static let cost = ScryptCost(unchecked: 10, blockSize: 1, parallelism: 1)

  let folder: TemporaryFolder
  let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = Vault(path: folder.path + "/state/vault", cost: Self.cost, patience: 0.1)
  }

  private func passphrase(_ text: String = "correct horse") throws -> VaultKey { .passphrase(try SecureBytes(text)) }

  private func filled(_ key: VaultKey) throws -> VaultAccess {
    try vault.create(key)
    let access = try vault.access(with: key)
    try vault.set(try name("MAIL"), to: try SecureBytes("canary-p4ssw0rd"), at: 1_700_000_000, access)
    try vault.set(try name("API"), to: try SecureBytes("grüße\nzwei"), at: 1_700_000_001, access)
    return access
  }

  private func code(_ body: () throws -> Void) -> SecretError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SecretError)?.code
    }
  }

  @Test(arguments: [true, false]) func whatIsSetCanBeRead(withPassphrase: Bool) throws {
    let key = withPassphrase ? try passphrase() : .file(try Cryptography.randomKey(32))
    let access = try filled(key)
    let contents = try vault.contents(try vault.access(with: key))
    #expect(contents.entries.map(\.name.text) == ["API", "MAIL"])
    #expect(contents.value(of: try name("MAIL"))?.text == "canary-p4ssw0rd")
    #expect(contents.value(of: try name("API"))?.text == "grüße\nzwei")
    #expect(contents.entries.map(\.changed) == [1_700_000_001, 1_700_000_000])
    #expect(try vault.lock() == (withPassphrase ? .passphrase : .keyFile))
    #expect(try vault.set(try name("MAIL"), to: try SecureBytes("other"), at: 0, access))
    #expect(try vault.contents(access).value(of: try name("MAIL"))?.text == "other")
    try vault.delete(try name("MAIL"), access)
    #expect(try vault.contents(access).entries.map(\.name.text) == ["API"])
    #expect(code { try vault.delete(try name("MAIL"), access) } == .missing)
  }

  /// What is kept by the mark outlives fresh tokens, and no other change.
  @Test func onlyFreshTokensKeepTheMark() throws {
    let mark = VaultMark(path: vault.path)
    #expect(mark.text == nil)
    let access = try filled(try passphrase())
    let first = try #require(mark.text)
    for number in 0..<3 {
      try vault.set(
        try name("oauth.work"), to: try SecureBytes("token \(number)"), at: 0, access, keepsMark: number > 0)
      #expect((mark.text == first) == false)
    }
    let signedIn = try #require(mark.text)
    try vault.set(try name("oauth.work"), to: try SecureBytes("token 9"), at: 0, access, keepsMark: true)
    #expect(mark.text == signedIn)
    try vault.set(try name("MAIL"), to: try SecureBytes("another"), at: 0, access)
    let changed = try #require(mark.text)
    #expect(changed != signedIn && changed != first)
    // What stands beside the vault speaks of a file that is gone.
    _ = try folder.write("state/vault.mark", String(repeating: "0", count: 24) + " " + first)
    #expect(mark.text == changed)
  }

  @Test func fileIsTheOwnersAndHoldsNothingInClear() throws {
    umask(0)
    defer { umask(0o022) }
    let access = try filled(try passphrase())
    #expect(folder.permissions("state/vault") == 0o600)
    #expect(folder.permissions("state") == 0o700)
    let file = try folder.bytes("state/vault")
    for word in ["canary", "p4ssw0rd", "MAIL", "API", "grüße"] {
      #expect(Data(file).range(of: Data(word.utf8)) == nil)
    }
    try vault.set(try name("MAIL"), to: try SecureBytes("canary-p4ssw0rd"), at: 1_700_000_000, access)
    let again = try folder.bytes("state/vault")
    #expect(file.count == again.count)
    // The nonce is new with every write.
    #expect(file[84..<96] != again[84..<96])
    #expect(file[20..<52] == again[20..<52])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").sorted() == ["vault", "vault.lock"])
  }

  @Test func wrongKeysAreToldFromDamage() throws {
    _ = try filled(try passphrase())
    #expect(code { _ = try vault.access(with: try passphrase("correct hors")) } == .vaultWrongKey)
    #expect(code { _ = try vault.access(with: .file(try Cryptography.randomKey(32))) } == .vaultWrongKey)
    #expect(code { _ = try Vault(path: folder.path + "/none").access(with: try passphrase()) } == .vaultMissing)
    #expect(code { try vault.create(try passphrase()) } == .vaultExists)
  }

  @Test func changeOfAnyBitIsFound() throws {
    let access = try filled(try passphrase())
    let file = try folder.bytes("state/vault")
    for index in file.indices {
      for bit in [1, 0x80] as [UInt8] {
        var changed = file
        changed[index] ^= bit
        try folder.write("state/vault", changed)
        #expect(code { _ = try vault.contents(access) } == .vaultDamaged, "byte \(index)")
      }
    }
  }

  @Test func changeByOneWhoKnowsTheFormatIsFound() throws {
    let key = try passphrase()
    _ = try filled(key)
    let file = try folder.bytes("state/vault")
    var codes: Set<SecretError.Code> = []
    for index in 0..<file.count - 32 {
      var changed = Array(file.dropLast(32))
      changed[index] ^= 1
      changed += Cryptography.digest(changed)
      try folder.write("state/vault", changed)
      let code = code { _ = try vault.contents(try vault.access(with: key)) }
      let expected: Set<SecretError.Code> =
        switch index {
        case 0..<8: [.vaultDamaged]
        case 8: [.vaultUnsupported]
        // Another derivation, other work or another salt give another key.
        case 9..<20: [.vaultDamaged, .vaultUnsupported, .vaultWrongKey]
        case 20..<84: [.vaultWrongKey]
        case 96..<100: [.vaultDamaged]
        default: [.vaultAltered]
        }
      #expect(code.map(expected.contains) == true, "byte \(index): \(code?.rawValue ?? "nothing")")
      if let code { codes.insert(code) }
    }
    #expect(codes.isSuperset(of: [.vaultDamaged, .vaultAltered, .vaultWrongKey, .vaultUnsupported]))
  }

  @Test func everyTruncationAndExtensionIsFound() throws {
    let access = try filled(try passphrase())
    let file = try folder.bytes("state/vault")
    for count in file.indices {
      try folder.write("state/vault", Array(file.prefix(count)))
      #expect(code { _ = try vault.contents(access) } == .vaultDamaged, "\(count) bytes")
    }
    try folder.write("state/vault", file + [0])
    #expect(code { _ = try vault.contents(access) } == .vaultDamaged)
    try folder.write(
      "state/vault", Array(file.dropLast(32)) + [0] + Cryptography.digest(Array(file.dropLast(32)) + [0]))
    #expect(code { _ = try vault.contents(access) } == .vaultDamaged)
  }

  @Test(
    arguments: [
      (10, [255] as [UInt8]), (10, [30]), (12, [0xFF, 0xFF, 0xFF, 0xFF]), (16, [0, 1, 0, 0]), (12, [0, 0, 0, 0]),
    ])
  func workIsBoundedBeforeItIsDone(offset: Int, field: [UInt8]) throws {
    let key = try passphrase()
    _ = try filled(key)
    var changed = Array(try folder.bytes("state/vault").dropLast(32))
    changed.replaceSubrange(offset..<offset + field.count, with: field)
    try folder.write("state/vault", changed + Cryptography.digest(changed))
    #expect(code { _ = try vault.access(with: key) } == .vaultUnsupported)
  }

  @Test func rotationReplacesKeyAndSalt() throws {
    let old = try passphrase()
    let access = try filled(old)
    let before = try folder.bytes("state/vault")
    let new = VaultKey.file(try Cryptography.randomKey(32))
    try vault.rotate(access, to: new)
    #expect(code { _ = try vault.contents(access) } == .vaultWrongKey)
    #expect(code { _ = try vault.access(with: old) } == .vaultWrongKey)
    let contents = try vault.contents(try vault.access(with: new))
    #expect(contents.entries.map(\.name.text) == ["API", "MAIL"])
    #expect(try folder.bytes("state/vault")[20..<52] != before[20..<52])
    // A backup still opens with what it was locked with.
    try folder.write("state/vault", before)
    #expect(try vault.contents(access).entries.count == 2)
  }

  @Test func failedChangeLeavesTheFileAlone() throws {
    let access = try filled(try passphrase())
    let file = try folder.bytes("state/vault")
    #expect(code { try vault.set(try name("X"), to: try SecureBytes(""), at: 0, access) } == .valueInvalid)
    #expect(code { try vault.set(try name("X"), to: try SecureBytes("a\0b"), at: 0, access) } == .valueInvalid)
    #expect(code { try vault.set(try name("X"), to: try SecureBytes([0xC3]), at: 0, access) } == .valueInvalid)
    let long = try SecureBytes([UInt8](repeating: 0x61, count: 65_537))
    #expect(code { try vault.set(try name("X"), to: long, at: 0, access) } == .valueInvalid)
    #expect(
      code { try vault.update(access) { _ throws(SecretError) in throw SecretError(.entry, .init(verbatim: "")) } }
        == .entry)
    #expect(try folder.bytes("state/vault") == file)
  }

  @Test func othersMayNotReadIt() throws {
    let access = try filled(try passphrase())
    #expect(chmod(vault.path, 0o640) == 0)
    #expect(code { _ = try vault.contents(access) } == .fileRefused)
  }

  @Test func secondWriterWaitsAndThenGivesUp() throws {
    let access = try filled(try passphrase())
    let descriptor = open(vault.path + ".lock", O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(code { try vault.set(try name("X"), to: try SecureBytes("x"), at: 0, access) } == .vaultBusy)
    #expect(try vault.contents(access).entries.count == 2)
    flock(descriptor, LOCK_UN)
    try vault.set(try name("X"), to: try SecureBytes("x"), at: 0, access)
    #expect(try vault.contents(access).entries.count == 3)
  }

  @Test func writersAtTheSameTimeLoseNothing() async throws {
    let access = try filled(try passphrase())
    let path = vault.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let vault = Vault(path: path, cost: Self.cost, patience: 60)
          try vault.set(try name("N\(number)"), to: try SecureBytes("value \(number)"), at: 0, access)
          // Whoever reads meanwhile sees a whole file.
          _ = try vault.contents(access)
        }
      }
      try await group.waitForAll()
    }
    #expect(try vault.contents(access).entries.count == 22)
  }

  @Test func leftoversOfAWriterThatWasKilledGo() throws {
    let access = try filled(try passphrase())
    try folder.write("state/vault.new-0123456789abcdef", "half")
    try vault.set(try name("X"), to: try SecureBytes("x"), at: 0, access)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state").sorted() == ["vault", "vault.lock"])
  }

  @Test func linkStaysALink() throws {
    let access = try filled(try passphrase())
    let link = folder.path + "/link"
    #expect(symlink(vault.path, link) == 0)
    try Vault(path: link, cost: Self.cost).set(try name("X"), to: try SecureBytes("x"), at: 0, access)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == vault.path)
    #expect(try vault.contents(access).entries.count == 3)
  }

  @Test(
    arguments: [
      [], [0, 0, 0], [0, 0, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0, 1],
      // A name that is none, a length beyond the end, two names out of order.
      [0, 0, 0, 1, 0, 1, 0x2F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 1, 0, 1, 0x41, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 1, 0xFF, 0xFF, 0x41],
      [0, 0, 0, 2] + [0, 1, 0x42, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8)
        + [0, 1, 0x41, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 8),
    ] as [[UInt8]])
  func contentsOfAnotherFormAreRefused(bytes: [UInt8]) throws {
    #expect(try VaultContents(decoding: try SecureBytes(bytes)) == nil)
  }

  /// What the format's description says is all it takes to read a vault without Sous: Python's scrypt and HMAC, and the
  /// counter mode inside GCM from the `openssl` command.
  @Test(.enabled(if: ["python3", "openssl"].allSatisfy { ExternalProgram.find($0) != nil }))
  func otherProgramsCanReadIt() throws {
    _ = try filled(try passphrase("grüne Möwe"))
    let script = """
      import hashlib, hmac, struct, subprocess, sys
      file = open(sys.argv[1], 'rb').read()
      assert file[:10] == b'SOUSVLT\\0\\1\\1'
      assert hashlib.sha256(file[:-32]).digest() == file[-32:]
      r, p = struct.unpack('>II', file[12:20])
      keys = hashlib.scrypt('grüne Möwe'.encode(), salt=file[20:52], n=1 << file[10], r=r, p=p, dklen=64)
      assert hmac.new(keys[32:], file[:52], 'sha256').digest() == file[52:84]
      length = struct.unpack('>I', file[96:100])[0]
      counter = file[84:96] + b'\\0\\0\\0\\2'
      plain = subprocess.run(['openssl', 'enc', '-d', '-aes-256-ctr', '-K', keys[:32].hex(), '-iv', counter.hex()],
        input=file[100:100 + length], stdout=subprocess.PIPE, check=True).stdout
      count = struct.unpack('>I', plain[:4])[0]
      at = 4
      for _ in range(count):
        size = struct.unpack('>H', plain[at:at + 2])[0]; at += 2
        name = plain[at:at + size].decode(); at += size
        size = struct.unpack('>I', plain[at:at + 4])[0]; at += 4
        value = plain[at:at + size].decode(); at += size
        time = struct.unpack('>q', plain[at:at + 8])[0]; at += 8
        print(name, repr(value), time)
      """
    let output = try ExternalProgram.run("python3", ["-c", script, vault.path])
    #expect(output == "API 'grüße\\nzwei' 1700000001\nMAIL 'canary-p4ssw0rd' 1700000000\n")
  }
}
