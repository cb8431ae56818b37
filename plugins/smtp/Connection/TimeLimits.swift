/// How long something may take (RFC 5321, section 4.5.3.2, which allows more for most).
struct TimeLimits: Sendable {
  /// Until the connection is established.
  var connect = Duration.seconds(15)
  /// Until a command is answered.
  var command = Duration.seconds(60)
  /// Until a piece of a message has gone out.
  var data = Duration.seconds(180)
  /// Until the server says whether it takes a message. Ten minutes as the RFC has it: who gives up earlier does not know
  /// whether the message was sent.
  var end = Duration.seconds(600)
  /// How long a connection waits for the next message.
  var idle = Duration.seconds(20)

  init() {}

  init(_ configuration: SMTPConfiguration.Timeouts?) {
    self.init()
    if let value = configuration?.connect { connect = .seconds(value) }
    if let value = configuration?.command { command = .seconds(value) }
    if let value = configuration?.data { data = .seconds(value) }
    if let value = configuration?.end { end = .seconds(value) }
    if let value = configuration?.idle { idle = .seconds(value) }
  }
}
