import ArgumentParser
import Localization
import UseCases

/// `sous answer`: answers what a run waits for: a decision, an event, or whether a step took effect.
struct AnswerCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "answer",
      abstract: say(
        "Answer what a run asks: agree, refuse, deliver an event, or say whether a step took effect.",
        de: "Antworten, wo ein Lauf fragt: zustimmen, ablehnen, ein Ereignis zustellen, einen Zweifel klären."),
      subcommands: [
        AnswerListCommand.self, AnswerYesCommand.self, AnswerNoCommand.self, AnswerEventCommand.self,
        AnswerSettleCommand.self,
      ],
      defaultSubcommand: AnswerListCommand.self)
  }
}

/// `sous answer list`: decisions that are open, and steps whose effect is in doubt.
struct AnswerListCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "list", abstract: say("List what runs ask.", de: "Auflisten, was Läufe fragen."))
  }

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func run() async throws { try await Approval.list(format, global) }
}

/// `sous answer yes`: agrees to what a run asks.
struct AnswerYesCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "yes", abstract: say("Agree to what a run asks.", de: "Zustimmen, wo ein Lauf fragt."))
  }

  @OptionGroup var approval: Approval

  mutating func validate() throws {
    if approval.run == nil {
      throw ValidationError(
        say(
          "which run? 'sous answer' lists what runs ask", de: "welcher Lauf? 'sous answer' listet auf, was Läufe fragen"
        ))
    }
  }

  func run() async throws { try await approval.run() }
}

/// `sous answer no`: refuses what a run asks.
struct AnswerNoCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "no", abstract: RejectCommand.configuration.abstract)
  }

  @OptionGroup var refusal: Refusal

  func run() async throws { try await refusal.run() }
}

/// `sous answer event`: delivers an event.
struct AnswerEventCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "event", abstract: EventCommand.configuration.abstract)
  }

  @OptionGroup var event: EventDelivery

  func run() async throws { try await event.run() }
}

/// `sous answer settle`: records whether a step took effect.
struct AnswerSettleCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "settle", abstract: SettleCommand.configuration.abstract)
  }

  @OptionGroup var settlement: Settlement

  func run() async throws { try await settlement.run() }
}
