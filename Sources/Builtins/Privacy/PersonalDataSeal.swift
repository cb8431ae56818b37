public import Engine
import Localization
import Synchronization

/// Makes a text of personal data that can be written down, and gives it back.
///
/// The functions may block: call them from a thread that may.
public protocol PersonalDataSeal: Sendable {
  /// Seals bytes.
  func seal(_ bytes: [UInt8]) throws(ActionFailure) -> String
  /// Opens what ``seal(_:)`` has given.
  ///
  /// - Throws: `ActionFailure` of kind `invalid_input` for what is not a sealed text, and of kind `not_found` where its key is
  ///   not at hand any more.
  func open(_ sealed: String) throws(ActionFailure) -> [UInt8]
}

/// Keeps personal data in the memory of this process and gives a handle for it. The oldest goes when there is too much.
final class MemorySeal: PersonalDataSeal {
  private static let mostBytes = 64 << 20
  private static let prefix = "memory:"

  private struct Kept {
    var contents: [String: [UInt8]] = [:]
    var order: [String] = []
    var bytes = 0
    var next = 1
  }
  private let kept = Mutex(Kept())

  func seal(_ bytes: [UInt8]) throws(ActionFailure) -> String {
    kept.withLock { kept in
      let handle = Self.prefix + "\(kept.next)"
      kept.next += 1
      kept.contents[handle] = bytes
      kept.order.append(handle)
      kept.bytes += bytes.count
      while kept.bytes > Self.mostBytes, kept.order.count > 1 {
        kept.bytes -= kept.contents.removeValue(forKey: kept.order.removeFirst())?.count ?? 0
      }
      return handle
    }
  }

  func open(_ sealed: String) throws(ActionFailure) -> [UInt8] {
    guard let bytes = kept.withLock({ $0.contents[sealed] }) else { throw .mappingGone }
    return bytes
  }
}

extension ActionFailure {
  /// A mapping that was kept in the memory of a process that has ended.
  public static let mappingGone = ActionFailure(
    .notFound,
    .init(
      "the originals were kept in the memory of a process that has ended",
      de: "die Originale standen im Speicher eines Prozesses, der beendet ist"),
    advice: .init(
      "make a vault, so that they are sealed with its key: 'sous secrets set NAME'",
      de: "einen Tresor anlegen, damit sie mit dessen Schlüssel versiegelt werden: 'sous secrets set NAME'"))
}
