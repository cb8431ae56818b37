import Glibc

/// The environment of this process.
///
/// Foundation's takes longer to read it than a small recipe takes to be planned.
enum ProcessEnvironment {
  /// The variables, as they were when the process began. What is not UTF-8 is repaired.
  static let variables: [String: String] = {
    var variables: [String: String] = [:]
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(text[..<sign])] = String(text[text.utf8.index(after: sign)...])
      }
      place += 1
    }
    return variables
  }()
}
