import CMalloc

/// The heap of the process, as the C library keeps it.
public enum Heap {
  /// Has all threads share one heap, which a process of one run gets sooner than one for each; to be called before there are
  /// other threads.
  public static func share() { mallopt(M_ARENA_MAX, 1) }
}
