internal import CProcess

/// The processors that this process may use.
package enum Processors {
  /// How many there are. Foundation's count reads files of the system, which takes longer than a small call.
  package static let count = Int(process_processors())
}
