import PluginKit

/// A place that shows whether a message was sent, beside the provider's own records: the copy in a Sent folder, a server's
/// log.
///
/// There is none yet; ``SMTPPlugin/evidence`` is where one is added.
protocol EvidenceSource: Sendable {
  /// Looks for a message.
  ///
  /// - Returns: What shows that it was sent, in words; `nil` where nothing does, which proves nothing.
  func find(_ messageID: String, _ context: ActionContext) async throws(ActionError) -> String?
}

extension SMTPPlugin {
  /// Where to look for a message that nobody knows the end of.
  var evidence: [any EvidenceSource] { [] }
}
