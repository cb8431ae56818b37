/// What a reply was an answer to; decides what a refusal means.
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
