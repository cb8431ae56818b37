/// The limits of a worker process.
public struct IsolationLimits: Sendable, Hashable {
  /// Bytes of memory.
  public var memory: UInt64 = 1 << 30
  /// Seconds of processor time that may pass while a call goes on.
  public var processorSeconds = 60.0
  /// Threads; processes of its own a worker cannot have.
  public var threads: UInt32 = 256
  /// Open files.
  public var files: UInt64 = 256

  /// Bytes in the worker's private temporary folder.
  public var temporaryBytes: UInt64 = 256 << 20
  /// Seconds of processor time that the worker may use without a call: at once, and after that one second in twenty.
  public var idleSeconds = 10.0
  /// The memory at which a process is ended: what it may have, and the libraries that it maps.
  var residentMemory: UInt64 { memory &+ 128 << 20 }

  /// Creates the default limits.
  public init() {}
}

/// Whether a provider's plugin runs inside Sous or in a process of its own.
public enum Isolation: String, Sendable, CaseIterable {
  /// Inside Sous: the fastest, and as trusted as Sous itself.
  case inProcess = "in-process"
  /// In a supervised worker process.
  case process
}
