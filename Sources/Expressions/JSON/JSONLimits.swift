/// How large a JSON text, and what it represents, may be.
public struct JSONLimits: Sendable, Hashable {
  /// How deep arrays and objects may nest.
  public var depth: Int
  /// The length of the text in bytes.
  public var size: Int
  /// The memory in bytes that the value may take, by the estimates of ``Cost``: a short text can represent much.
  public var decodedSize: Int

  /// 128 levels, 64 MiB of text, 256 MiB of memory: eight million numbers.
  public static let standard = JSONLimits(depth: 128, size: 64 << 20)

  /// Creates limits.
  public init(depth: Int, size: Int, decodedSize: Int = 256 << 20) {
    self.depth = depth
    self.size = size
    self.decodedSize = decodedSize
  }

  /// The sizes of parts of a value for ``decodedSize``, in bytes, without the length of strings and keys.
  enum Cost {
    /// Any value, as an element of an array that grows by doubling.
    static let value = 32
    /// The size of an object's entry without its value.
    static let entry = 32
    /// An array or object that is not empty: its storage.
    static let container = 64
    /// The storage of a string that does not fit into the value itself, beside its bytes.
    static let text = 48
    /// The most bytes of a string that needs no storage.
    static let shortText = 15
  }
}
