/// How a part wants to be shown (RFC 2183).
public enum ContentDisposition: String, Sendable {
  /// As a part of the message's text.
  case inline
  /// As a file beside it; an unknown disposition counts as this one, too (RFC 2183 §2.8).
  case attachment
}
