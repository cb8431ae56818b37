package import Plans
package import RecipeSyntax
import Schemas

/// What a recipe or a step says about retries; what it leaves open is inherited.
package struct RetrySettings: Sendable {
  package var attempts: Int?
  package var backoff: Double?
  package var factor: Double?
  package var maximum: Double?
  package var jitter: Double?
  package var within: Double?
  var outage: Double?
  var mendable: Bool?
  /// Whether a person wrote ``maximum``, which then bounds the pause that a server asks for too.
  var isMaximumWritten = false

  /// The policy after these settings are laid over another one.
  package func applied(to base: RetryPolicy) -> RetryPolicy {
    var policy = RetryPolicy(
      attempts: attempts ?? base.attempts, backoff: backoff ?? base.backoff, factor: factor ?? base.factor,
      maximum: maximum ?? base.maximum, jitter: jitter ?? base.jitter, within: within ?? base.within,
      outage: outage ?? base.outage)
    policy.repeatsMendable = mendable ?? base.repeatsMendable
    policy.boundsRequests = isMaximumWritten || base.boundsRequests
    return policy
  }

  /// These settings, and those of others where these say nothing.
  package func laid(over other: RetrySettings) -> RetrySettings {
    RetrySettings(
      attempts: attempts ?? other.attempts, backoff: backoff ?? other.backoff, factor: factor ?? other.factor,
      maximum: maximum ?? other.maximum, jitter: jitter ?? other.jitter, within: within ?? other.within,
      outage: outage ?? other.outage, mendable: mendable ?? other.mendable,
      isMaximumWritten: maximum == nil ? other.isMaximumWritten : isMaximumWritten)
  }

  /// Reads `retry:` — a map, or a number of attempts.
  package static func read(_ node: Node, _ reader: FieldReader) -> RetrySettings? {
    if let scalar = node.scalar, SchemaType(of: scalar.value) == .integer {
      return reader.integer(node, "retry", in: 1...1000).map { RetrySettings(attempts: $0) }
    }
    guard let map = reader.map(node, "retry", keys: RecipeDefinitions.retry.keyNames) else { return nil }
    return RetrySettings(
      attempts: map["attempts"].flatMap { reader.integer($0, "attempts", in: 1...1000) },
      backoff: map["backoff"].flatMap { reader.duration($0, "backoff", allowsZero: true) },
      factor: map["factor"].flatMap { reader.number($0, "factor", in: 1...100) },
      maximum: map["max"].flatMap { reader.duration($0, "max", allowsZero: true) },
      jitter: map["jitter"].flatMap { reader.number($0, "jitter", in: 0...1) },
      within: map["within"].flatMap { reader.duration($0, "within") },
      outage: map["outage"].flatMap { reader.duration($0, "outage", allowsZero: true) },
      mendable: map["mendable"].flatMap { reader.bool($0, "mendable") }, isMaximumWritten: map["max"] != nil)
  }
}
