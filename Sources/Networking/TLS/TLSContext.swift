import NIOCore
import NIOSSL

/// What NIOSSL needs to be a client with certain options.
struct TLSContext: Sendable {
  private let context: NIOSSLContext
  /// Whether an authority has to have signed the certificate.
  let checksChain: Bool
  /// The one certificate that is accepted, in DER.
  let pinned: [UInt8]?

  /// Reads the files and makes the context. Takes some ten milliseconds with the system's authorities.
  init(_ options: TLSOptions, protocols: [String]) throws(TLSFailure) {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv12
    configuration.certificateVerification = .fullVerification
    configuration.applicationProtocols = protocols
    configuration.renegotiationSupport = .none
    configuration.shutdownTimeout = .seconds(2)
    if let path = options.authorities { configuration.trustRoots = .certificates(try Self.certificates(in: path)) }
    checksChain = options.certificate == nil || options.authorities != nil
    pinned = if let path = options.certificate { try Self.der(of: path) } else { nil }
    // The pinned certificate represents the host; it may name any.
    if !checksChain { configuration.certificateVerification = .noHostnameVerification }
    do {
      context = try NIOSSLContext(configuration: configuration)
    } catch {
      throw TLSFailure.protocolFailed(String(describing: error))
    }
  }

  private static func certificates(in path: String) throws(TLSFailure) -> [NIOSSLCertificate] {
    guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else { throw .file(path) }
    return certificates
  }

  private static func der(of path: String) throws(TLSFailure) -> [UInt8] {
    guard let der = try? certificates(in: path).first?.toDERBytes() else { throw .file(path) }
    return der
  }

  /// A handler for one connection.
  func makeHandler(for host: Host) throws -> NIOSSLClientHandler {
    // An address is not sent as server name (RFC 6066); the certificate has to name it all the same.
    let name: String? = if case .name(let name) = host { name } else { nil }
    guard !checksChain, let pinned else { return try NIOSSLClientHandler(context: context, serverHostname: name) }
    return try NIOSSLClientHandler(context: context, serverHostname: name) { chain, promise in
      promise.succeed((try? chain.first?.toDERBytes()) == pinned ? .certificateVerified : .failed)
    }
  }
}
