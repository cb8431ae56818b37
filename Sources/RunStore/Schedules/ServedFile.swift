public import Engine
public import Expressions

/// A file with a recipe that only the clock starts, as it was when its schedules were written down.
public struct ServedFile: Sendable, Equatable {
  /// The file.
  public var path: String
  /// What tells whether it has changed since.
  public var stamp: Int64
  /// The recipe's name.
  public var name: String
  /// How many schedules it has.
  public var schedules: Int

  /// Creates the record of a file.
  public init(path: String, stamp: Int64, name: String, schedules: Int) {
    self.path = path
    self.stamp = stamp
    self.name = name
    self.schedules = schedules
  }
}

/// The schedules that a recipe's file has now.
public struct ScheduleAdoption: Sendable {
  /// The file.
  public var path: String
  /// Its schedules, each as it begins where it is not known; none where the file is gone.
  public var schedules: [ScheduleRecord]
  /// The path that the file had before it was renamed: what is known of that one goes on under ``path``.
  public var former: String?

  /// Creates the schedules of a file.
  public init(path: String, schedules: [ScheduleRecord], former: String? = nil) {
    self.path = path
    self.schedules = schedules
    self.former = former
  }
}

/// When a schedule is to be decided next, as far as the run log knows.
public struct ScheduleWake: Sendable {
  /// The schedule.
  public var source: String
  /// The time, which may be too early; `nil` where nothing comes any more.
  public var at: Timestamp?
}
