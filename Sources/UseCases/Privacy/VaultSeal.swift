import Builtins
import Engine
import Expressions
import Foundation
import Localization
import Secrets
import Synchronization

/// Seals personal data with a key that the vault keeps; where there is no vault, or nobody who can open it, with a key that
/// ends with this process.
final class VaultSeal: PersonalDataSeal {
  /// The vault's entry; a new key of the vault leaves it as it is.
  private static let entry = "sous.seal"
  private static let purpose = "sous personal data 1"
  private static let lasting = "sealed:1:"
  private static let passing = "sealed-in-memory:1:"

  /// The key of this process, made when it is first needed.
  private static let processKey = Mutex<SealingKey?>(nil)

  private let vault: OpenedVault
  private let vaultKey = Mutex<SealingKey?>(nil)

  init(_ vault: OpenedVault) { self.vault = vault }

  /// Whether a text looks like one that was sealed.
  static func isSealed(_ text: String) -> Bool { text.hasPrefix(lasting) || text.hasPrefix(passing) }

  func seal(_ bytes: [UInt8]) throws(ActionFailure) -> String {
    do throws(SecretError) {
      // A vault that is there and cannot be opened is an error: with another key nobody could open this later.
      if let key = try lastingKey(makes: true) {
        return Self.lasting + Data(try key.seal(bytes, for: Self.purpose)).base64EncodedString()
      }
      return Self.passing + Data(try passingKey().seal(bytes, for: Self.purpose)).base64EncodedString()
    } catch {
      throw ActionFailure(.io, error.message)
    }
  }

  func open(_ sealed: String) throws(ActionFailure) -> [UInt8] {
    let isLasting = sealed.hasPrefix(Self.lasting)
    guard Self.isSealed(sealed),
      let bytes = Data(base64Encoded: String(sealed.dropFirst((isLasting ? Self.lasting : Self.passing).count)))
    else {
      throw ActionFailure(.invalidInput, .init("this is no sealed mapping", de: "das ist keine versiegelte Zuordnung"))
    }
    do {
      guard let key = try isLasting ? lastingKey(makes: false) : passingKey() else {
        let path = vault.vault.path
        throw ActionFailure(
          .invalidInput,
          vault.vault.exists
            ? .init(
              "\(path) does not have the key that sealed the mapping; run the command in the project that made it",
              de:
                "in \(path) fehlt der Schlüssel, der die Zuordnung versiegelt hat; den Befehl in dem Projekt aufrufen, das sie erstellt hat"
            )
            : .init(
              "no vault at \(path): run the command in the project that made the mapping",
              de: "kein Tresor in \(path): den Befehl in dem Projekt aufrufen, das die Zuordnung erstellt hat"))
      }
      guard let plain = try key.open(Array(bytes), for: Self.purpose) else {
        throw isLasting
          ? ActionFailure(
            .invalidInput,
            .init(
              "the sealed mapping was altered, or belongs to another vault",
              de: "die versiegelte Zuordnung wurde verändert, oder sie gehört zu einem anderen Tresor")) : .mappingGone
      }
      return plain
    } catch let error as ActionFailure {
      throw error
    } catch let error as SecretError {
      throw ActionFailure(.auth, error.message)
    } catch {
      throw ActionFailure(.io, LocalizedText(verbatim: "\(error)"))
    }
  }

  /// Whether what is sealed can be opened when this process has ended.
  var isLasting: Bool { (try? lastingKey(makes: true)) != nil }

  /// The key of the vault; `nil` where there is no vault, or no key in it.
  private func lastingKey(makes: Bool) throws(SecretError) -> SealingKey? {
    if let key = vaultKey.withLock({ $0 }) { return key }
    guard vault.vault.exists else { return nil }
    let name = try SecretName(checking: Self.entry)
    if let text = try vault.value(of: name)?.text, let key = try SealingKey(text) {
      vaultKey.withLock { $0 = key }
      return key
    }
    guard makes else { return nil }
    try vault.set(name, to: SealingKey().text(), at: SystemTime().now.seconds, keepsMark: true)
    // Of two processes that make one at once, the later one's counts: it is read again.
    guard let text = try vault.value(of: name)?.text, let key = try SealingKey(text) else { return nil }
    vaultKey.withLock { $0 = key }
    return key
  }

  private func passingKey() throws(SecretError) -> SealingKey {
    try Self.processKey.withLock { key throws(SecretError) in
      if let key { return key }
      let new = try SealingKey()
      key = new
      return new
    }
  }
}
