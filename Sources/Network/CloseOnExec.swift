import Glibc
import NIOCore

extension Channel {
  /// Keeps a program that this process starts, such as the one that reports a crash, from holding the socket open: NIO
  /// opens its sockets without that. To be called on the channel's loop.
  func closeOnExec() {
    _ = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
      fcntl(socket, F_SETFD, FD_CLOEXEC)
    }
  }
}
