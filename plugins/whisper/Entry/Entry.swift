import PluginKit
import WhisperPlugin

/// The function that Sous looks for when it loads the library.
@_cdecl("sous_plugin_entry_v1")
public func entry() -> UnsafeRawPointer? { PluginEntry.pointer(for: WhisperPlugin.self) }
