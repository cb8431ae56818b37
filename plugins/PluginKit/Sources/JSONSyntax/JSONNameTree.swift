/// Remembers the names of the objects of a JSON text: objects that begin with the same names, as the elements of a list
/// mostly do, need neither make them again nor compare them to each other.
///
/// A tree: what follows a name are those that came behind it in some object.
public struct JSONNameTree: ~Copyable {
  /// Where an object being read is: at its last name.
  public struct Place {
    @usableFromInline var node: Int32 = -1
    @usableFromInline let floor: Int

    @inlinable
    init(floor: Int) { self.floor = floor }
  }

  @usableFromInline
  struct Node {
    @usableFromInline let text: String
    @usableFromInline let fingerprint: UInt64
    /// Where the name stands in the text, with quotation marks.
    @usableFromInline let offset: Int
    @usableFromInline let length: Int32
    @usableFromInline let parent: Int32
    /// How many names an object has up to this one.
    @usableFromInline let depth: Int32
    /// The name that followed last.
    @usableFromInline var child: Int32 = -1
    /// Another one that followed the same name.
    @usableFromInline var sibling: Int32 = -1
    @usableFromInline let isUnique: Bool
  }

  /// How many names are remembered: enough for usual texts, little memory for all others.
  @usableFromInline static var limit: Int { 4096 }
  /// How many names of an object are remembered.
  private static var depthLimit: Int { 64 }
  /// How many names of an object are compared to each other.
  private static var comparedLimit: Int { 32 }
  /// How many different names behind the same one are tried.
  @usableFromInline static var tries: Int { 4 }

  @usableFromInline var nodes = JSONStack<Node>()
  /// First names, by their letters; empty until there is a name.
  @usableFromInline var roots = JSONStack<Int32>()

  /// Creates an empty tree.
  @inlinable
  public init() {}

  /// Begins an object.
  @inlinable @inline(__always)
  public func begin() -> Place { Place(floor: nodes.count) }

  /// Takes the name that comes next where it is remembered.
  @inlinable @inline(__always)
  public func take(after place: inout Place, from cursor: inout JSONCursor) -> String? {
    guard roots.count > 0 else { return nil }
    var index = place.node < 0 ? roots[Self.root(at: cursor.position, of: cursor)] : nodes[Int(place.node)].child
    var triesLeft = Self.tries
    while index >= 0, triesLeft > 0 {
      let node = nodes.address(of: Int(index))
      if cursor.take(again: node.pointee.offset, length: Int(node.pointee.length)) {
        place.node = index
        return node.pointee.text
      }
      index = node.pointee.sibling
      triesLeft &-= 1
    }
    return nil
  }

  /// Adds a name that was read and is not remembered.
  ///
  /// - Parameters:
  ///   - token: Where it stands in the text, with quotation marks.
  ///   - fingerprint: See ``JSONCursor/name()``.
  ///   - isUnique: What is known of it beside its fingerprint.
  public mutating func add(
    _ text: String, fingerprint: UInt64, token: Range<Int>, isUnique: Bool = true, after place: inout Place,
    in cursor: borrowing JSONCursor
  ) {
    let parent = place.node
    let depth = parent < 0 ? 1 : nodes[Int(parent)].depth + 1
    guard depth <= Self.depthLimit else { return }
    var isUnique = isUnique && depth <= Self.comparedLimit && (parent < 0 || nodes[Int(parent)].isUnique)
    var index = parent
    while isUnique, index >= 0 {
      isUnique = nodes[Int(index)].fingerprint != fingerprint
      index = nodes[Int(index)].parent
    }
    var node = Node(
      text: text, fingerprint: fingerprint, offset: token.lowerBound, length: Int32(truncatingIfNeeded: token.count),
      parent: parent, depth: depth, isUnique: isUnique)
    place.node = Int32(truncatingIfNeeded: nodes.count)
    if nodes.count < Self.limit, token.count < 1 << 16 {
      if parent < 0 {
        if roots.count == 0 { for _ in 0..<32 { roots.push(-1) } }
        let root = Self.root(at: token.lowerBound, of: cursor)
        node.sibling = roots[root]
        roots[root] = place.node
      } else {
        node.sibling = nodes[Int(parent)].child
        nodes[Int(parent)].child = place.node
      }
    }
    nodes.push(node)
  }

  /// Ends an object.
  ///
  /// - Returns: Whether its names are known to be different ones, as they can be where there are no more than 32.
  @inlinable @inline(__always)
  public mutating func end(_ place: Place) -> Bool {
    let isUnique = place.node < 0 || nodes[Int(place.node)].isUnique
    if nodes.count > place.floor { trim(place.floor) }
    return isUnique
  }

  /// A number for the names of an object that ends: objects with the same number have the same names in the same order.
  /// `nil` where the tree does not remember all of them.
  ///
  /// - Parameter count: How many names the object has.
  @inlinable
  public func sequence(_ place: Place, count: Int) -> Int32? {
    guard place.node >= 0, place.node < Self.limit, nodes[Int(place.node)].depth == count else { return nil }
    return place.node
  }

  /// Forgets what is too much; no other name leads there.
  @usableFromInline
  mutating func trim(_ floor: Int) { nodes.drop(from: max(floor, Self.limit)) }

  /// A number for the three bytes behind a quotation mark.
  @inlinable @inline(__always)
  static func root(at position: Int, of cursor: borrowing JSONCursor) -> Int {
    guard cursor.count - position > 3 else { return 0 }
    let bytes = cursor.base + position
    return (Int(bytes[1]) &* 7 &+ Int(bytes[2]) &* 3 &+ Int(bytes[3])) & 31
  }
}
