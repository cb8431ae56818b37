public import Engine
import PluginHost
import Providers
import RunStore

extension Workspace {
  /// What calls of models have used; what had no price when it was used is counted by the prices of today.
  ///
  /// - Parameters:
  ///   - filter: Which calls.
  ///   - run: Only those of this run: its name, the beginning of it, or `last`.
  ///   - grouping: What the rows stand for.
  public func usage(
    _ filter: UsageFilter, run: String? = nil, by grouping: UsageGrouping
  ) async throws(UseCaseError) -> [UsageSummary] {
    let providers = (try? Project(self))?.providers
    return try await readingFile(
      { store in
        var filter = filter
        if let run { filter.run = try await store.resolve(run) }
        return try await store.usage(filter, by: grouping) { provider, model in
          providers?.price(of: model, provider: provider)
        }
      }, ifMissing: { [] })
  }
}
