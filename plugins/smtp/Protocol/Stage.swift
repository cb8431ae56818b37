/// The command of a reply, which decides the meaning of a refusal.
enum Stage: Sendable, Hashable {
  case greeting
  case hello
  case startTLS
  case signIn
  case sender
  case recipient
  case content
  case reset
}
