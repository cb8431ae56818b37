import Foundation
import OperatingSystem
import Synchronization

/// The writing half of a socket that carries frames.
///
/// Frames are written from the thread that has one, with one system call. A host never waits for a worker that does not
/// read: what the socket does not take is kept, and a thread of its own sends it later.
package final class FrameSocket: Sendable {
  package enum Waiting: Sendable {
    /// A full socket holds the writer up: the plugin's own threads.
    case blocks
    /// Bytes that a full socket does not take are queued, up to a limit.
    case queues(limit: Int)
  }

  /// The number under which a worker finds its socket: behind its three standard descriptors.
  package static let numberInWorker: Int32 = 3

  private struct State {
    var descriptor: Int32
    var isClosed = false
    /// Frames to send, the first from an offset.
    var queue: [[UInt8]] = []
    var offset = 0
    var queued = 0
    var hasWriter = false
  }

  private let waiting: Waiting
  /// Called once, when the other side does not take what it is sent.
  private let onTrouble: @Sendable () -> Void
  private let state: Mutex<State>

  package init(descriptor: Int32, waiting: Waiting, onTrouble: @escaping @Sendable () -> Void) {
    self.waiting = waiting
    self.onTrouble = onTrouble
    state = Mutex(State(descriptor: descriptor))
  }

  /// Sends a frame; after the end it goes nowhere.
  package func send(_ frame: [UInt8]) {
    let isInTrouble = state.withLock { state in
      guard !state.isClosed else { return false }
      var offset = 0
      if state.queue.isEmpty {
        offset = write(frame, from: 0, to: state.descriptor, state: &state)
        if offset == frame.count || state.isClosed { return false }
      }
      guard case .queues(let limit) = waiting else { return false }
      guard state.queued + frame.count <= limit else {
        state.isClosed = true
        state.queue = []
        return true
      }
      if state.queue.isEmpty { state.offset = offset }
      state.queue.append(frame)
      state.queued += frame.count
      if !state.hasWriter {
        state.hasWriter = true
        startWriter()
      }
      return false
    }
    if isInTrouble { onTrouble() }
  }

  /// Nothing is sent from now on. The descriptor stays: its owner closes it.
  package func stop() {
    state.withLock { state in
      state.isClosed = true
      state.queue = []
      state.queued = 0
    }
  }

  /// Writes what the socket takes, or all of it where the writer may wait.
  private func write(_ frame: [UInt8], from start: Int, to descriptor: Int32, state: inout State) -> Int {
    var blocks = false
    if case .blocks = waiting { blocks = true }
    let flags = Int32(MSG_NOSIGNAL) | (blocks ? 0 : Int32(MSG_DONTWAIT))
    return frame.withUnsafeBytes { bytes in
      var offset = start
      while offset < bytes.count, let base = bytes.baseAddress {
        let count = Foundation.send(descriptor, base + offset, bytes.count - offset, flags)
        if count > 0 {
          offset += count
        } else if errno == EINTR {
          continue
        } else {
          if errno != EAGAIN { state.isClosed = true }
          break
        }
      }
      return offset
    }
  }

  private func startWriter() {
    // Ends when nothing is left, or the socket is at its end.
    NamedThread.start("worker-writer") { [self] in
      while true {
        let descriptor: Int32? = state.withLock { state in
          while let frame = state.queue.first, !state.isClosed {
            state.offset = write(frame, from: state.offset, to: state.descriptor, state: &state)
            guard state.offset == frame.count else { return state.isClosed ? nil : state.descriptor }
            state.queue.removeFirst()
            state.queued -= frame.count
            state.offset = 0
          }
          state.hasWriter = false
          return nil
        }
        guard let descriptor else { return }
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&place, 1, 1000)
      }
    }
  }
}
