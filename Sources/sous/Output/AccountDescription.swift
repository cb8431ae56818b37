import AccountSignIn
import Expressions
import Localization
import UseCases

extension Accounts.Row {
  /// Whether all is well, as a sign.
  func mark(_ terminal: Terminal) -> String {
    switch state {
    case .signedIn: terminal.styled("✓", .green)
    case .ending: terminal.styled("!", .yellow)
    case .signInAgain, .notSignedIn: terminal.styled("✗", .red)
    }
  }

  /// The state, in words.
  var stateText: String {
    switch state {
    case .signedIn: say("signed in", de: "angemeldet")
    case .ending:
      say(
        "signed in until \(expires?.spokenLocalTime ?? ""), no refresh token",
        de: "angemeldet bis \(expires?.spokenLocalTime ?? ""), kein Refresh-Token")
    case .signInAgain: say("sign in again: sous auth login \(name)", de: "neu anmelden: sous auth login \(name)")
    case .notSignedIn: say("not signed in: sous auth login \(name)", de: "nicht angemeldet: sous auth login \(name)")
    }
  }

  /// The account for people, some lines.
  func description(_ failure: UseCaseError?) -> String {
    let terminal = Terminal()
    let mark = failure == nil ? mark(terminal) : terminal.styled("✗", .red)
    var lines = ["\(mark) \(name): \(stateText)"]
    lines.append("  \(service)" + (address.map { ", \($0)" } ?? ""))
    if state == .signedIn, let expires {
      lines.append(
        say(
          "  token until \(expires.spokenLocalTime), refreshed before that",
          de: "  Token bis \(expires.spokenLocalTime), vorher erneuert"))
    }
    if !scopes.isEmpty { lines.append("  scopes: " + scopes.joined(separator: " ")) }
    if let told = failure?.message ?? problem { lines.append("  " + terminal.styled(told.spoken, .red)) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The account for `--json`: `{name, service, address, state, expires, scopes, uses, problem?}`; never a token.
  var json: Value { json(nil) }

  /// The account for `--json`, with what went wrong just now as `error`: `{code, message}`.
  func json(_ failure: UseCaseError?) -> Value {
    var map: ValueMap = [
      "name": .string(name), "service": .string(service), "address": address.map { .string($0) } ?? .null,
      "state": .string(state.rawValue), "expires": expires.map { .string($0.rfc3339Milliseconds) } ?? .null,
      "scopes": .list(scopes.map { .string($0) }), "uses": .list(uses.map { .string($0) }),
    ]
    if let problem { map["problem"] = .string(problem.spoken) }
    if let failure {
      map["error"] = ["code": .string(failure.code.rawValue), "message": .string(failure.message.spoken)]
    }
    return .map(map)
  }
}
