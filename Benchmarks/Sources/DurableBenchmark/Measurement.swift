import CSyncCost
import Glibc

/// What steps have taken.
struct Measurement {
  /// A moment: seconds of a clock, seconds of processors, and how often files were brought to the disk.
  typealias Moment = (time: Double, processor: Double, syncs: Int64)

  let stepsPerSecond: Double
  /// Seconds of processors for a step.
  let processor: Double
  /// How often files were brought to the disk for a step.
  let syncs: Double

  init(from begin: Moment, to end: Moment, steps: Int) {
    stepsPerSecond = Double(steps) / (end.time - begin.time)
    processor = (end.processor - begin.processor) / Double(steps)
    syncs = Double(end.syncs - begin.syncs) / Double(steps)
  }

  static var now: Moment { (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID), sync_cost_calls()) }
}

/// Seconds of a clock; of one that never goes back where none is named.
func seconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The middle of some figures.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return 0 }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
