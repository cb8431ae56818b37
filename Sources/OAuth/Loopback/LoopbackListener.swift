import Glibc
import Localization

/// Waits on 127.0.0.1 for the browser to come back (RFC 8252, section 7.3). One thread; bounds on all that a client can do.
final class LoopbackListener {
  /// The port it listens at.
  let port: Int

  private let descriptor: Int32
  private var clients: [Client] = []

  private struct Client {
    let descriptor: Int32
    let end: ContinuousClock.Instant
    var bytes: [UInt8] = []
  }

  /// How many connections are open at a time; browsers open some that they do not use.
  private static let mostClients = 16
  /// How long a client may take for its request.
  private static let clientPatience = Duration.seconds(20)

  /// Listens from now on.
  ///
  /// - Parameter port: The port; 0 for one that is free.
  /// - Throws: ``OAuthError/Code/redirect``
  init(port: Int) throws(OAuthError) {
    descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure(errno, port) }
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listening = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listening, address, length) == 0 && listen(listening, 16) == 0
          && getsockname(listening, address, &length) == 0
      }
    }
    guard isBound else {
      let problem = errno
      close(descriptor)
      throw Self.failure(problem, port)
    }
    self.port = Int(in_port_t(bigEndian: address.sin_port))
  }

  deinit {
    close(descriptor)
    for client in clients { close(client.descriptor) }
  }

  /// Waits for the answer. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - patience: How long.
  ///   - isCancelled: Whether to stop; asked several times a second.
  ///   - accept: The result of a query; `nil` for one that is not the answer.
  /// - Throws: ``OAuthError/Code/timedOut``, ``OAuthError/Code/cancelled``
  func wait<Answer>(
    patience: Duration, isCancelled: () -> Bool = { false }, accept: (Substring) -> Answer?
  ) throws(OAuthError) -> Answer {
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
      if isCancelled() { throw OAuthError.cancelled }
      for index in poll() {
        guard let reading = read(index) else { continue }
        switch reading {
        case .incomplete: continue
        case .refused(let status): finish(index, RedirectPage.refusal(status))
        case .query(let query):
          let answer = accept(query[...])
          finish(index, RedirectPage.answer(isReceived: answer != nil))
          if let answer { return answer }
        }
      }
      dropSettled()
    }
    let seconds = Int(patience.components.seconds)
    throw OAuthError(
      .timedOut,
      LocalizedText(
        "the browser did not come back within \(seconds) s",
        de: "der Browser kam nicht innerhalb von \(seconds) s zurück"),
      advice: LocalizedText(
        "on a machine without a browser use --device", de: "auf einer Maschine ohne Browser hilft --device"))
  }

  // MARK: - Sockets

  /// Waits a moment; takes a new client; the indices of clients that have sent something.
  private func poll() -> [Int] {
    var descriptors = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    guard Glibc.poll(&descriptors, nfds_t(descriptors.count), 200) > 0 else { return [] }
    let ready = descriptors.dropLast().indices.filter { descriptors[$0].revents != 0 }
    if let listening = descriptors.last, listening.revents != 0 {
      let accepted = accept(descriptor, nil, nil)
      if accepted >= 0 {
        if clients.count < Self.mostClients, fcntl(accepted, F_SETFD, FD_CLOEXEC) == 0,
          fcntl(accepted, F_SETFL, O_NONBLOCK) == 0
        {
          clients.append(Client(descriptor: accepted, end: .now + Self.clientPatience))
        } else {
          close(accepted)
        }
      }
    }
    return ready
  }

  /// Reads what a client has sent; `nil` if it is gone.
  private func read(_ index: Int) -> RedirectHead.Reading? {
    guard clients.indices.contains(index) else { return nil }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(clients[index].descriptor, &buffer, buffer.count)
    if count > 0 {
      clients[index].bytes += buffer.prefix(count)
      return RedirectHead.read(clients[index].bytes)
    }
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return .incomplete }
    settle(index)
    return nil
  }

  /// Answers a client and lets it go. A page fits into a socket's buffer.
  private func finish(_ index: Int, _ response: [UInt8]) {
    guard clients.indices.contains(index) else { return }
    _ = send(clients[index].descriptor, response, response.count, Int32(MSG_NOSIGNAL))
    _ = shutdown(clients[index].descriptor, Int32(SHUT_WR))
    settle(index)
  }

  private func settle(_ index: Int) {
    close(clients[index].descriptor)
    clients[index] = Client(descriptor: -1, end: .now)
  }

  private func dropSettled() {
    let now = ContinuousClock.now
    for client in clients where client.descriptor >= 0 && client.end <= now { close(client.descriptor) }
    clients.removeAll { $0.descriptor < 0 || $0.end <= now }
  }

  private static func failure(_ code: Int32, _ port: Int) -> OAuthError {
    OAuthError(
      .redirect,
      LocalizedText(
        "the answer of the browser cannot be waited for on 127.0.0.1, port \(port): ",
        de: "auf die Antwort des Browsers kann auf 127.0.0.1, Port \(port), nicht gewartet werden: ")
        + .systemError(code),
      advice: LocalizedText(
        "use --device, or another redirect_port", de: "--device oder ein anderer redirect_port hilft"))
  }
}
