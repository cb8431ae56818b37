import Foundation
import Localization
import PluginStore
import TestSupport
import Testing

/// Signatures that minisign 0.11 has made, and the same ones tampered with.
struct DetachedSignatureTests {
  static let key = "RWTV0iqR+E2yj3aq4dB36MQCD08WHYa4pd9/3NMMyuzV9wwWZD+3+hbM"
  static let message = "a plugin in a file\n"
  static let prehashed = """
    untrusted comment: signature from minisign secret key
    RUTV0iqR+E2yj36QKUI3jV+w5WlLnrDEiZTAwZnaIjJRRRkwKhHTYHCILZLuwDHBkz1jOHub/ZZCeWUDvVt1Qu32raXQ8jWH9wg=
    trusted comment: file:message version:1.2.0
    mO1zbYGg6K/LpZmS5/2Ed1W0RYYw/h8K2jPS1onnP9vUZjUxgtCkm8hMP1kJvjPvTYuNLVmqoCsoE1xTC+80AA==

    """
  static let legacy = """
    untrusted comment: signature from minisign secret key
    RWTV0iqR+E2yj6oG919YsoThoVZf0BX8LmIY2i/njKxn/zMp51lgg9KL4CZRcAwwNN19R0sLlea9tI11FrV2ayzpYet+KqNM5QY=
    trusted comment: file:message legacy
    OCVebMYtDhXQAGzzDqVStLXBXLU+FZRO5/uOyzE0G1pPfRE4vILVcO+4r6UtAHaCauwcduBGxbdjOe4zKDtmCg==

    """
  /// Of another key.
  static let foreign = """
    untrusted comment: signature from minisign secret key
    RUTtl5HT1w1xEJNviNasJJt2l57oIZmQjcdE0iiwFxRrZOsQN/6PMZcsVBQOp+Ccg0gEK9jmnNzjFoMXcp2anG5VT5I0u0GoRQI=
    trusted comment: timestamp:1795959037	file:message	hashed
    sJRykM1AFI0wp7evrmBh7BPQ9AbSXEItcYOvqTLtsJHtZYIyrcyMdlf9iIHQMwMrGqOXgat5vZWvlKNlmQHkCA==
    """

  private func verify(_ signature: String, of message: String, limit: Int = 1000) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("message", message)
    try DetachedSignature(signature, from: "message.minisig").verify(
      fileAt: file, by: try SignatureKey(Self.key), limit: limit)
  }

  @Test(arguments: [prehashed, legacy, prehashed.replacingOccurrences(of: "\n", with: "\r\n")])
  func signatureOfTheKeyIsAccepted(signature: String) throws { try verify(signature, of: Self.message) }

  @Test func trustedCommentIsRead() throws {
    #expect(try DetachedSignature(Self.prehashed, from: "x").comment == "file:message version:1.2.0")
  }

  @Test(arguments: [
    (prehashed, "a plugin in a file!"), (legacy, "a plugin in a file!"), (foreign, message), (prehashed, ""),
    (prehashed.replacingOccurrences(of: "version:1.2.0", with: "version:9.9.9"), message),
    // One bit of the signature, of the key id, of the global signature.
    (prehashed.replacingOccurrences(of: "LuwDHBkz1", with: "LuwDHBkz2"), message),
    (prehashed.replacingOccurrences(of: "mO1zbYGg", with: "mO1zbYGh"), message),
    (prehashed.replacingOccurrences(of: "RUTV", with: "RWTV"), message),
    (legacy.replacingOccurrences(of: "RWTV", with: "RUTV"), message),
  ])
  func tamperedFileOrSignatureIsRefused(signature: String, message: String) throws {
    #expect(throws: PluginStoreError(.wrongSignature, .init(verbatim: ""))) { try verify(signature, of: message) }
  }

  @Test(arguments: [
    "", "hello", "untrusted comment: x\nRUTV\ntrusted comment: y\nAAAA", String(repeating: "x", count: 100_000),
    prehashed + prehashed, prehashed.replacingOccurrences(of: "\ntrusted comment: ", with: "\ncomment: "),
  ])
  func textsThatAreNoSignatureAreRefused(text: String) {
    #expect(throws: PluginStoreError(.wrongSignature, .init(verbatim: ""))) { try DetachedSignature(text, from: "x") }
  }

  @Test func legacySignatureOfALargerFileThanAllowedIsRefused() throws {
    #expect(throws: PluginStoreError(.wrongSignature, .init(verbatim: ""))) {
      try verify(Self.legacy, of: Self.message, limit: 5)
    }
  }

  @Test func keyIsReadFromItsFile() throws {
    let file = "untrusted comment: minisign public key 8FB24DF8912AD2D5\n\(Self.key)\n"
    #expect(try SignatureKey(file) == SignatureKey(Self.key))
    #expect(try SignatureKey(Self.key).name == "8FB24DF8912AD2D5")
  }

  @Test(arguments: ["", "RW", "untrusted comment: x", "AAAA" + String(key.dropFirst(4)), key + key])
  func textsThatAreNoKeyAreRefused(text: String) {
    #expect(throws: PluginStoreError(.wrongSignature, .init(verbatim: ""))) { try SignatureKey(text) }
  }
}
