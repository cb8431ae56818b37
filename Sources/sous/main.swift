import ArgumentParser
import Foundation
import Localization
import PluginHost

// A plugin that nobody knows yet is tried out in a child process of this program; see PluginProbe.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "plugin-probe" {
  PluginProbe.runChild(path: CommandLine.arguments[2])
}

await Sous.start()
