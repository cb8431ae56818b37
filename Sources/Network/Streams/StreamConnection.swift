/// A byte stream.
///
/// Every function may be called from any thread, never blocks, and does nothing after the end. Letting go of the
/// connection does not close it.
public final class StreamConnection: Sendable {
  init() {}

  /// Sends bytes, in order.
  public func write(_ bytes: some Sequence<UInt8>) {}

  /// Begins TLS as a client, behind what was written before; then the handler's `secured`, or its `end`.
  ///
  /// Bytes that came in plain text and were not handed over when this is called end the stream with
  /// ``NetworkError/Code/plaintextBehindTLS`` (RFC 3207, section 6; CVE-2011-0411). A caller looks itself at what stands
  /// behind the line it reacts to in the piece it got: that must be nothing.
  public func startTLS() {}

  /// Says that so many further bytes may come.
  public func consumed(_ count: Int) {}

  /// Closes after what was written has been sent. Idempotent.
  public func close() {}

  /// Ends the stream at once, with the handler's `end`. Idempotent.
  public func cancel() {}
}
