import Expressions
import Plans

/// Who is told of failures, as it is kept with what is told later.
struct FailureTarget: Sendable, Equatable {
  var providers: [String]?
  var mail: [String]

  init(_ policy: FailurePolicy) { (providers, mail) = (policy.providers, policy.mail) }

  init?(json: String) {
    guard let value = try? Value(json: json) else { return nil }
    providers = value["providers"]?.listValue?.compactMap(\.stringValue)
    mail = value["mail"]?.listValue?.compactMap(\.stringValue) ?? []
  }

  var json: String {
    let names = providers.map { Value.list($0.map { .string($0) }) } ?? .null
    return (["providers": names, "mail": .list(mail.map { .string($0) })] as Value).jsonString
  }

  /// The file that runs name which tell it; there is none.
  static let path = "sous:failure-notice"
  /// Seconds for which the delivery of a notice is tried: six hours, as `within` in ``recipe`` says.
  static let period = 6.0 * 3600
  /// The step that notifies.
  static let step = "tell"

  /// The recipe that delivers the notice. It retries for ``period`` after any failure, because a person may set a missing secret
  /// meanwhile. If one way fails, the other is still tried.
  var recipe: String {
    let retry = "retry: { attempts: 30, backoff: 10s, factor: 2, max: 30m, within: 6h, mendable: true }"
    let provider = providers.map { "\n    provider: \(Self.list($0))" } ?? ""
    var text = """
      name: failure-notice
      inputs:
        title: { type: string }
        text: { type: string }
        priority: { type: string, default: normal }
      \(retry)
      steps:
        - id: \(Self.step)
          needs: []\(provider)
          uses: notify.send
          with: { title: "{{ inputs.title }}", text: "{{ inputs.text }}", priority: "{{ inputs.priority }}" }
          on_error: continue

      """
    guard !mail.isEmpty else { return text }
    text += """
        - id: mail
          needs: []
          uses: mail.send
          with: { to: \(Self.list(mail)), subject: "{{ inputs.title }}", text: "{{ inputs.text }}" }
          on_error: continue

      """
    return text
  }

  private static func list(_ texts: [String]) -> String { Value.list(texts.map { .string($0) }).jsonString }
}
