import Foundation
import OperatingSystem

/// The reading half of a socket that carries frames.
package enum FrameReading {
  /// Nanoseconds for which a reader that expects something looks for it before it sleeps: to be woken takes longer than many
  /// an answer. With one processor the other side needs it meanwhile.
  private static let patience: UInt64 = Processors.count > 1 ? 20_000 : 0

  /// Reads what has arrived, and waits for it; 0 and less at the end.
  ///
  /// - Parameter isExpecting: Whether something is probably on its way.
  package static func receive(_ descriptor: Int32, _ space: UnsafeMutableRawBufferPointer, isExpecting: Bool) -> Int {
    if isExpecting, patience > 0 {
      let end = now + patience
      repeat {
        let count = recv(descriptor, space.baseAddress, space.count, Int32(MSG_DONTWAIT))
        if count >= 0 || (errno != EAGAIN && errno != EINTR) { return count }
      } while now < end
    }
    while true {
      let count = recv(descriptor, space.baseAddress, space.count, 0)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static var now: UInt64 { MonotonicClock.nanoseconds }
}
