import Recipes
import Testing

@testable import UseCases

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
    #expect(settings == "retry:\n  attempts: 5\n  backoff: 10s\ntimeout: 2h\nnotify: false\n")
    let text = OutboxRecipe.source(name: "plan", providers: [], settings: settings).text
    #expect(OutboxRecipe.settings(of: text) == settings)
  }
}
