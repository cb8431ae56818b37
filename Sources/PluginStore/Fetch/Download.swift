import Foundation
import Localization
import Networking
import OperatingSystem
import Synchronization

/// Fetches files over the host's network into a file.
struct Download: Sendable {
  let network: NetworkService

  /// Fetches a URL.
  ///
  /// Redirects are followed within https, and lead to public addresses.
  ///
  /// - Parameters:
  ///   - url: https, or http to this machine.
  ///   - path: The file, which is made and must not exist.
  ///   - limit: The most bytes.
  ///   - own: URLs whose hosts may be this machine or in a private network: those that the user named.
  /// - Returns: `false` if the server does not have the file (404 or 410).
  /// - Throws: ``PluginStoreError`` with the code ``PluginStoreError/Code/download``.
  @discardableResult
  func fetch(
    _ url: String, to path: String, limit: Int, own: [String]
  ) async throws(PluginStoreError) -> Bool {
    let policy = try Self.policy(url, own: own)
    let file: Descriptor
    do throws(SystemError) {
      file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    } catch {
      throw .unusable(path, .systemError(error.code))
    }
    var request = HTTPRequest(url: url, headers: [HTTPHeader("accept", "*/*")])
    request.responseLimit = limit
    request.connectTimeout = .seconds(30)
    request.idleTimeout = .seconds(60)
    let receiver = Receiver(file)
    let exchange = network.send(request, policy: policy, handler: receiver)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { receiver.wait($0) }
    } onCancel: {
      exchange.cancel()
    }
    if Task.isCancelled { throw .cancelled }
    switch outcome {
    case .status(let status) where (200..<300).contains(status): return true
    case .status(404), .status(410): return false
    case .status(let status):
      throw Self.failure(
        url,
        LocalizedText("the server answers with the status \(status)", de: "der Server antwortet mit Status \(status)"))
    case .failed(let error): throw Self.failure(url, error.message)
    case .unwritten(let code): throw .unusable(path, .systemError(code))
    }
  }

  private static func policy(_ url: String, own: [String]) throws(PluginStoreError) -> EgressPolicy {
    let shown = SourceURL(url).shown
    guard !SourceURL(url).namesUser else {
      throw PluginStoreError(
        .wrongSource,
        LocalizedText(
          "\(shown): a URL with a user name or password is not fetched. Download the file and install it by its path",
          de:
            "\(shown): Eine URL mit Benutzername oder Passwort wird nicht geholt. Die Datei herunterladen und mit ihrem Pfad "
            + "installieren"))
    }
    let isProtected: Bool
    do throws(NetworkError) {
      isProtected = try TransportSafety.isProtected(url)
    } catch {
      throw failure(url, error.message)
    }
    guard isProtected else {
      throw PluginStoreError(
        .wrongSource,
        LocalizedText(
          "\(shown) is http: the file could be changed on the way. Use https, or download the file and install it by its path",
          de:
            "\(shown) ist http: Die Datei könnte unterwegs verändert werden. https verwenden, oder die Datei herunterladen und "
            + "mit ihrem Pfad installieren"))
    }
    do throws(NetworkError) {
      // A file over http comes from this machine, and no redirect leads to another one.
      return try EgressPolicy(declared: url.lowercased().hasPrefix("https:") ? ["*"] : [], configured: own)
    } catch {
      throw failure(url, error.message)
    }
  }

  private static func failure(_ url: String, _ reason: LocalizedText) -> PluginStoreError {
    PluginStoreError(
      .download,
      LocalizedText(
        "\(SourceURL(url).shown) could not be fetched: ", de: "\(SourceURL(url).shown) ließ sich nicht holen: ")
        + reason
        + LocalizedText(". Nothing was installed", de: ". Nichts wurde installiert"))
  }

  private enum Outcome: Sendable {
    case status(Int)
    case failed(NetworkError)
    case unwritten(Int32)
  }

  /// Writes a response to a file.
  private final class Receiver: HTTPResponseHandler {
    private struct State {
      var status = 0
      var problem: Int32?
      var outcome: Outcome?
      var waiting: CheckedContinuation<Outcome, Never>?
    }

    private let file: Descriptor
    private let state = Mutex(State())

    init(_ file: Descriptor) { self.file = file }

    func head(status: Int, headers: [HTTPHeader]) { state.withLock { $0.status = status } }

    func data(_ bytes: RawSpan) {
      let isWanted = state.withLock { (200..<300).contains($0.status) && $0.problem == nil }
      guard isWanted else { return }
      do throws(SystemError) {
        try bytes.withUnsafeBytes { bytes throws(SystemError) in try Descriptor.write(bytes, to: file.number) }
      } catch {
        state.withLock { $0.problem = error.code }
      }
    }

    func end(_ failure: NetworkError?) {
      let (waiting, outcome) = state.withLock { state in
        let outcome: Outcome =
          if let problem = state.problem { .unwritten(problem) } else if let failure { .failed(failure) } else {
            .status(state.status)
          }
        state.outcome = outcome
        defer { state.waiting = nil }
        return (state.waiting, outcome)
      }
      waiting?.resume(returning: outcome)
    }

    func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiting = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}

extension PluginStoreError {
  /// The task was cancelled.
  static var cancelled: PluginStoreError {
    PluginStoreError(
      .interrupted, LocalizedText("it was interrupted; nothing was changed", de: "abgebrochen; nichts wurde geändert"))
  }
}
