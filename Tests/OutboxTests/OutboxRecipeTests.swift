import RecipeSyntax
import Testing

@testable import Outbox

/// The recipe that messages of the outbox run by.
@Suite struct OutboxRecipeTests {
  @Test func itKeepsTheSettingsOfTheRecipeThatSends() {
    let settings = OutboxRecipe.settings(
      of: """
        kind: send
        name: plan
        retry:
          attempts: 5
          backoff: 10s
        inputs: { retry: { type: string } }
        # A line between.
        timeout: 2h
        concurrency: "{{ inputs.to }}"
        mail:
          to: [a@example.com]
          text: |
            timeout: 3h
        notify: false
        """)
    #expect(settings == "retry: {\"attempts\":5,\"backoff\":\"10s\"}\nnotify: false\ntimeout: \"2h\"\n")
    let text = OutboxRecipe.source(name: "plan", providers: [], settings: settings).text
    #expect(OutboxRecipe.settings(of: text) == settings)
  }

  @Test func itKeepsSettingsThatAreWrittenInOneLine() {
    let recipe = "{ kind: send, \"retry\": { attempts: 5 }, priority: 7, mail: { to: a@example.com, text: x } }"
    #expect(OutboxRecipe.settings(of: recipe) == "retry: {\"attempts\":5}\npriority: 7\n")
  }
}
