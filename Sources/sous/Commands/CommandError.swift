import Localization

/// Why a command ends with something other than success; the one way commands say so.
struct CommandError: Error {
  /// The exit status; see ``ExitStatus``.
  let status: Int32
  /// What to tell the user; `nil` where everything has been said.
  let message: LocalizedText?

  init(_ status: Int32, _ message: LocalizedText? = nil) {
    self.status = status
    self.message = message
  }
}
