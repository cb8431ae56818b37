package import Localization

/// The form to sign in.
package struct SignInPage: PageView {
  private let next: String
  private let user: String
  private let problem: LocalizedText?
  private let provider: String?

  /// Creates the form.
  ///
  /// - Parameters:
  ///   - next: The page to go to afterwards.
  ///   - user: The user name of an attempt that was refused.
  ///   - problem: The reason for the refusal.
  ///   - provider: The address of the identity provider; `nil` if users sign in with passwords alone.
  package init(next: String, user: String = "", problem: LocalizedText? = nil, provider: String? = nil) {
    (self.next, self.user, self.problem, self.provider) = (next, user, problem, provider)
  }

  /// The page to go to after the sign-in: a path of this server, otherwise the overview.
  package static func destination(_ next: String?) -> String {
    guard let next, PageAddress.isLocal(next), !next.hasPrefix("/sign-in") else { return "/" }
    return next
  }

  package var isPlain: Bool { true }
  package func title(_ context: PageContext) -> String { context.say("Sign in", de: "Anmelden") }

  package func contents(_ context: PageContext) -> HTML {
    .group([provider.map { identity($0, context) } ?? .empty, form(context)])
  }

  /// The link to the identity provider: a redirect to another server is not allowed after a form is sent.
  private func identity(_ issuer: String, _ context: PageContext) -> HTML {
    let host = issuer.split(separator: "/").dropFirst().first.map(String.init) ?? issuer
    return tag(.div, .class("card narrow")) {
      tag(
        .a, .class("button primary wide"), .href("/sign-in/identity?next=" + PageAddress.escaped(next)),
        text: context.say("Sign in with \(host)", de: "Mit \(host) anmelden"))
      tag(
        .p, .class("help"),
        text: context.say("Or with a password of this server:", de: "Oder mit einem Passwort dieses Servers:"))
    }
  }

  private func form(_ context: PageContext) -> HTML {
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
      tag(
        .button, .class(provider == nil ? "primary wide" : "wide"), .with(.type, "submit"),
        text: context.say("Sign in", de: "Anmelden"))
      tag(
        .p, .class("help"),
        text: context.say(
          "No account yet? An administrator adds one with 'sous users add'.",
          de: "Noch kein Konto? Ein Administrator legt es mit 'sous users add' an."))
    }
  }
}
