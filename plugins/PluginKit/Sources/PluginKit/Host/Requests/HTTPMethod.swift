/// The method of a request, RFC 9110 section 9.
public struct HTTPMethod: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
  /// The method as on the wire: `GET`.
  public let rawValue: String
  /// Takes a method as it goes over the wire; case matters.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Takes a method as it goes over the wire; case matters.
  public init(stringLiteral value: String) { rawValue = value }

  /// `GET`
  public static let get = HTTPMethod(rawValue: "GET")
  /// `HEAD`
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// `POST`
  public static let post = HTTPMethod(rawValue: "POST")
  /// `PUT`
  public static let put = HTTPMethod(rawValue: "PUT")
  /// `PATCH`
  public static let patch = HTTPMethod(rawValue: "PATCH")
  /// `DELETE`
  public static let delete = HTTPMethod(rawValue: "DELETE")
}
