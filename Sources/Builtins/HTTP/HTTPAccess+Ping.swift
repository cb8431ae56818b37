public import Engine
import Foundation
import Localization
import Networking
import OperatingSystem
public import Plans

extension BuiltinSurroundings {
  /// The longest that a service may be silent.
  private static var serviceTimeout: Duration { .seconds(10) }
  /// The longest that a document may be on its way.
  private static var longestPost: Duration { .seconds(30) }

  /// Sends a signal to a monitoring service: a GET request to a host of `http.hosts`.
  ///
  /// - Throws: ``Engine/ActionFailure`` if the service does not answer with a status of success. The message names the host only,
  ///   as paths of such URLs are often secret.
  public func ping(_ url: SecretText, suffix: String = "") async throws(ActionFailure) {
    let values = try await values(of: url.secretNames)
    let address = Self.address(url.filled { values[$0] ?? "" }, suffix)
    try await send(
      HTTPRequest(
        url: address, connectTimeout: Self.serviceTimeout, idleTimeout: Self.serviceTimeout, responseLimit: 1 << 20,
        keepsRedirects: true, tls: http.tls, isRepeatable: true), values, field: "ping")
  }

  /// Sends a document to a service: a POST request to a host of `http.hosts`.
  ///
  /// - Parameters:
  ///   - field: The setting that names the service, for messages.
  ///   - refusals: Statuses of failure that are returned.
  /// - Returns: The status of the answer: one of success (200 to 299), or one of `refusals`.
  /// - Throws: ``Engine/ActionFailure`` if the service does not answer with such a status within 30 seconds.
  @discardableResult
  public func post(
    _ body: [UInt8], type: String, to url: SecretText, headers: [(name: String, value: SecretText)], field: String,
    refusals: Set<Int> = []
  ) async throws(ActionFailure) -> Int {
    let values = try await values(of: url.secretNames + headers.flatMap(\.value.secretNames))
    let request = HTTPRequest(
      method: "POST", url: url.filled { values[$0] ?? "" },
      headers: [HTTPHeader("Content-Type", type)]
        + headers.map { HTTPHeader($0.name, $0.value.filled { values[$0] ?? "" }) },
      body: .bytes(body), connectTimeout: Self.serviceTimeout, idleTimeout: Self.serviceTimeout, responseLimit: 1 << 20,
      keepsRedirects: true, tls: http.tls, isRepeatable: true)
    // A service that answers a byte from time to time is never silent.
    let sending = Task { () async -> Result<Int, ActionFailure> in
      do throws(ActionFailure) {
        return .success(try await send(request, values, field: field, refusals: refusals))
      } catch {
        return .failure(error)
      }
    }
    let alarm = Task {
      guard (try? await Task.sleep(for: Self.longestPost)) != nil else { return }
      sending.cancel()
    }
    let outcome = await withTaskCancellationHandler {
      await sending.value
    } onCancel: {
      sending.cancel()
    }
    alarm.cancel()
    return try outcome.get()
  }

  /// The values of secrets, by name.
  private func values(of names: [String]) async throws(ActionFailure) -> [String: String] {
    var values: [String: String] = [:]
    for name in Set(names) {
      let read = secret
      values[name] = try await BlockingPool.shared.run { () throws(ActionFailure) in try read(name) }
    }
    return values
  }

  /// Sends a request whose secrets are known, and fails if its answer is neither one of success nor one of `refusals`.
  @discardableResult
  private func send(
    _ request: HTTPRequest, _ values: [String: String], field: String, refusals: Set<Int> = []
  ) async throws(ActionFailure) -> Int {
    let mask = SecretMask(Array(values.values))
    guard values.isEmpty || HTTPAccess.isPrivate(request.url) else {
      throw ActionFailure(
        .auth,
        LocalizedText(
          "the request of '\(field)' holds a secret, which goes over https only",
          de: "die Anfrage von '\(field)' enthält ein Geheimnis, das nur über https geht"))
    }
    try http.admit(request.url)
    let host = URLComponents(string: request.url)?.host ?? field
    do {
      let response = try await HTTPResponse(to: request, policy: try http.policy(), network: http.network)
      guard !(200...299).contains(response.status), !refusals.contains(response.status) else { return response.status }
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
