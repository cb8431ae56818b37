import PluginKit
import PluginKitTesting
import Synchronization

/// A mail server that a test plays: it keeps what it takes, and does as it is told at one point.
final class PlayedServer: Sendable {
  /// Where something goes wrong, counted over all lines that the server answers (the greeting is 0).
  enum Fault: Sendable, Equatable {
    /// The connection breaks instead of the answer.
    case breaksBeforeAnswer(Int)
    /// The connection breaks behind the answer.
    case breaksAfterAnswer(Int)
    /// The server hangs up in good order instead of the answer.
    case hangsUpBeforeAnswer(Int)
    /// It answers this.
    case answers(Int, String)
    /// It waits until ``PlayedServer/goOn()`` before it answers.
    case waits(Int)
  }

  struct Mail: Sendable, Equatable {
    var recipients: [String] = []
    var lines: [String] = []
  }

  struct State {
    var fault: Fault?
    var answered = 0
    var mails: [Mail] = []
    var commands: [String] = []
    var connections = 0
    var waiting: CheckedContinuation<Void, Never>?
    var goesOn = false
    var reached: [CheckedContinuation<Void, Never>] = []
    var hasReached = false
  }

  let keywords: [String]
  private let state: Mutex<State>

  init(_ keywords: [String] = ["PIPELINING"], fault: Fault? = nil) {
    self.keywords = keywords
    state = Mutex(State(fault: fault))
  }

  var mails: [Mail] { state.withLock { $0.mails } }
  var commands: [String] { state.withLock { $0.commands } }
  var connections: Int { state.withLock { $0.connections } }

  /// Sets what goes wrong from now on; lines are counted anew.
  func set(_ fault: Fault?) {
    state.withLock {
      $0.fault = fault
      $0.answered = 0
    }
  }

  /// Lets an answer that waits go out.
  func goOn() {
    let waiter = state.withLock { state in
      state.goesOn = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiter?.resume()
  }

  /// Returns when the server has come to where it waits.
  func hasReachedWait() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if !state.hasReached { state.reached.append(continuation) }
        return state.hasReached
      }
      if isThere { continuation.resume() }
    }
  }

  func play(_ peer: ScriptedPeer) async throws {
    state.withLock { $0.connections += 1 }
    try await answer("220 played.example ESMTP", peer)
    var mail = Mail()
    while let line = try await peer.readLine() {
      state.withLock { $0.commands.append(line) }
      let verb = line.prefix { $0 != " " && $0 != ":" }.uppercased()
      switch verb {
      case "EHLO":
        try await answer(
          (["played.example"] + keywords).enumerated().map { index, word in
            "250\(index == keywords.count ? " " : "-")\(word)"
          }.joined(separator: "\r\n"), peer)
      case "MAIL":
        mail = Mail()
        try await answer("250 2.1.0 ok", peer)
      case "RCPT":
        let address = String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
        if address.hasPrefix("nobody") {
          try await answer("550 5.1.1 no such user", peer)
        } else if address.hasPrefix("later") {
          try await answer("451 4.2.1 mailbox busy", peer)
        } else {
          mail.recipients.append(address)
          try await answer("250 2.1.5 ok", peer)
        }
      case "DATA":
        guard !mail.recipients.isEmpty else {
          try await answer("554 5.5.1 no valid recipients", peer)
          continue
        }
        try await answer("354 go ahead", peer)
        while true {
          // What has no end is no message.
          guard let text = try await peer.readLine() else { return }
          if text == "." { break }
          mail.lines.append(text)
        }
        let number = state.withLock { state in
          state.mails.append(mail)
          return state.mails.count
        }
        let isRefused = try await answer("250 2.0.0 Ok: queued as Q\(number)", peer, content: true)
        if isRefused { state.withLock { _ = $0.mails.popLast() } }
      case "AUTH": try await answer("235 2.7.0 welcome", peer)
      case "RSET": try await answer("250 2.0.0 ok", peer)
      case "QUIT":
        try await answer("221 2.0.0 bye", peer)
        return
      case "STARTTLS":
        try await answer("220 2.0.0 go ahead", peer)
        try await peer.acceptTLS()
      default: try await answer("500 5.5.2 what", peer)
      }
    }
  }

  /// - Returns: Whether the answer was another one, a refusal.
  @discardableResult
  private func answer(_ text: String, _ peer: ScriptedPeer, content isContent: Bool = false) async throws -> Bool {
    let (number, fault) = state.withLock { state in
      defer { state.answered += 1 }
      return (state.answered, state.fault)
    }
    switch fault {
    case .breaksBeforeAnswer(number): throw ActionError(.io, "The connection broke.")
    case .hangsUpBeforeAnswer(number): throw HangUp()
    case .breaksAfterAnswer(number):
      try await peer.send(text + "\r\n")
      throw ActionError(.io, "The connection broke.")
    case .answers(number, let other):
      try await peer.send(other + "\r\n")
      if other.hasPrefix("421") { throw HangUp() }
      return other.hasPrefix("4") || other.hasPrefix("5")
    case .waits(number):
      await withCheckedContinuation { continuation in
        let (goesOn, reached) = state.withLock { state in
          state.hasReached = true
          if !state.goesOn { state.waiting = continuation }
          defer { state.reached = [] }
          return (state.goesOn, state.reached)
        }
        for waiter in reached { waiter.resume() }
        if goesOn { continuation.resume() }
      }
      try await peer.send(text + "\r\n")
    default: try await peer.send(text + "\r\n")
    }
    return false
  }

  struct HangUp: Error {}

  /// Lets a host's streams come here.
  func take(streamsOf host: InMemoryHost) {
    host.accept { [self] peer in
      do { try await play(peer) } catch is HangUp { return }
    }
  }
}
