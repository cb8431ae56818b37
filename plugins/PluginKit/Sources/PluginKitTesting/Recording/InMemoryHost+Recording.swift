public import Foundation
import PluginKit
@_exported public import PluginRecording
import Synchronization

/// Runs a test against recorded traffic, strictly: every request has to be as recorded, and every recorded one has to be
/// made.
///
/// ```swift
/// @Test func tellsTheWeather() async throws {
///   try await withRecording("Recordings/zurich.json") { host in
///     let weather = try host.open(Weather.self)
///     let output = try await weather.call("weather.now", ["city": "Zürich"])
///     #expect(output["temperature"] == 21.5)
///   }
/// }
/// ```
///
/// With `SOUS_RECORD=1 swift test` the same test talks to the real services instead, and writes the file: requests and
/// responses without secrets. Streams are played back but not recorded this way.
///
/// - Parameters:
///   - path: The file, relative to the folder of the test's source.
///   - note: What the recording says about itself.
///   - now: What the clock shows.
///   - source: The test's source.
///   - body: The test.
/// - Throws: The error of the body; ``RecordingError`` if traffic and recording differ, or the file is missing.
public func withRecording(
  _ path: String, note: String? = nil, now: Date = Date(timeIntervalSince1970: 1_800_000_000),
  source: String = #filePath, _ body: (InMemoryHost) async throws -> Void
) async throws {
  let file = URL(filePath: source).deletingLastPathComponent().appending(path: path)
  let host = InMemoryHost(now: now)
  if ProcessInfo.processInfo.environment["SOUS_RECORD"] != nil {
    host.record()
    try await body(host)
    try host.recording(note: note).write(to: file)
  } else {
    host.replay(try Recording(contentsOf: file))
    do {
      try await body(host)
    } catch {
      // What differs says more than what came of it.
      try host.finishReplay()
      throw error
    }
    try host.finishReplay()
  }
}

extension InMemoryHost {
  /// Answers requests and streams of plugins from a recording.
  public func replay(_ recording: Recording) {
    let replay = Replay(recording)
    state.withLock { state in
      state.replay = replay
      state.service = .none
      state.peer = nil
    }
  }

  /// Ends a replay.
  ///
  /// - Throws: ``RecordingError``: `unexpected` if something was not as recorded, `unused` if something recorded
  ///   was not asked for.
  public func finishReplay() throws(RecordingError) {
    try state.withLock { $0.replay }?.finish()
  }

  /// Sends the requests of plugins to the real services, and keeps what is said for ``recording(note:)``.
  public func record() {
    let live = LiveService()
    state.withLock { $0.live = live }
  }

  /// What was said since ``record()``, without secrets.
  public func recording(note: String? = nil) -> Recording {
    let (live, secrets) = state.withLock { ($0.live, $0.knownSecrets) }
    return live?.recording(note: note, scrubber: SecretScrubber(secrets: secrets)) ?? Recording(note: note)
  }

  var scrubber: SecretScrubber { SecretScrubber(secrets: state.withLock { $0.knownSecrets }) }
}

extension Recording {
  /// Reads a file.
  ///
  /// - Throws: ``RecordingError`` if there is none, or it is no recording.
  public init(contentsOf file: URL) throws(RecordingError) {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch {
      throw RecordingError(
        .unreadable,
        "There is no recording \(file.path(percentEncoded: false)): make it with SOUS_RECORD=1 swift test. (\(error))")
    }
    try self.init(json: data)
  }

  /// Writes a file, and its folder where that is missing.
  ///
  /// - Throws: ``RecordingError``.
  public func write(to file: URL) throws(RecordingError) {
    let data = try json()
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file, options: .atomic)
    } catch {
      throw RecordingError(.unwritable, "\(file.path(percentEncoded: false)) cannot be written: \(error)")
    }
  }
}
