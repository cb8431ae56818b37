/// What is known of models: what they cost, how much they take, what they can do.
///
/// The table that comes with Sous holds list prices of two vendors, in US dollars for a million tokens; it is for their own
/// servers only. `engine.prices` of `sous.yaml` stands above it, by `PROVIDER/MODEL`, `PROVIDER/` or `MODEL`; its names
/// may be beginnings, of which the longest counts.
public struct ModelTable: Sendable {
  /// What a model costs, for a million tokens.
  public typealias Price = EngineSettings.Price

  /// A model with its versions.
  public struct Entry: Sendable {
    /// The name, without that of a version.
    public var name: String
    /// What it costs.
    public var price: Price
    /// Tokens of prompt and answer together.
    public var context: Int?
    /// Whether it takes pictures.
    public var takesImages: Bool

    init(_ name: String, _ input: Double, _ output: Double, cached: Double?, context: Int?, images: Bool) {
      self.name = name
      price = Price(input: input, output: output, cached: cached)
      self.context = context
      takesImages = images
    }
  }

  private let prices: [(name: String, price: Price)]

  /// Takes the prices of a configuration.
  public init(_ settings: EngineSettings = EngineSettings()) {
    prices = settings.prices.map { ($0.key, $0.value) }.sorted { $0.0.utf8.count > $1.0.utf8.count }
  }

  /// What a model costs; `nil` where nobody has said.
  ///
  /// - Parameters:
  ///   - model: Its name.
  ///   - provider: The provider that is asked.
  ///   - vendor: Whose servers it is on: `openai`, `mistral`; `nil` for others'.
  ///   - isLocal: Whether it runs on a machine of one's own, which costs nothing where no price is set.
  public func price(of model: String, provider: String, vendor: String?, isLocal: Bool) -> Price? {
    let route = "\(provider)/\(model)"
    if let own = prices.first(where: { $0.name.contains("/") && route.hasPrefix($0.name) }) { return own.price }
    if let named = prices.first(where: { model.hasPrefix($0.name) }) { return named.price }
    if let known = entry(of: model, vendor: vendor) { return known.price }
    return isLocal ? Price() : nil
  }

  /// What comes with Sous for a model of a vendor.
  public func entry(of model: String, vendor: String?) -> Entry? {
    guard let vendor, let entries = Self.bundled[vendor] else { return nil }
    return entries.first { Self.isVersion(model, of: $0.name) }
  }

  /// Whether a name is that of a model, or of one of its versions: `gpt-4o-2024-08-06`, `mistral-small-latest`. Other names
  /// that begin alike are other models, at other prices.
  private static func isVersion(_ model: String, of name: String) -> Bool {
    guard model.hasPrefix(name) else { return false }
    let rest = model.dropFirst(name.count)
    return rest.isEmpty || rest == "-latest"
      || rest.hasPrefix("-") && rest.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }
  }

  private static let bundled: [String: [Entry]] = [
    // https://platform.openai.com/docs/pricing
    "openai": [
      Entry("gpt-5", 1.25, 10, cached: 0.125, context: 400_000, images: true),
      Entry("gpt-5-mini", 0.25, 2, cached: 0.025, context: 400_000, images: true),
      Entry("gpt-5-nano", 0.05, 0.4, cached: 0.005, context: 400_000, images: true),
      Entry("gpt-4.1", 2, 8, cached: 0.5, context: 1_047_576, images: true),
      Entry("gpt-4.1-mini", 0.4, 1.6, cached: 0.1, context: 1_047_576, images: true),
      Entry("gpt-4.1-nano", 0.1, 0.4, cached: 0.025, context: 1_047_576, images: true),
      Entry("gpt-4o", 2.5, 10, cached: 1.25, context: 128_000, images: true),
      Entry("gpt-4o-mini", 0.15, 0.6, cached: 0.075, context: 128_000, images: true),
      Entry("o3", 2, 8, cached: 0.5, context: 200_000, images: true),
      Entry("o4-mini", 1.1, 4.4, cached: 0.275, context: 200_000, images: true),
      Entry("text-embedding-3-small", 0.02, 0, cached: nil, context: 8192, images: false),
      Entry("text-embedding-3-large", 0.13, 0, cached: nil, context: 8192, images: false),
    ],
    // https://mistral.ai/pricing
    "mistral": [
      Entry("mistral-small", 0.1, 0.3, cached: nil, context: 128_000, images: true),
      Entry("mistral-medium", 0.4, 2, cached: nil, context: 128_000, images: true),
      Entry("mistral-large", 2, 6, cached: nil, context: 128_000, images: false),
      Entry("ministral-8b", 0.1, 0.1, cached: nil, context: 128_000, images: false),
      Entry("ministral-3b", 0.04, 0.04, cached: nil, context: 128_000, images: false),
      Entry("codestral", 0.3, 0.9, cached: nil, context: 256_000, images: false),
      Entry("mistral-embed", 0.1, 0, cached: nil, context: 8192, images: false),
    ],
  ]
}

extension EngineSettings.Price {
  /// What a call costs.
  ///
  /// - Parameters:
  ///   - prompt: Tokens that were asked, the cached ones among them.
  ///   - cached: Those of them that the service had read before.
  ///   - completion: Tokens that were answered.
  public func cost(prompt: Int, cached: Int = 0, completion: Int) -> Double {
    let known = min(max(0, cached), prompt)
    return (Double(prompt - known) * input + Double(known) * (self.cached ?? input) + Double(completion) * output)
      / 1_000_000
  }
}
