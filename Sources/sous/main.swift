import ArgumentParser
import Foundation
import Localization
import PluginHost

// A plugin that nobody knows yet is tried out in a child process of this program; see PluginProbe.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "plugin-probe" {
  PluginProbe.runChild(path: CommandLine.arguments[2])
}

// A plugin that is not trusted like Sous itself runs in a child process of this program; see PluginWorker.
if CommandLine.arguments.count > 1, CommandLine.arguments[1] == "plugin-worker" {
  PluginWorker.runChild(arguments: Array(CommandLine.arguments.dropFirst(2)))
}

await Sous.start()
