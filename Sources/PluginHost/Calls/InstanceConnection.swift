import Engine
import Expressions

/// One configured provider of a plugin, in this process or in a worker.
///
/// When the last reference is gone the instance is destroyed, and then what `create` was given as `destroyed` opens.
protocol InstanceConnection: AnyObject, Sendable {
  /// Hands a call over, without blocking.
  ///
  /// The connection says with ``PendingCall/enterStart()`` that it is on its way, which may refuse, and with
  /// ``PendingCall/leaveStart()`` that the plugin's `start` has returned; and ends the call with the plugin's answer, or
  /// with a failure if none will come. Log lines and the like of the call reach its reporter while it is attached to
  /// the ``ProviderServices``.
  func start(_ call: PendingCall)

  /// Asks the plugin to end a call that it has begun, without blocking and without ending it itself.
  func cancel(_ call: PendingCall)

  /// The host is about to end a call without the plugin: `start` did not return, or a cancelled call did not end.
  func giveUp(_ call: PendingCall)

  /// Gives the plugin access to the files that an input names, until ``release(filesOf:)``. Blocks while files are copied.
  ///
  /// - Parameters:
  ///   - input: The input of a call.
  ///   - paths: Finds the paths in the input.
  ///   - call: The number of the call.
  /// - Returns: The input with the paths that the plugin can use.
  /// - Throws: `ActionFailure` of kind `io` if a file cannot be copied.
  func lend(filesOf input: Value, _ paths: InputPaths, to call: UInt64) throws(ActionFailure) -> Value

  /// Ends the access to the files of a call, once the call has ended.
  func release(filesOf call: UInt64)

  /// The bytes that the process with the plugin has allocated; `nil` if it cannot say so.
  func heapBytes() async -> Int?
}

extension InstanceConnection {
  func giveUp(_ call: PendingCall) {}
  func lend(filesOf input: Value, _ paths: InputPaths, to call: UInt64) throws(ActionFailure) -> Value { input }
  func release(filesOf call: UInt64) {}
}
