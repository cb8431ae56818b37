public import PluginHost
public import RecipeModel

extension ConfiguredProvider.Plugin {
  /// The reference to the plugin as the configuration names it.
  public var reference: PluginReference {
    switch self {
    case .id(let id): .init(id)
    case .file(let path): .init(path.contains("/") ? path : "./" + path)
    }
  }
}
