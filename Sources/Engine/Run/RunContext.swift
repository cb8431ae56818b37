import Recipes

/// What the tasks of one run share.
struct RunContext: Sendable {
  let plan: Plan
  let run: RunID
  let recorder: any RunRecorder
  let providers: any ProviderDirectory
  let time: any TimeSource
  let observer: any RunObserver
  let random: @Sendable () -> Double
  let defaultTimeout: Double
  let request: RunRequest
  let runner: Runner
  let lines: LogLines
  let stopSignal = StopSignal()

  /// Writes entries to the journal, then shows them to the watcher.
  func record(_ entries: [JournalEntry], _ durability: Durability) async throws {
    try await recorder.record(entries, durability: durability)
    for entry in entries { observer.observe(.journal(entry)) }
  }
}
