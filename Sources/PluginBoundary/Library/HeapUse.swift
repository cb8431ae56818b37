import CMalloc

/// The bytes that a process has allocated.
package enum HeapUse {
  /// What `malloc` has handed out and not got back (mallinfo(3)).
  package static var bytes: Int {
    let use = mallinfo2()
    return Int(clamping: use.uordblks) + Int(clamping: use.hblkhd)
  }
}
