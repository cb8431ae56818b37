import ArgumentParser
import Expressions
import Foundation
import Localization
import Mail

/// `sous mail html`: a message as HTML that is safe to show.
struct MailHTMLCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "html",
      abstract: say(
        "Print a message as HTML that is safe to show.",
        de: "Eine Nachricht als HTML ausgeben, das sicher zu zeigen ist."))
  }

  @OptionGroup var message: MessageArgument

  @Option(
    help: ArgumentHelp(
      say(
        "Pictures from the network: blocked, allowed, or the hosts they may come from, separated by commas.",
        de: "Bilder aus dem Netz: blocked, allowed, oder die Hosts, von denen sie kommen dürfen, mit Kommas getrennt."),
      valueName: "which"))
  var pictures = "blocked"

  @OptionGroup var format: FormatOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard case .hosts(let hosts) = remotePictures, let wrong = hosts.first(where: { !$0.contains(".") }) else { return }
    throw ValidationError(
      say(
        "'\(wrong)' is not a host: --pictures takes blocked, allowed, or hosts such as cdn.example.com",
        de: "'\(wrong)' ist kein Host: --pictures nimmt blocked, allowed oder Hosts wie cdn.example.com"))
  }

  func run() throws {
    let message = try message.read()
    let output = message.sanitizedHTML(remotePictures: remotePictures)
    if format.json {
      let answer: Value = [
        "html": output.map { .string($0.html) } ?? .null, "blocked_pictures": .int(Int64(output?.blockedPictures ?? 0)),
        "removed_trackers": .int(Int64(output?.removedTrackers ?? 0)),
      ]
      writeJSON(answer)
      return
    }
    // A message without HTML is text that can occur in a page.
    let html = output?.html ?? "<pre>\(HTMLText.escape(message.textBody))</pre>"
    writeOutput(html.hasSuffix("\n") ? html : html + "\n")
  }

  private var remotePictures: HTMLSanitizer.RemotePictures {
    switch pictures.lowercased() {
    case "blocked": .blocked
    case "allowed": .allowed
    default:
      .hosts(Set(pictures.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }))
    }
  }
}
