import Expressions
import Mail
import Plans

/// How a message says that its list is left: RFC 2369, and RFC 8058 for one request without questions.
struct Unsubscription {
  private enum Way {
    /// A POST to this address, https, with `List-Unsubscribe=One-Click`.
    case request(url: String)
    /// A message.
    case message(to: String, subject: String)
  }

  /// Seconds in which a list is not left a second time: it may take days to stop, and one that never does is asked again.
  static let period = 30.0 * 86400

  /// The key of the list: the filter's account, and the List-Id, else the sender. Addresses to leave by differ from message to
  /// message.
  let key: String
  /// Why it is not left; `nil` if it is.
  let refusal: String?
  private let way: Way
  /// The message that it was read from.
  let uid: String

  /// Reads it from a message; `nil` if the message says nothing that a program can do.
  ///
  /// - Parameter account: The account of the subscription.
  init?(_ message: Value, of account: String, _ policy: UnsubscriptionPolicy) {
    guard let field = message["list_unsubscribe"], !field.isNull else { return nil }
    let list = message["list_id"]?.stringValue ?? ""
    let sender = message["from"]?["address"]?.stringValue?.lowercased() ?? ""
    // The spelling of the domain that earlier versions noted.
    let name = list.isEmpty ? Address(address: sender).withASCIIDomain?.address ?? sender : list.lowercased()
    guard !name.isEmpty else { return nil }
    key = "unsubscribed/\(account)/\(name.prefix(300))"
    uid = message["uid"]?.stringValue ?? ""
    let urls = field["http"]?.listValue?.compactMap(\.stringValue) ?? []
    let own = Set([sender.domain, list.domain].compactMap { PublicSuffixes.system.registrableDomain($0) })
    var doubt: String?
    let request = urls.first { $0.lowercased().hasPrefix("https://") }
    if field["one_click"]?.boolValue == true, let request {
      doubt = ListAuthenticity(message, policy).refusal(for: own)
      if doubt == nil {
        way = .request(url: request)
        refusal = nil
        return
      }
    }
    let addresses = field["mailto"]?.listValue?.compactMap(\.stringValue) ?? []
    let shown = name.prefix(100)
    guard let (to, subject) = addresses.lazy.compactMap(Self.recipient).first else {
      guard let request, let doubt else { return nil }
      way = .request(url: request)
      refusal = "not unsubscribed from \(shown): \(doubt)"
      return
    }
    way = .message(to: to, subject: subject)
    // Otherwise a sender could make the reader write to any address.
    let isOwn = PublicSuffixes.system.registrableDomain(to.domain).map(own.contains) ?? false
    refusal =
      isOwn
      ? nil
      : "not unsubscribed from \(shown): \(to) belongs to neither the sender's domain nor the list's"
        + (doubt.map { "; no request: \($0)" } ?? "")
  }

  /// Reads a URI such as `mailto:leave@example.com?subject=leave`: RFC 6068. Only address and subject are taken from it: the
  /// text would be the sender's words in the reader's name.
  private static func recipient(of uri: String) -> (to: String, subject: String)? {
    guard uri.utf8.count <= 2000, let mailto = MailtoURI(uri), let address = mailto.to.first?.address,
      address.utf8.count <= 320, address.split(separator: "@", omittingEmptySubsequences: false).count == 2,
      !address.hasPrefix("@"), !address.hasSuffix("@"),
      address.unicodeScalars.allSatisfy({
        $0.value > 0x20 && $0.value < 0x7F && !"<>(),;:\"\\[]".unicodeScalars.contains($0)
      })
    else { return nil }
    // Line ends would be fields of their own in a header.
    let subject = String((mailto.subject ?? "").unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
    return (address, subject.isEmpty ? "unsubscribe" : subject)
  }

  /// Whether it is a request rather than a message.
  var isRequest: Bool { if case .request = way { true } else { false } }

  /// As the step's output has it.
  var value: Value {
    switch way {
    case .request(let url): ["url": .string(url), "uid": .string(uid), "key": .string(key)]
    case .message(let to, let subject):
      ["to": .string(to), "subject": .string(subject), "text": "", "uid": .string(uid), "key": .string(key)]
    }
  }
}

extension String {
  /// The part after the `@` of an address; all of it if there is none.
  fileprivate var domain: String { String(lowercased().split(separator: "@").last ?? "") }
}
