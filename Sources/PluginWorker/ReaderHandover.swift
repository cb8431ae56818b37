import Foundation
import OperatingSystem
import Synchronization

/// Who reads the socket in a worker: one thread at a time, which also calls the plugin.
///
/// A call that answers at once costs no change of threads that way. When the plugin keeps the reader for longer than a
/// moment, or waits for the host, another thread takes the role over, so that further calls and cancels get through; the
/// old one goes when the plugin returns.
final class ReaderHandover: Sendable {
  /// Microseconds that the plugin may keep the reader.
  private static let moment: UInt32 = 5_000
  /// Moments without a call after which the watcher sleeps until the next one.
  private static let quietMoments = 200

  /// A number that grows with every change; odd while the plugin has the reader.
  private let state = Atomic<UInt64>(0)
  private let isWatching = Atomic<Bool>(false)
  private let wake = DispatchSemaphore(value: 0)
  private let thread = Atomic<UInt>(0)
  private let handedOver = Atomic<UInt32>(0)
  private let limit: UInt32
  private let read: @Sendable (ReaderHandover) -> Void

  /// - Parameters:
  ///   - limit: The most threads that the plugin may keep.
  ///   - read: Reads until ``leave(_:)`` returns `false`: then another thread reads.
  init(limit: UInt32, read: @escaping @Sendable (ReaderHandover) -> Void) {
    self.limit = limit
    self.read = read
  }

  /// Starts the watcher, and reads on the calling thread.
  func run() {
    NamedThread.start("reader-watcher") { [self] in watch() }
    begin()
  }

  private func begin() {
    thread.store(UInt(pthread_self()), ordering: .releasing)
    read(self)
  }

  /// The plugin is about to be called by the reader.
  func enter() -> UInt64 {
    let mark = (state.load(ordering: .relaxed) &+ 2) | 1
    state.store(mark, ordering: .sequentiallyConsistent)
    if !isWatching.load(ordering: .sequentiallyConsistent) {
      isWatching.store(true, ordering: .sequentiallyConsistent)
      wake.signal()
    }
    return mark
  }

  /// The plugin has returned; `false` if another thread reads by now, and the calling one has to go.
  func leave(_ mark: UInt64) -> Bool {
    state.compareExchange(
      expected: mark, desired: mark &+ 1, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Lets another thread read where the calling one is the reader: it is about to wait for the host.
  func handOverIfReading() {
    guard thread.load(ordering: .acquiring) == UInt(pthread_self()) else { return }
    let mark = state.load(ordering: .sequentiallyConsistent)
    if mark & 1 == 1 { handOver(mark) }
  }

  private func handOver(_ mark: UInt64) {
    guard handedOver.load(ordering: .relaxed) < limit,
      state.compareExchange(expected: mark, desired: mark &+ 1, ordering: .sequentiallyConsistent).exchanged
    else { return }
    // The role is free: no thread reads until the new one does.
    thread.store(0, ordering: .releasing)
    handedOver.wrappingAdd(1, ordering: .relaxed)
    NamedThread.start("reader") { [self] in begin() }
  }

  /// A thread that had handed its role over goes.
  func gone() { handedOver.wrappingSubtract(1, ordering: .relaxed) }

  private func watch() {
    while true {
      wake.wait()
      var last = state.load(ordering: .sequentiallyConsistent)
      var quiet = 0
      while true {
        usleep(ReaderHandover.moment)
        let now = state.load(ordering: .sequentiallyConsistent)
        if now != last {
          last = now
          quiet = 0
        } else if now & 1 == 1 {
          handOver(now)
        } else {
          quiet += 1
        }
        guard quiet >= ReaderHandover.quietMoments else { continue }
        isWatching.store(false, ordering: .sequentiallyConsistent)
        if state.load(ordering: .sequentiallyConsistent) == now { break }
        isWatching.store(true, ordering: .sequentiallyConsistent)
        quiet = 0
      }
    }
  }
}
