import Glibc
package import NIOCore

extension Channel {
  /// Sets close-on-exec on the socket, which NIO does not: otherwise a program that this process starts, such as the crash
  /// reporter, would keep the socket open. Call it on the channel's event loop.
  package func closeOnExec() {
    _ = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
      fcntl(socket, F_SETFD, FD_CLOEXEC)
    }
  }
}
