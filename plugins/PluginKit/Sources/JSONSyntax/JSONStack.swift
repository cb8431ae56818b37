/// Collects what arrays and objects hold while they are read, so that each gets room of its exact size.
public struct JSONStack<Element>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>?
  @usableFromInline var capacity = 0
  @usableFromInline var storedCount = 0

  /// Creates an empty stack.
  @inlinable
  public init() {}

  @inlinable
  deinit {
    base?.deinitialize(count: storedCount)
    base?.deallocate()
  }

  /// How many elements there are.
  @inlinable
  public var count: Int { storedCount }

  /// The element at a position; there must be one.
  @inlinable @inline(__always)
  public subscript(position: Int) -> Element {
    unsafeAddress { UnsafePointer(address(of: position)) }
    unsafeMutableAddress { address(of: position) }
  }

  @inlinable @inline(__always)
  func address(of position: Int) -> UnsafeMutablePointer<Element> {
    precondition(0..<storedCount ~= position)
    return base.unsafelyUnwrapped + position
  }

  /// The elements from one on.
  @inlinable
  public func elements(from start: Int) -> UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: base.map { UnsafePointer($0 + start) }, count: storedCount - start)
  }

  /// Adds an element.
  @inlinable @inline(__always)
  public mutating func push(_ element: consuming Element) {
    if storedCount == capacity { grow() }
    if let base { (base + storedCount).initialize(to: element) }
    storedCount &+= 1
  }

  /// Forgets all elements from one on.
  @inlinable
  public mutating func drop(from start: Int) {
    if let base, storedCount > start { (base + start).deinitialize(count: storedCount - start) }
    storedCount = min(storedCount, start)
  }

  /// Takes all elements from one on.
  @inlinable
  public mutating func pop(from start: Int) -> [Element] {
    guard let base, storedCount > start else { return [] }
    let length = storedCount - start
    storedCount = start
    let first = base + start
    // Literals take room of their size; all else asks afterwards how large the room is.
    switch length {
    case 1: return [first.move()]
    case 2: return [first.move(), (first + 1).move()]
    case 3: return [first.move(), (first + 1).move(), (first + 2).move()]
    case 4: return [first.move(), (first + 1).move(), (first + 2).move(), (first + 3).move()]
    case 5: return [first.move(), (first + 1).move(), (first + 2).move(), (first + 3).move(), (first + 4).move()]
    case 6:
      return [
        first.move(), (first + 1).move(), (first + 2).move(), (first + 3).move(),
        (first + 4).move(), (first + 5).move(),
      ]
    case 7:
      return [
        first.move(), (first + 1).move(), (first + 2).move(), (first + 3).move(),
        (first + 4).move(), (first + 5).move(), (first + 6).move(),
      ]
    case 8:
      return [
        first.move(), (first + 1).move(), (first + 2).move(), (first + 3).move(),
        (first + 4).move(), (first + 5).move(), (first + 6).move(), (first + 7).move(),
      ]
    default: break
    }
    if length >= 64 {
      return Array(unsafeUninitializedCapacity: length) { room, count in
        room.baseAddress?.moveInitialize(from: first, count: length)
        count = length
      }
    }
    // Quicker than filling uninitialised room, for which the library looks the type up each time.
    var elements: [Element] = []
    elements.reserveCapacity(length)
    for index in 0..<length { elements.append((first + index).move()) }
    return elements
  }

  @usableFromInline
  mutating func grow() {
    // From 1 KiB on, allocating makes the C library tidy up what was freed before: once is enough for most texts.
    let stride = MemoryLayout<Element>.stride
    let larger = capacity == 0 ? max(4, 1000 / stride) : capacity * (capacity * stride < 1 << 16 ? 4 : 2)
    let room = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    if let base {
      room.moveInitialize(from: base, count: storedCount)
      base.deallocate()
    }
    base = room
    capacity = larger
  }
}
