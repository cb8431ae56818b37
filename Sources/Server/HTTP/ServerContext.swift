import Access
import Hummingbird
import Localization
import NIOCore
import Synchronization

/// The facts about a request that are known before its operation is found.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection.
  let channel: any Channel
  /// The caller; `nil` for one who has not signed in.
  var actor: Actor?
  /// The proof of who the caller is, by which its rights are read again while an answer goes on; `nil` without one.
  var credential: Credential?
  /// Whether the caller is known by the cookie of a browser.
  var isBrowser = false
  /// Whether a request of a browser carries the token of its session, which other sites cannot read.
  var hasCSRFToken = false
  /// The language of the answer.
  var language = Language.english
  /// The address of the client, behind trusted proxies that of their client.
  var address = ""
  /// The address that the client used, without a slash at its end.
  var origin = ""
  /// Names the request in logs and problems.
  var requestID = ""

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

extension Language {
  /// The preferred language of an `Accept-Language` (RFC 9110, section 12.5.4): the one with the largest weight, the first of
  /// equal ones; English if the text names no known language.
  static func preferred(acceptLanguage text: String?, otherwise: Language = .english) -> Language {
    var best: (language: Language, weight: Double)?
    for part in (text ?? "").split(separator: ",").prefix(20) {
      let pieces = part.split(separator: ";").map { $0.filter { $0 != " " } }
      guard let tag = pieces.first, let language = Language(tag: String(tag)) else { continue }
      let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
    }
    return best?.language ?? otherwise
  }
}
