import CPluginABI
import Expressions
import Foundation
import Localization

/// Tries a plugin out before it is opened in this process.
public protocol PluginProbing: Sendable {
  /// The manifest text of a library. May block for as long as the probe allows.
  ///
  /// - Throws: ``PluginError`` where the library is no plugin that can be used.
  func manifest(ofLibraryAt path: String) throws(PluginError) -> [UInt8]
}

/// Tries plugins out in a child process, so that one that crashes, hangs or ends the process while it is loaded takes
/// nothing else down.
public struct PluginProbe: PluginProbing {
  /// The executable to run; its command `plugin-probe PATH` must call ``runChild(path:)``.
  public var executable: String
  /// Seconds a plugin may take.
  public var limit: Double

  /// Creates a probe.
  public init(executable: String = "/proc/self/exe", limit: Double = 10) {
    self.executable = executable
    self.limit = limit
  }

  /// Runs the child and reads its report.
  public func manifest(ofLibraryAt path: String) throws(PluginError) -> [UInt8] {
    let child: ChildProcess.Ending
    do throws(ChildProcess.Failure) {
      child = try ChildProcess.run(executable, ["plugin-probe", path], limit: limit)
    } catch {
      throw PluginError(
        .probeFailed,
        LocalizedText(
          "The plugin \(path) could not be tried out: running \(executable) failed: \(error.reason).",
          de: "Das Plugin \(path) ließ sich nicht ausprobieren: \(executable) lief nicht: \(error.reason)."),
        path: path)
    }
    if let report = ProbeReport(child.output, path: path) { return try report.result.get() }
    let words = child.errors.isEmpty ? "" : " (\(child.errors))"
    switch child.status {
    case .timedOut:
      throw PluginError(
        .probeTimeout,
        LocalizedText(
          "The plugin \(path) did not finish loading within \(limit) s\(words). It must not block while it is loaded.",
          de: "Das Plugin \(path) war nach \(limit) s noch nicht geladen\(words). Es darf beim Laden nicht blockieren."),
        path: path)
    case .exited(let status):
      throw PluginError(
        .crashedLoading,
        LocalizedText(
          "The plugin \(path) ended the process with status \(status) while it was loaded\(words). Look for a newer version.",
          de:
            "Das Plugin \(path) beendete beim Laden den Prozess mit Status \(status)\(words). Nach einer neueren Version sehen."
        ), path: path)
    case .unknown:
      throw PluginError(
        .crashedLoading,
        LocalizedText(
          "The plugin \(path) ended the process while it was loaded\(words). Look for a newer version.",
          de: "Das Plugin \(path) beendete beim Laden den Prozess\(words). Nach einer neueren Version sehen."),
        path: path)
    case .signalled(let signal):
      let name = ChildProcess.signalName(signal)
      throw PluginError(
        .crashedLoading,
        LocalizedText(
          "The plugin \(path) crashed while it was loaded: \(name)\(words). Look for a newer version.",
          de: "Das Plugin \(path) ist beim Laden abgestürzt: \(name)\(words). Nach einer neueren Version sehen."),
        path: path)
    }
  }

  /// What the hidden command `plugin-probe PATH` does: opens the library, writes a report for the parent to standard
  /// output and ends the process, without running what the plugin has registered for the end.
  public static func runChild(path: String) -> Never {
    // Whatever the plugin prints must not mix with the report; a plugin that hangs must not outlive a parent that died.
    let output = dup(STDOUT_FILENO)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    signal(SIGPIPE, SIG_IGN)
    alarm(60)
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
    let report: ProbeReport
    do throws(PluginError) {
      report = ProbeReport(
        result: .success(try PluginTable(opening: path).manifest(limit: PluginLimits().manifestBytes)))
    } catch {
      report = ProbeReport(result: .failure(error))
    }
    report.json.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let written = write(output, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        guard written > 0 else { break }
        offset += written
      }
    }
    _exit(0)
  }
}

/// What a child found out, on its way to the parent.
struct ProbeReport {
  let result: Result<[UInt8], PluginError>

  init(result: Result<[UInt8], PluginError>) {
    self.result = result
  }

  /// Reads a report; `nil` where there is none, because the child did not come to that.
  init?(_ json: [UInt8], path: String) {
    guard case .map(let members)? = try? Value(json: json) else { return nil }
    if case .string(let base64)? = members["manifest"], let data = Data(base64Encoded: base64) {
      result = .success(Array(data))
    } else if case .string(let code)? = members["code"], case .string(let english)? = members["english"],
      case .string(let german)? = members["german"]
    {
      result = .failure(
        PluginError(PluginError.Code(rawValue: code), LocalizedText(english, de: german), path: path))
    } else {
      return nil
    }
  }

  var json: [UInt8] {
    let members: ValueMap
    switch result {
    case .success(let manifest): members = ["manifest": .string(Data(manifest).base64EncodedString())]
    case .failure(let error):
      members = [
        "code": .string(error.code.rawValue), "english": .string(error.message.english),
        "german": .string(error.message.german),
      ]
    }
    return Value.map(members).json()
  }
}
