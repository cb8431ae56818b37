import ArgumentParser
import Foundation
import Localization
import PluginHost
import PluginWorker
import UseCases

// An unknown plugin, or one that is not trusted like Sous itself, is opened in a child process of this program; see
// PluginWorker.
if CommandLine.arguments.count > 1, CommandLine.arguments[1] == "plugin-worker" {
  PluginWorker.runChild(arguments: Array(CommandLine.arguments.dropFirst(2)))
}

await Sous.start()
