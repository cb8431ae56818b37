/// Something in a message that breaks the rules and was read all the same.
public struct Defect: Sendable, Hashable {
  /// A stable name for a kind of defect.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name in snake_case, as machine-readable output shows it.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no header: all of it was read as text.
    public static let missingHeaders = Code(rawValue: "missing_headers")
    /// A line in the header is not a field; it was left out.
    public static let invalidHeaderLine = Code(rawValue: "invalid_header_line")
    /// The body follows the header without an empty line.
    public static let missingHeaderSeparator = Code(rawValue: "missing_header_separator")
    /// More header fields than the limit; the others were left out.
    public static let tooManyHeaderFields = Code(rawValue: "too_many_header_fields")
    /// Lines end with a lone carriage return.
    public static let bareCarriageReturn = Code(rawValue: "bare_carriage_return")
    /// A `Content-Type` that is none; read as text.
    public static let invalidContentType = Code(rawValue: "invalid_content_type")
    /// A multipart without a boundary parameter; the boundary was guessed, or the body read as text.
    public static let missingBoundaryParameter = Code(rawValue: "missing_boundary_parameter")
    /// The boundary never occurs in the body; the body was read as text.
    public static let boundaryNotFound = Code(rawValue: "boundary_not_found")
    /// The last boundary is missing: the message is probably cut off.
    public static let missingClosingBoundary = Code(rawValue: "missing_closing_boundary")
    /// Parts are nested deeper than the limit; the innermost was not taken apart.
    public static let tooDeeplyNested = Code(rawValue: "too_deeply_nested")
    /// More parts than the limit; the others stay inside the last one.
    public static let tooManyParts = Code(rawValue: "too_many_parts")
    /// A `Content-Transfer-Encoding` that nothing is known about; the bytes were left as they are.
    public static let unknownTransferEncoding = Code(rawValue: "unknown_transfer_encoding")
  }

  /// The kind of defect.
  public let code: Code
  /// The part it was found in, numbered as IMAP does (`1.2`); empty for the message as a whole.
  public let partNumber: String
}
