import ArgumentParser

/// `sous schedules`: what is due when.
struct SchedulesCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "schedules",
      abstract: say("Tell when something is due.", de: "Sagen, wann etwas fällig ist."),
      subcommands: [SchedulesNextCommand.self])
  }
}
