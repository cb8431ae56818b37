/// Where names stand in a list: a hash table of positions, which knows no names. Whoever has the list compares them.
///
/// Takes one word, as values hold it.
public struct JSONNameIndex: Sendable {
  /// Half of a hash above a position counted from 1; 0 where there is nothing. A power of two, at most half of it in use.
  @usableFromInline var slots: [UInt64]

  /// Creates an empty index.
  ///
  /// - Parameter capacity: For how many positions there is room.
  @inlinable
  public init(capacity: Int = 0) {
    slots = capacity == 0 ? [] : Array(repeating: 0, count: Self.size(for: capacity))
  }

  @inlinable
  static func size(for capacity: Int) -> Int { 1 << (Int.bitWidth - (capacity &* 2 - 1).leadingZeroBitCount) }

  /// The position of a name.
  ///
  /// - Parameter isName: Whether the name at a position is this one; asked where hashes are equal.
  @inlinable @inline(__always)
  public func position(of hash: UInt64, where isName: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    let half = hash >> 32
    var slot = Int(half) & (slots.count - 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot] & 0xFFFF_FFFF) - 1
      if slots[slot] >> 32 == half, isName(position) { return position }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds the position of a name; positions come in their order, from 0.
  ///
  /// - Parameter isName: Whether the name at a position is this one; asked where hashes are equal.
  /// - Returns: Where the name stands already; nothing is added then.
  @inlinable @inline(__always)
  public mutating func add(_ position: Int, hash: UInt64, where isName: (Int) -> Bool) -> Int? {
    if let known = self.position(of: hash, where: isName) { return known }
    if position * 2 >= slots.count { grow() }
    insert((hash & ~0xFFFF_FFFF) | UInt64(position + 1))
    return nil
  }

  @inlinable
  mutating func insert(_ entry: UInt64) {
    var slot = Int(entry >> 32) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = entry
  }

  @usableFromInline
  mutating func grow() {
    let entries = slots
    slots = Array(repeating: 0, count: max(64, entries.count * 2))
    for entry in entries where entry != 0 { insert(entry) }
  }
}

extension JSONNameIndex {
  /// How names are hashed. Others cannot choose names with equal hashes, as they do not know the two numbers.
  public struct Hashing: Sendable {
    @usableFromInline let seed: UInt64
    @usableFromInline let factor: UInt64

    /// That of this process.
    public static let shared = Hashing(seed: .random(in: 1...UInt64.max), factor: .random(in: 1...UInt64.max) | 1)

    /// The hash of a number.
    @inlinable @inline(__always)
    public func hash(_ number: UInt64) -> UInt64 { mixed(number ^ seed) }

    /// The hash of a text by its bytes, and whether it is ASCII.
    @inlinable
    public func hash(_ text: String) -> (hash: UInt64, isASCII: Bool) {
      if let found = text.utf8.withContiguousStorageIfAvailable({ hash($0) }) { return found }
      var text = text
      return text.withUTF8 { hash($0) }
    }

    @inlinable
    func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> (hash: UInt64, isASCII: Bool) {
      guard let base = bytes.baseAddress else { return (seed, true) }
      let start = UnsafeRawPointer(base)
      var (state, all, position) = (seed ^ UInt64(bytes.count), 0 as UInt64, 0)
      while bytes.count &- position > 8 {
        let word = start.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        all |= word
        state = mixed(state ^ word)
        position &+= 8
      }
      var last: UInt64 = 0
      if bytes.count >= 8 {
        last = start.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
      } else {
        for byte in bytes { last = last << 8 | UInt64(byte) }
      }
      return (mixed(mixed(state ^ last) ^ factor), (all | last) & 0x8080_8080_8080_8080 == 0)
    }

    @inlinable @inline(__always)
    func mixed(_ state: UInt64) -> UInt64 {
      let (high, low) = state.multipliedFullWidth(by: factor)
      return high ^ low
    }
  }
}
