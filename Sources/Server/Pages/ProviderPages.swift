import Access
import Expressions
import Localization
import Page

/// Providers, plugins and settings.
enum ProviderPages {
  static let all: [PageRoute] = [list, show, plugins, plugin, settings]

  private static let list = PageRoute("/providers", .may(.read, .providers)) { request in
    ProvidersPage(try await request.json("listProviders"))
  }

  private static let show = PageRoute("/providers/{provider}", .may(.read, .providers)) { request in
    let path = ["provider": request.name("provider")]
    let provider = try await request.json("showProvider", path: path)
    guard provider["contracts"]?.listValue?.contains("chat") ?? false else {
      return ProviderPage(provider, models: .none)
    }
    // The provider is asked, which takes a while.
    guard request.query["models"] == "yes" else { return ProviderPage(provider, models: .offered) }
    do {
      let models = try await request.json("listModels", path: path)["items"]?.listValue ?? []
      return ProviderPage(provider, models: .listed(models))
    } catch {
      let problem = Problem(error, in: request.base.language)
      return ProviderPage(provider, models: .failed(problem.detail.string(in: request.base.language)))
    }
  }

  private static let plugins = PageRoute("/plugins", .may(.read, .plugins)) { request in
    PluginsPage(try await request.json("listPlugins"))
  }

  private static let plugin = PageRoute("/plugins/{plugin}", .may(.read, .plugins)) { request in
    PluginPage(try await request.json("showPlugin", path: ["plugin": request.name("plugin")]))
  }

  private static let settings = PageRoute("/settings", .may(.read, .settings)) { request in
    SettingsPage(
      try await request.json("showSettings"), trust: try await request.json("showTrust"),
      secrets: try await request.json("listSecrets"), kept: try await request.permitted("listState"))
  }
}
