/// Defects that can be planted, to see whether the simulation finds them.
enum Plant: String, CaseIterable, Sendable {
  /// The journal loses the end of an attempt now and then.
  case dropEnd = "drop-end"
  /// The journal says that an intent is on the disk when it is not.
  case earlyAcknowledgement = "early-ack"
  /// The journal forgets what was accepted before.
  case forgetAccepted = "forget-accepted"
  /// The queue gives a run that one process works on to another one as well.
  case twoOwners = "two-owners"
  /// An uncertain attempt of an action that may happen only once is repeated without asking.
  case repeatOnce = "repeat-once"
  /// The idempotency key changes with the attempt.
  case newKey = "new-key"
  /// A wait begins anew when its run is resumed.
  case forgetWait = "forget-wait"
  /// A wait ends before its time.
  case earlyTimer = "early-timer"
  /// A run that waits is not woken.
  case loseDue = "lose-due"
  /// Runs of one concurrency group work at the same time.
  case noGroup = "no-group"
  /// What was done is undone in the order in which it was done.
  case undoForwards = "undo-forwards"
  /// A run goes on after its deadline.
  case noDeadline = "no-deadline"
  /// An attempt begins after its step's time budget is used up.
  case noBudget = "no-budget"
  /// A kept result is given after its time.
  case staleCache = "stale-cache"
  /// What a process writes is taken although others have taken its runs over.
  case noFence = "no-fence"
  /// The journal says that something is on the disk, and has not waited for it.
  case laxDisk = "lax-disk"
  /// A run that repeats another one does again what had succeeded.
  case repeatDone = "repeat-done"
  /// A run that repeats another one tries again with keys of its own.
  case freshKey = "fresh-key"
}
