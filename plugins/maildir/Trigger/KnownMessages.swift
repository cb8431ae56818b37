import MailWire
import PluginKit

/// The messages of a folder that a subscription knows already, kept in the provider's state.
///
/// A Maildir numbers nothing, so that new messages are told by what was there before: 64 bits of each name, in parts that
/// stay below the limit of a value.
struct KnownMessages: Sendable {
  private static let partCount = 64

  private let prefix: String
  private var parts: [Int: Set<String>] = [:]
  private(set) var isEmpty = true

  /// - Parameter subscription: What names the subscription; see ``ActionContext/key``.
  init(subscription: String, folder: FolderName) {
    prefix = "mail.new/\(KeyDigest.hexadecimal("\(subscription)\n\(folder.display)"))/"
  }

  /// Reads what was kept.
  /// - Returns: Whether there was anything: false for a subscription that begins.
  mutating func load(_ state: StateStore) async throws(ActionError) -> Bool {
    guard try await state.value(Bool.self, for: prefix + "begun") == true else { return false }
    for number in 0..<Self.partCount {
      parts[number] = Set(try await state.value([String].self, for: prefix + "\(number)") ?? [])
    }
    return true
  }

  func contains(_ uid: String) -> Bool {
    let digest = KeyDigest.hexadecimal(uid)
    return parts[Self.part(digest)]?.contains(digest) ?? false
  }

  /// Notes messages, and forgets those that are gone, in one transaction.
  mutating func update(
    adding: [String], removing: [String] = [], _ state: StateStore
  ) async throws(ActionError) {
    var touched: Set<Int> = []
    for uid in adding {
      let digest = KeyDigest.hexadecimal(uid)
      if parts[Self.part(digest), default: []].insert(digest).inserted { touched.insert(Self.part(digest)) }
    }
    for digest in removing where parts[Self.part(digest)]?.remove(digest) != nil { touched.insert(Self.part(digest)) }
    let changed = touched.sorted().map { (prefix + "\($0)", (parts[$0] ?? []).sorted()) }
    let begun = prefix + "begun"
    try await state.transaction { transaction in
      for (key, digests) in changed { try transaction.set(digests, for: key) }
      try transaction.set(true, for: begun)
    }
  }

  /// The digests of messages that are not among those given.
  func missing(from uids: [String]) -> Set<String> {
    let present = Set(uids.map(KeyDigest.hexadecimal))
    return parts.values.reduce(into: []) { $0.formUnion($1.subtracting(present)) }
  }

  private static func part(_ digest: String) -> Int { (Int(digest.suffix(2), radix: 16) ?? 0) % partCount }
}
