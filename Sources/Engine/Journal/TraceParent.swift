/// The position of a caller in a trace that began elsewhere: the field `traceparent` of a request (W3C Trace Context).
///
/// See <https://www.w3.org/TR/trace-context/#traceparent-header>.
public struct TraceParent: Sendable, Hashable {
  /// The trace, 32 hexadecimal digits in lower case.
  public let trace: String
  /// The span of the caller, 16 hexadecimal digits in lower case.
  public let span: String

  /// Reads the field of a request.
  ///
  /// - Returns: `nil` if it is not a valid field; a caller must not fail because of it then.
  public init?(field: String) {
    // Later versions may append parts; version ff is not valid.
    let parts = field.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
    guard field.utf8.count <= 200, parts.count >= 4, Self.isHexadecimal(parts[0], 2), parts[0] != "ff",
      parts.count == 4 || parts[0] != "00", Self.isHexadecimal(parts[3], 2)
    else { return nil }
    self.init(trace: parts[1], span: parts[2])
  }

  /// Reads the form in which the run log keeps it: both ids with `-` between them.
  package init?(stored: String) {
    let parts = stored.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    self.init(trace: parts[0], span: parts[1])
  }

  private init?(trace: String, span: String) {
    guard Self.isHexadecimal(trace, 32), Self.isHexadecimal(span, 16), trace.contains(where: { $0 != "0" }),
      span.contains(where: { $0 != "0" })
    else { return nil }
    (self.trace, self.span) = (trace, span)
  }

  /// The form in which the run log keeps it.
  package var stored: String { trace + "-" + span }

  private static func isHexadecimal(_ text: String, _ count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
