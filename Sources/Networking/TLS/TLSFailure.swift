import Localization
import NIOCore
import NIOSSL

/// Why TLS was not established, before the message knows the host.
enum TLSFailure: Error {
  /// The certificate is not trusted.
  case untrusted
  /// The certificate names other hosts.
  case otherHost
  /// The certificate has no subjectAltName.
  case unnamed
  /// It is not the pinned certificate.
  case notPinned
  /// A file of the options cannot be used.
  case file(String)
  /// The other side ended the connection.
  case closed
  /// The other side answered in plain text.
  case plaintext
  /// The two could not agree, in the library's words.
  case protocolFailed(String)

  /// Sorts an error of the TLS library or of the connection.
  init(_ error: any Error) {
    switch error {
    case let failure as TLSFailure: self = failure
    case let error as NIOSSLExtraError
    where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
      self = .otherHost
    case NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])): self = .closed
    case NIOSSLError.handshakeFailed(.sslError(let stack)):
      let text = stack.map(String.init(describing:)).joined(separator: "; ")
      self = text.contains("CERTIFICATE_VERIFY_FAILED") ? .untrusted : .protocolFailed(Self.reason(in: text))
    case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: self = .untrusted
    case is NIOSSLError, is BoringSSLError: self = .protocolFailed(String(describing: error))
    default: self = .closed
    }
  }

  /// `WRONG_VERSION_NUMBER` out of `error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER at …`.
  private static func reason(in text: String) -> String {
    guard let start = text.firstRange(of: "OPENSSL_internal:") else { return text }
    return String(text[start.upperBound...].prefix { $0 != " " && $0 != ";" })
  }

  /// The failure with the host it is about.
  func naming(_ endpoint: Endpoint) -> NetworkError {
    switch self {
    case .untrusted:
      // Not `unreachable`: an attacker in the host's place must not look like a short outage.
      NetworkError(
        .auth, .certificateUntrusted,
        LocalizedText(
          "the certificate of \(endpoint) is not trusted: it has expired, or no authority known here has signed it",
          de:
            "dem Zertifikat von \(endpoint) wird nicht vertraut: Es ist abgelaufen, oder keine hier bekannte Stelle hat es "
            + "unterschrieben"),
        advice: LocalizedText(
          "for a server with an authority of its own: trust: { authorities: FILE } at the provider in sous.yaml",
          de:
            "für einen Server mit eigener Zertifizierungsstelle: trust: { authorities: DATEI } beim Provider in sous.yaml"
        ))
    case .otherHost:
      NetworkError(
        .auth, .certificateForOtherHost,
        LocalizedText(
          "the certificate of \(endpoint) is for another host",
          de: "das Zertifikat von \(endpoint) gilt für einen anderen Rechner"),
        advice: LocalizedText(
          "use the name that the certificate was made for",
          de: "den Namen verwenden, für den das Zertifikat ausgestellt ist"))
    case .unnamed:
      NetworkError(
        .auth, .certificateForOtherHost,
        LocalizedText(
          "the certificate of \(endpoint) names no host: it has no subjectAltName, and its common name does not count",
          de:
            "das Zertifikat von \(endpoint) nennt keinen Rechner: Es hat kein subjectAltName, und sein Common Name zählt nicht"
        ),
        advice: LocalizedText(
          "issue the certificate again with a subjectAltName, or pin it with 'trust: { certificate: FILE }' of the provider in "
            + "sous.yaml",
          de:
            "das Zertifikat mit einem subjectAltName neu ausstellen oder es mit 'trust: { certificate: DATEI }' des Providers "
            + "in sous.yaml festlegen"))
    case .notPinned:
      NetworkError(
        .auth, .certificateNotPinned,
        LocalizedText(
          "\(endpoint) presents another certificate than the one that is configured",
          de: "\(endpoint) zeigt ein anderes Zertifikat als das konfigurierte"),
        advice: LocalizedText(
          "if the server has a new one and you know why, replace the file at the provider in sous.yaml",
          de: "falls der Server ein neues hat und der Grund bekannt ist, die Datei beim Provider in sous.yaml ersetzen")
      )
    case .file(let path):
      NetworkError(
        .auth, .certificateFileInvalid,
        LocalizedText(
          "\(path), needed for \(endpoint), cannot be read or holds no certificate in PEM form",
          de: "\(path), nötig für \(endpoint), ist nicht lesbar oder enthält kein Zertifikat in PEM-Form"))
    case .closed:
      NetworkError(
        .io, .connectionLost,
        LocalizedText(
          "\(endpoint) closed the connection while TLS was being set up",
          de: "\(endpoint) hat die Verbindung während des TLS-Aufbaus beendet"),
        advice: LocalizedText(
          "is TLS spoken on this port from the first byte?", de: "wird auf diesem Port von Anfang an TLS gesprochen?"))
    case .plaintext:
      NetworkError(
        .protocol, .tlsFailed,
        LocalizedText(
          "no TLS with \(endpoint): it answers in plain text",
          de: "kein TLS mit \(endpoint): Es antwortet im Klartext"),
        advice: LocalizedText(
          "is TLS spoken on this port from the first byte?", de: "wird auf diesem Port von Anfang an TLS gesprochen?"))
    case .protocolFailed(let reason):
      NetworkError(
        .protocol, .tlsFailed,
        LocalizedText(
          "no TLS with \(endpoint): \(reason)", de: "kein TLS mit \(endpoint): \(reason)"),
        advice: LocalizedText(
          "the server must speak TLS 1.2 or later on this port, from the first byte",
          de: "der Server muss auf diesem Port von Anfang an TLS 1.2 oder neuer sprechen"))
    }
  }
}
