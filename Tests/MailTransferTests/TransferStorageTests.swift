import Engine
import Foundation
import RunStore
import Testing
import UseCases

@testable import MailTransfer

/// Messages on their way from one mailbox to another.
@Suite(.timeLimit(.minutes(5))) struct TransferStorageTests {
  private func digest(of bytes: [UInt8], cutAt piece: Int) async throws -> String {
    let folder = NSTemporaryDirectory() + "/passing-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try RunStore(path: folder + "/sous.db", time: SystemTime())
    let storage = TransferStorage(store)
    let number = try storage.createBlob()
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try storage.append(Array(bytes[start..<min(start + piece, bytes.count)]), toBlob: number)
    }
    let blob = "blob:sha256:" + (try storage.finishBlob(number))
    let message = TransferMessage(
      uid: "1", blob: blob, offset: 0, size: bytes.count, flags: [], received: nil)
    let digest = try storage.digest(of: message)
    try await store.close()
    return digest
  }

  /// What memory does not hold lies in a file; it is read the same, across the pieces that came.
  @Test(arguments: [3, 70]) func valuesAreReadAsTheyWereWritten(_ mebibytes: Int) async throws {
    let folder = NSTemporaryDirectory() + "/passing-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try RunStore(path: folder + "/sous.db", time: SystemTime())
    let storage = TransferStorage(store)
    let number = try storage.createBlob()
    for piece in 0..<mebibytes {
      try storage.append([UInt8](repeating: UInt8(piece), count: 1 << 20), toBlob: number)
    }
    let blob = try storage.finishBlob(number)
    let last = UInt8(mebibytes - 1)
    let end = mebibytes << 20
    #expect(try storage.readBlob(hash: blob, offset: (1 << 20) - 2, length: 4) == [0, 0, 1, 1])
    #expect(try storage.readBlob(hash: blob, offset: UInt64(end - 2), length: 9) == [last, last])
    #expect(try storage.readBlob(hash: blob, offset: UInt64(end), length: 9).isEmpty)
    storage.forget(blob: "blob:sha256:" + blob)
    #expect(throws: StorageFailure.self) { try storage.readBlob(hash: blob, offset: 0, length: 1) }
    try await store.close()
  }

  /// A server that gives bare line feeds may take whole line ends: both are the same message, wherever it is cut.
  @Test func lineEndsTellNoMessagesApart() async throws {
    let line = String(repeating: "x", count: 62)
    let bare = "A: b\n\n" + String(repeating: line + "\n", count: 33_000) + "end"
    let whole = bare.replacing("\n", with: "\r\n")
    // A CR ends the first mebibyte that is read at once.
    let mixed = "A: b\r\n\n" + String(repeating: line + "\r\n", count: 33_000) + "end"
    let digests = [
      try await digest(of: Array(bare.utf8), cutAt: 1000), try await digest(of: Array(whole.utf8), cutAt: 1 << 20),
      try await digest(of: Array(mixed.utf8), cutAt: 77_777),
    ]
    #expect(Set(digests).count == 1)
    let other = try await digest(of: Array((bare + "\n").utf8), cutAt: 1000)
    #expect(!digests.contains(other))
  }

  /// A CR at the very end of what is read at once belongs to the LF after it.
  @Test(arguments: [(1 << 20) - 1, 1 << 20, (1 << 20) + 1])
  func lineEndsMayBeCut(_ place: Int) async throws {
    let text = String(repeating: "y", count: place - 1)
    let whole = try await digest(of: Array((text + "\r\nz").utf8), cutAt: 4096)
    let bare = try await digest(of: Array((text + "\nz").utf8), cutAt: 4096)
    #expect(whole == bare)
  }
}
