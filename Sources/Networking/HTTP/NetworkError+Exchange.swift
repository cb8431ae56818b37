import Localization
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression

extension NetworkError {
  /// The error that ended an exchange.
  init(exchange error: any Error, with endpoint: Endpoint) {
    switch error {
    case let error as HTTPParserError where error == .invalidEOFState: self.init(truncated: endpoint)
    case let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData:
      self.init(truncated: endpoint)
    case let error as HTTPParserError where error == .headerOverflow:
      self.init(
        .protocol, .responseTooLarge,
        LocalizedText(
          "the header of the response of \(endpoint) is too large",
          de: "der Kopf der Antwort von \(endpoint) ist zu groß"))
    case is HTTPParserError, is NIOHTTPDecompression.DecompressionError,
      is NIOHTTPDecompression.ExtraDecompressionError,
      is NIOHTTP2Errors.BadClientMagic, is NIOHTTP2Errors.NoSuchStream:
      self.init(
        .protocol, .responseInvalid,
        LocalizedText(
          "what \(endpoint) answers is not HTTP as it should be: \(String(describing: error))",
          de: "was \(endpoint) antwortet, ist kein ordentliches HTTP: \(String(describing: error))"),
        advice: LocalizedText(
          "is this the right port, and http or https as it should be?",
          de: "stimmen Port und http oder https?"))
    default: self.init(connectionLost: endpoint)
    }
  }

  /// A response that stops in the middle.
  private init(truncated endpoint: Endpoint) {
    self.init(
      .io, .connectionLost,
      LocalizedText(
        "\(endpoint) closed the connection in the middle of the response",
        de: "\(endpoint) hat die Verbindung mitten in der Antwort beendet"))
  }
}
