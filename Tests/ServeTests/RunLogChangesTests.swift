import Foundation
import Testing

@testable import Serve
@testable import UseCases

@Suite(.timeLimit(.minutes(5))) struct RunLogChangesTests {
  @Test func eachListenerIsToldAndBeatsAreNotQueued() async {
    let pulse = RunLogChanges()
    let streams = [pulse.beats(), pulse.beats()]
    pulse.beat()
    pulse.beat()
    for stream in streams {
      var beats = stream.makeAsyncIterator()
      #expect(await beats.next(isolation: nil) != nil)
    }
    #expect(pulse.count == 2)
  }

  @Test func whoStopsListeningIsForgotten() async {
    let pulse = RunLogChanges()
    let listener = Task {
      for await _ in pulse.beats() {}
    }
    while pulse.count == 0 { await Task.yield() }
    listener.cancel()
    await listener.value
    #expect(pulse.count == 0)
  }

  @Test func aTransactionOfAnotherProcessBeats() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pulse-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let pulse = RunLogChanges()
    var beats = pulse.beats().makeAsyncIterator()
    let pump = Task { await pulse.beat(with: QueueWatch(folder + "/sous.db")) }
    // Again and again: it may not watch yet.
    let writer = Task {
      while !Task.isCancelled {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/sous.db-wal"), options: [])
        await Task.yield()
      }
    }
    #expect(await beats.next(isolation: nil) != nil)
    writer.cancel()
    _ = await writer.result
    pump.cancel()
    await pump.value
  }
}
