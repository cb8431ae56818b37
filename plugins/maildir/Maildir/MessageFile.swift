/// A message as a listing found it; it may have been renamed or removed since.
struct MessageFile: Sendable, Hashable {
  /// The two places of a message inside a folder.
  enum Box: String, Sendable, CaseIterable {
    /// Delivered, not yet noticed by a mail program.
    case new
    /// Noticed, with flags in its name.
    case cur
  }

  /// Where it was.
  let box: Box
  /// The name as it was.
  let fileName: String
  /// The name's parts.
  let name: MessageName

  /// What identifies the message to recipes: the unique part of its name.
  var uid: String { name.unique }
  /// Its flags.
  var flags: MessageFlags { name.flags }
}
