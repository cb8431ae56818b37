public import Engine
import Foundation
import Localization
import Networking
import OperatingSystem
public import Plans

extension BuiltinSurroundings {
  /// The longest that a monitoring service may be silent.
  private static var pingTimeout: Duration { .seconds(10) }

  /// Sends a signal to a monitoring service: a GET request to a host of `http.hosts`.
  ///
  /// - Throws: ``Engine/ActionFailure`` if the service does not answer with a status of success. The message names the host only,
  ///   as paths of such URLs are often secret.
  public func ping(_ url: SecretText, suffix: String = "") async throws(ActionFailure) {
    var values: [String: String] = [:]
    for name in Set(url.secretNames) {
      let read = secret
      values[name] = try await BlockingPool.shared.run { () throws(ActionFailure) in try read(name) }
    }
    let address = Self.address(url.filled { values[$0] ?? "" }, suffix)
    let mask = SecretMask(Array(values.values))
    guard values.isEmpty || HTTPAccess.isPrivate(address) else {
      throw ActionFailure(
        .auth,
        LocalizedText(
          "the URL of 'ping' holds a secret, which goes over https only",
          de: "die URL von 'ping' enthält ein Geheimnis, das nur über https geht"))
    }
    try http.admit(address)
    let host = URLComponents(string: address)?.host ?? "ping"
    let request = HTTPRequest(
      url: address, connectTimeout: Self.pingTimeout, idleTimeout: Self.pingTimeout, responseLimit: 1 << 20,
      keepsRedirects: true, tls: http.tls, isRepeatable: true)
    do {
      let response = try await HTTPResponse(to: request, policy: try http.policy(), network: http.network)
      guard !(200...299).contains(response.status) else { return }
      throw HTTPStatus(response, host: host, isOnce: false, now: time.now).failure
    } catch {
      var failure =
        (error as? ActionFailure) ?? (error as? NetworkError).map { HTTPCall.failure($0, host: host, effect: .read) }
        ?? ActionFailure(.io, LocalizedText(verbatim: "\(error)"))
      failure.message = mask(failure.message)
      throw failure
    }
  }

  /// A URL with something behind its path, before its query.
  static func address(_ url: String, _ suffix: String) -> String {
    guard !suffix.isEmpty else { return url }
    let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
    let path = url[..<end]
    return (path.hasSuffix("/") ? String(path.dropLast()) : String(path)) + suffix + url[end...]
  }
}
