import ArgumentParser
import Expressions

/// The version of this program, and what it is made for.
enum Version {
  /// The program's version, in the form of semver.org.
  static let current = "0.9.0"
  /// The version of the plugin ABI it loads.
  static let pluginABI = 1
}

/// `sous version`.
struct VersionCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "version",
      abstract: say("Show the version.", de: "Die Version zeigen."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    if format.json {
      let value: Value = ["version": .string(Version.current), "plugin_abi": .int(Int64(Version.pluginABI))]
      writeJSON(value)
    } else {
      write("sous \(Version.current) (plugin ABI \(Version.pluginABI))\n")
    }
  }
}
