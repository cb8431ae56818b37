package import Localization

/// The form to sign in.
package struct SignInPage: PageView {
  private let next: String
  private let user: String
  private let problem: LocalizedText?

  /// Creates the form.
  ///
  /// - Parameters:
  ///   - next: The page to go to afterwards.
  ///   - user: The user name of an attempt that was refused.
  ///   - problem: The reason for the refusal.
  package init(next: String, user: String = "", problem: LocalizedText? = nil) {
    (self.next, self.user, self.problem) = (next, user, problem)
  }

  /// The page to go to after the sign-in: a path of this server, otherwise the overview.
  package static func destination(_ next: String?) -> String {
    guard let next, PageAddress.isLocal(next), !next.hasPrefix("/sign-in") else { return "/" }
    return next
  }

  package var isPlain: Bool { true }
  package func title(_ context: PageContext) -> String { context.say("Sign in", de: "Anmelden") }

  package func contents(_ context: PageContext) -> HTML {
    tag(.form, .class("card narrow"), .with(.method, "post"), .action("/sign-in"), .data("sign-in", "")) {
      tag(.input, .with(.type, "hidden"), .with(.name, "next"), .with(.value, next))
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "user"), text: context.say("User name", de: "Benutzername"))
        tag(
          .input, .id("user"), .with(.name, "user"), .with(.autocomplete, "username"), .with(.autocapitalize, "none"),
          .with(.spellcheck, "false"), .with(.maxlength, "200"), .with(.value, user), .flag(.required),
          .flag(.autofocus))
      }
      tag(.div, .class("field")) {
        tag(.label, .with(.forID, "password"), text: context.say("Password", de: "Passwort"))
        tag(
          .input, .id("password"), .with(.name, "password"), .with(.type, "password"),
          .with(.autocomplete, "current-password"), .with(.maxlength, "2000"), .flag(.required))
      }
      if let problem {
        tag(.p, .class("problem"), .role("alert"), text: problem.string(in: context.language))
      } else {
        tag(.p, .class("problem"), .role("alert"), .flag(.hidden))
      }
      tag(.button, .class("primary wide"), .with(.type, "submit"), text: context.say("Sign in", de: "Anmelden"))
      tag(
        .p, .class("help"),
        text: context.say(
          "No account yet? An administrator adds one with 'sous users add'.",
          de: "Noch kein Konto? Ein Administrator legt es mit 'sous users add' an."))
    }
  }
}
