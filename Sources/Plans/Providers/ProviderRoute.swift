/// A provider, and the model that it is asked for where the provider's own is not meant.
///
/// Everywhere in plans, the journal and the run log a route is one text: `gpt`, or `gpt/gpt-4o`. A provider's name has no
/// `/`, so what stands behind the first one is the model.
public struct ProviderRoute: Sendable, Hashable {
  /// The provider's configured name.
  public var provider: String
  /// The model; `nil` for the one that the provider has, or the step names.
  public var model: String?

  /// Creates a route.
  public init(provider: String, model: String? = nil) {
    self.provider = provider
    self.model = model
  }

  /// Reads a route from its text.
  public init(_ text: String) {
    guard let slash = text.firstIndex(of: "/") else {
      self.init(provider: text)
      return
    }
    let model = String(text[text.index(after: slash)...])
    self.init(provider: String(text[..<slash]), model: model.isEmpty ? nil : model)
  }

  /// The route as one text.
  public var text: String { model.map { "\(provider)/\($0)" } ?? provider }
}
