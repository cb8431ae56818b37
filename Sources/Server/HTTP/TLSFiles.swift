import Localization
import NIOSSL
import RecipeModel
import UseCases

/// The certificate of the server and its key.
enum TLSFiles {
  /// TLS 1.2 and newer with the files of `server.tls`.
  ///
  /// - Throws: `UseCaseError` that names the file that cannot be used.
  static func configuration(_ tls: ConfiguredServer.TLS) throws -> TLSConfiguration {
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey
    do {
      chain = try NIOSSLCertificate.fromPEMFile(tls.certificate)
    } catch {
      throw unreadable(tls.certificate, "the certificate", "das Zertifikat")
    }
    do {
      key = try NIOSSLPrivateKey(file: tls.key, format: .pem)
    } catch {
      throw unreadable(tls.key, "the private key", "der private Schlüssel")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    do {
      // A key of another certificate is noticed here, not by the first client.
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      throw UseCaseError(
        .environment,
        LocalizedText(
          "certificate and key of 'server.tls' do not belong together",
          de: "Zertifikat und Schlüssel aus 'server.tls' gehören nicht zusammen"))
    }
    return configuration
  }

  private static func unreadable(_ path: String, _ english: String, _ german: String) -> UseCaseError {
    UseCaseError(
      .environment,
      LocalizedText(
        "\(english) \(path) of 'server.tls' cannot be read: it must be a PEM file that this user may read",
        de:
          "\(german) \(path) aus 'server.tls' ist nicht lesbar: Es muss eine PEM-Datei sein, die dieser Benutzer lesen darf"
      ))
  }
}
