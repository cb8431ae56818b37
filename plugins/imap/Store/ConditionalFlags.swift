import MailWire
import PluginKit

/// Changes the flags of messages that no other client has changed since their flags were read (CONDSTORE, RFC 7162 §3.1.3).
struct ConditionalFlags: Sendable {
  let session: Session
  let folder: OpenFolder
  /// The mod-sequence up to which changes are known.
  let modSeq: UInt64

  /// Adds and removes flags.
  ///
  /// - Returns: `changed`, `missing`, and `modified`: the messages that were left alone as they have changed.
  /// - Throws: `unsupported` where the server does not number changes, and for Gmail's labels, whose changes it does not number.
  func change(_ uids: [UInt32], adding: [String], removing: [String]) async throws(ActionError) -> JSONValue {
    let isGmail = await session.has("X-GM-EXT-1")
    guard folder.mailbox.highestModSeq != nil, !isGmail || !(adding + removing).contains(where: MailFlag.isLabel) else {
      throw ActionError.unnumbered(session.settings.host)
    }
    try folder.requirePermanent(adding)
    let messages = try await session.fetch(uids, "FLAGS MODSEQ")
    // All flags are written at once: a second command would find that the first has changed the message.
    var groups: [[String]: [UInt32]] = [:]
    var modified = Set(uids.filter { uid in messages[uid].map { $0.modSeq ?? .max > modSeq } ?? false })
    for uid in uids where !modified.contains(uid) {
      guard let flags = messages[uid]?.flags?.filter({ $0.lowercased() != "\\recent" }) else { continue }
      let changed = Self.apply(adding, removing, to: flags)
      if changed != flags { groups[changed, default: []].append(uid) }
    }
    var count = 0
    var gone: Set<UInt32> = []
    for (flags, uids) in groups.sorted(by: { $0.value.first ?? 0 < $1.value.first ?? 0 }) {
      let (late, stored) = try await session.replaceFlags(UIDSet(uids), with: flags, unchangedSince: modSeq)
      let rest = uids.filter { !late.contains($0) }
      modified.formUnion(uids.filter(late.contains))
      // A removed message has no response, and some servers send no responses at all.
      let now = try await session.fetch(rest.filter { stored[$0]?.flags == nil }, "FLAGS")
      let wanted = Self.names(flags)
      for uid in rest {
        if let told = stored[uid]?.flags {
          guard Self.names(told) == wanted else {
            throw folder.unchanged([uid], "changed", german: "geändert", by: session.settings.host)
          }
          count += 1
        } else if let flags = now[uid]?.flags {
          if Self.names(flags) == wanted { count += 1 } else { modified.insert(uid) }
        } else {
          gone.insert(uid)
        }
      }
    }
    return ChangeReport(
      count: count, missing: folder.names(of: uids.filter { messages[$0] == nil || gone.contains($0) }),
      modified: folder.names(of: uids.filter(modified.contains))
    ).counted(as: "changed")
  }

  private static func names(_ flags: [String]) -> Set<String> {
    Set(flags.map { $0.lowercased() }).subtracting(["\\recent"])
  }

  private static func apply(_ adding: [String], _ removing: [String], to flags: [String]) -> [String] {
    let removed = Set(removing.map { $0.lowercased() })
    var kept = flags.filter { !removed.contains($0.lowercased()) }
    let present = Set(kept.map { $0.lowercased() })
    kept += adding.filter { !present.contains($0.lowercased()) }
    return kept
  }
}
