import Engine
import RunStore

extension RunStore {
  /// Records entries in as many transactions as there are pieces of `size` entries.
  func record(_ entries: [JournalEntry], inPiecesOf size: Int) async throws {
    for begin in stride(from: 0, to: entries.count, by: size) {
      try await record(Array(entries[begin..<min(begin + size, entries.count)]), durability: .committed)
    }
  }
}
