import Foundation
import Localization
import Synchronization
import TestSupport
import Testing

@testable import Secrets

struct VaultKeyringTests {
  let folder: TemporaryFolder
  let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = Vault(path: folder.path + "/vault", cost: VaultTests.cost)
  }

  private func code(_ body: () throws -> Void) -> SecretError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SecretError)?.code
    }
  }

  private func keyring(
    _ environment: [String: String] = [:], question: VaultKeyring.Question? = nil
  ) -> VaultKeyring {
    VaultKeyring(environment: environment.merging(["HOME": folder.path]) { given, _ in given }, question: question)
  }

  private func lockWithPassphrase() throws { try vault.create(.passphrase(try SecureBytes("open sesame"))) }

  @Test func passphraseComesFromAFile() throws {
    try lockWithPassphrase()
    let right = try folder.write("right", "open sesame\n")
    let wrong = try folder.write("wrong", "open barley\n")
    let open = try folder.write("open", "open sesame\n", mode: 0o644)
    let variable = VaultKeyring.passphraseFileVariable
    #expect(code { _ = try keyring([variable: right]).unlock(vault) } == nil)
    #expect(code { _ = try keyring([variable: wrong]).unlock(vault) } == .vaultWrongKey)
    #expect(code { _ = try keyring([variable: open]).unlock(vault) } == .fileRefused)
    #expect(code { _ = try keyring([variable: folder.path + "/none"]).unlock(vault) } == .file)
    #expect(code { _ = try keyring().unlock(vault) } == .vaultLocked)
  }

  @Test func passphraseComesFromADescriptorThatNoChildInherits() throws {
    try lockWithPassphrase()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    _ = "open sesame\n".withCString { write(ends[1], $0, 12) }
    close(ends[1])
    let keyring = keyring([VaultKeyring.passphraseDescriptorVariable: "\(ends[0])"])
    #expect(fcntl(ends[0], F_GETFD) == FD_CLOEXEC)
    #expect(code { _ = try keyring.unlock(vault) } == nil)
  }

  @Test func keysComeFromSystemd() throws {
    try lockWithPassphrase()
    try folder.write(VaultKeyring.passphraseCredential, "open sesame")
    let environment = ["CREDENTIALS_DIRECTORY": folder.path]
    let access = try keyring(environment).unlock(vault)
    let key = try Cryptography.randomKey(32)
    try vault.rotate(access, to: .file(key))
    #expect(code { _ = try keyring(environment).unlock(vault) } == .vaultLocked)
    try folder.write(VaultKeyring.keyCredential, key.withBytes { Array($0) })
    #expect(code { _ = try keyring(environment).unlock(vault) } == nil)
  }

  @Test func personHasThreeTries() throws {
    try lockWithPassphrase()
    let asked = Mutex(0)
    let keyring = keyring(question: { _ throws(SecretError) in
      let round = asked.withLock { asked in
        asked += 1
        return asked
      }
      return try SecureBytes(round == 3 ? "open sesame" : "open barley")
    })
    #expect(code { _ = try keyring.unlock(vault) } == nil)
    #expect(asked.withLock { $0 } == 3)
    #expect(code { _ = try keyring.unlock(vault) } == .vaultWrongKey)
    #expect(asked.withLock { $0 } == 6)
  }

  @Test func callingTheEntryOffEndsIt() throws {
    try lockWithPassphrase()
    let keyring = keyring(question: { _ throws(SecretError) in throw SecretError(.entry, .init(verbatim: "off")) })
    #expect(code { _ = try keyring.unlock(vault) } == .entry)
    let noTerminal = self.keyring(question: { _ throws(SecretError) in
      throw SecretError(.noTerminal, .init(verbatim: ""))
    })
    #expect(code { _ = try noTerminal.unlock(vault) } == .vaultLocked)
  }

  @Test func keyFileIsMadeWhereItIsNamedAndFoundAgain() throws {
    let path = folder.path + "/deep/er/key"
    let keyring = keyring([VaultKeyring.keyFileVariable: path])
    let key = try #require(try keyring.keyForNewVault())
    #expect(folder.permissions("deep/er/key") == 0o600)
    #expect(folder.permissions("deep/er") == 0o700)
    try vault.create(key)
    #expect(code { _ = try keyring.unlock(vault) } == nil)
    #expect(code { _ = try KeyFile(path: path).create() } == .fileRefused)
    #expect(chmod(path, 0o644) == 0)
    #expect(code { _ = try keyring.unlock(vault) } == .fileRefused)
    try folder.write("deep/er/key", "short")
    #expect(code { _ = try keyring.unlock(vault) } == .fileInvalid)
    try folder.write("deep/er/key", try Cryptography.randomBytes(32))
    #expect(code { _ = try keyring.unlock(vault) } == .vaultWrongKey)
  }

  @Test func standardKeyFileIsUsedWhereItExists() throws {
    #expect(try keyring().keyForNewVault() == nil)
    #expect(keyring().standardKeyFile.path == folder.path + "/.config/sous/vault.key")
    let key = try keyring().standardKeyFile.create()
    try vault.create(key)
    #expect(try keyring().keyForNewVault() != nil)
    #expect(code { _ = try keyring().unlock(vault) } == nil)
  }

  @Test func interruptedChangeOfTheKeyFileLocksNobodyOut() throws {
    let file = keyring().standardKeyFile
    try vault.create(try file.create())
    let access = try keyring().unlock(vault)
    try file.replaceKey { key throws(SecretError) in
      // Before the vault has the new key, and after it.
      #expect(code { _ = try keyring().unlock(vault) } == nil)
      try vault.rotate(access, to: key)
      #expect(code { _ = try keyring().unlock(vault) } == nil)
    }
    #expect(code { _ = try keyring().unlock(vault) } == nil)
  }

  @Test func crashAfterTheVaultHasTheNewKeyLosesItNotInTheNextRotation() throws {
    let file = keyring().standardKeyFile
    try vault.create(try file.create())
    let crash = SecretError(.system, LocalizedText(verbatim: "crash"))
    try? file.replaceKey { key throws(SecretError) in
      try vault.rotate(try keyring().unlock(vault), to: key)
      throw crash
    }
    try? file.replaceKey { _ throws(SecretError) in throw crash }
    #expect(code { _ = try keyring().unlock(vault) } == nil)
  }

  @Test func vaultsThatShareAKeyFileOpenAfterOneIsRotated() throws {
    let file = keyring().standardKeyFile
    let other = Vault(path: folder.path + "/other", cost: VaultTests.cost)
    let key = try file.create()
    for vault in [vault, other] { try vault.create(key) }
    for _ in 0..<3 {
      let access = try keyring().unlock(vault)
      try file.replaceKey { key throws(SecretError) in try vault.rotate(access, to: key) }
    }
    #expect(folder.permissions(".config/sous/vault.key.old") == 0o600)
    #expect(code { _ = try keyring().unlock(other) } == nil)
    // A vault that is locked with the new key does not open with a former one.
    #expect(code { _ = try vault.access(with: key) } == .vaultWrongKey)
  }

  @Test func shortPassphrasesAreRefused() throws {
    #expect(code { _ = try VaultKeyring.checkedNew(try SecureBytes("1234567")) } == .valueInvalid)
    #expect(code { _ = try VaultKeyring.checkedNew(try SecureBytes("12345678")) } == nil)
  }

  @Test func sourceFindsTheNewKeyAfterARotation() throws {
    let file = keyring().standardKeyFile
    try vault.create(try file.create())
    let access = try keyring().unlock(vault)
    try vault.set(try name("A"), to: try SecureBytes("first"), at: 0, access)
    let source = VaultSource(vault, keyring: keyring())
    #expect(try source.find(try name("A")).text == "first")
    try file.replaceKey { key throws(SecretError) in try vault.rotate(access, to: key) }
    #expect(try source.find(try name("A")).text == "first")
    #expect(try source.names()?.map(\.text) == ["A"])
    #expect(try source.find(try name("B")).text == nil)
    #expect(try VaultSource(Vault(path: folder.path + "/none"), keyring: keyring()).find(try name("A")).text == nil)
  }
}
