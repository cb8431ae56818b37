import Foundation
import Glibc

/// The process, as the kernel counts it, under the usual names of Prometheus.
struct ProcessFigures {
  /// Adds its metrics; those that the kernel does not report are left out.
  static func write(to text: inout PrometheusText) {
    if let memory = memory() {
      text.single("process_resident_memory_bytes", .gauge, "Resident memory of the process.", memory.resident)
      text.single("process_virtual_memory_bytes", .gauge, "Virtual memory of the process.", memory.virtual)
    }
    var usage = rusage()
    if getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 {
      text.single(
        "process_cpu_seconds_total", .counter, "Time of processors that the process has used.",
        seconds(usage.ru_utime) + seconds(usage.ru_stime))
    }
    if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      text.single("process_open_fds", .gauge, "Open files of the process.", Double(files))
    }
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      text.single("process_max_fds", .gauge, "The most files that the process may open.", Double(limit.rlim_cur))
    }
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  private static func memory() -> (virtual: Double, resident: Double)? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let parts = text.split(separator: " ")
    guard parts.count > 1, let size = Double(parts[0]), let resident = Double(parts[1]) else { return nil }
    let page = Double(sysconf(Int32(_SC_PAGESIZE)))
    return (size * page, resident * page)
  }
}
