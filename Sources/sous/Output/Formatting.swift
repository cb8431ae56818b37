import Expressions
import Foundation
import Localization

extension Double {
  /// A duration in seconds for people: `6 ms`, `1.2 s`, `2 min 5 s`, `3 h 20 min`, `32 d 1 h`.
  var spokenDuration: String {
    guard self >= 0, self < 1e12 else { return "–" }
    if self < 0.9995 { return "\(Int((self * 1000).rounded())) ms" }
    if self < 59.95 { return "\(((self * 10).rounded() / 10).spoken) s" }
    let seconds = Int(rounded())
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    if seconds < 172_800 { return "\(seconds / 3600) h \(seconds % 3600 / 60) min" }
    return "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
  }
}

extension Double {
  /// A number with the decimal sign of the language.
  var spoken: String {
    let text = String(self)
    return Speech.language == .german ? text.replacing(".", with: ",") : text
  }
}

extension Int {
  /// A size in bytes for people: `512 B`, `4.2 kB`, `1.3 MB`.
  var spokenSize: String {
    if self < 1000 { return "\(self) B" }
    var value = Double(self)
    for unit in ["kB", "MB", "GB"] {
      value /= 1000
      if value < 999.95 || unit == "GB" { return "\(((value * 10).rounded() / 10).spoken) \(unit)" }
    }
    return "\(self) B"
  }
}

extension Value {
  /// The value as JSON on several lines.
  var prettyJSON: String { String(decoding: json(pretty: true), as: UTF8.self) }
}

extension String {
  /// Whether the text can only be the name of a recipe: no such file exists, and it is not spelled like one.
  var isRecipeName: Bool {
    !contains("/") && !hasSuffix(".yaml") && !hasSuffix(".yml") && !FileManager.default.fileExists(atPath: self)
  }

  /// An absolute path as people read it: from the current folder where the path is below it, else with `~` for the home folder.
  var shownPath: String {
    let here = FileManager.default.currentDirectoryPath + "/"
    if here != "//", hasPrefix(here) { return String(dropFirst(here.count)) }
    let home = NSHomeDirectory() + "/"
    return home != "//" && hasPrefix(home) ? "~/" + dropFirst(home.count) : self
  }
}
