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
    storedCount += 1
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
    // Quicker than filling uninitialised room, for which the library looks the type up each time.
    var elements: [Element] = []
    elements.reserveCapacity(length)
    for index in start..<(start + length) { elements.append((base + index).move()) }
    return elements
  }

  @usableFromInline
  mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(8, capacity * 2))
    if let base {
      larger.moveInitialize(from: base, count: storedCount)
      base.deallocate()
    }
    base = larger
    capacity = max(8, capacity * 2)
  }
}
