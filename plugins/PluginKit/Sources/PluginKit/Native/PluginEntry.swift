import CPluginABI
import Synchronization

/// The way from the exported C function to a plugin type.
public enum PluginEntry {
  /// The table of C functions for a plugin, which its entry function returns:
  ///
  /// ```swift
  /// @_cdecl("sous_plugin_entry_v1")
  /// public func entry() -> UnsafeRawPointer? { PluginEntry.pointer(for: MyPlugin.self) }
  /// ```
  ///
  /// A library holds one plugin. A package whose tests link several plugins keeps this line in a target of its own,
  /// which only the library product contains: the symbol may occur once in a linked program.
  ///
  /// - Returns: A pointer that stays valid, or `nil` if another type was registered before: the host then reports that
  ///   the plugin refuses to be loaded.
  public static func pointer<Owner: Plugin>(for type: Owner.Type) -> UnsafeRawPointer? {
    registration.withLock { registration in
      if let registration {
        return registration.type == ObjectIdentifier(type) ? registration.table.raw : nil
      }
      let made = Registration(type)
      registration = made
      return made.table.raw
    }
  }

  // The ABI's `describe` and `create` carry no context, so that the type has to be known globally. Every plugin library
  // has its own copy of this variable.
  fileprivate static let registration = Mutex<Registration?>(nil)

  fileprivate struct Registration: Sendable {
    let type: ObjectIdentifier
    let table: Table
    let manifest: Constant
    let make: @Sendable (PluginContext, [UInt8]) throws(ActionError) -> PluginInstance

    init<Owner: Plugin>(_ type: Owner.Type) {
      self.type = ObjectIdentifier(type)
      table = Table()
      manifest = Constant(Manifest.json(of: type))
      make = { host, configuration throws(ActionError) in
        try PluginInstance(type, host: host, configuration: configuration)
      }
    }
  }

  /// Bytes that are never freed.
  // Written once before other code sees it.
  fileprivate struct Constant: @unchecked Sendable {
    let bytes: sous_bytes

    init(_ text: String) {
      let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
      _ = storage.initialize(from: text.utf8)
      bytes = sous_bytes(data: UnsafePointer(storage.baseAddress), size: storage.count)
    }
  }

  /// The C table, never freed.
  // Written once before other code sees it.
  fileprivate struct Table: @unchecked Sendable {
    let raw: UnsafeRawPointer

    init() {
      let table = UnsafeMutablePointer<sous_plugin>.allocate(capacity: 1)
      table.initialize(
        to: sous_plugin(
          magic: SOUS_PLUGIN_MAGIC,
          abi_version: SOUS_ABI_VERSION,
          size: MemoryLayout<sous_plugin>.size,
          describe: { PluginEntry.registered()?.manifest.bytes ?? sous_bytes(data: nil, size: 0) },
          create: { host, provider, configuration, failure in
            PluginEntry.create(host: host, provider: provider, configuration: configuration, failure: failure)
          },
          destroy: { instance in
            guard let instance else { return }
            Unmanaged<PluginInstance>.fromOpaque(UnsafeRawPointer(instance)).release()
          },
          start: { instance, call, completion in
            guard let instance, let call else {
              Answer(completion).give(.failure(ActionError(.protocol, "start was called without instance or call")))
              return
            }
            Unmanaged<PluginInstance>.fromOpaque(UnsafeRawPointer(instance)).takeUnretainedValue()
              .start(call.pointee, completion: completion)
          },
          cancel: { instance, id in
            guard let instance else { return }
            Unmanaged<PluginInstance>.fromOpaque(UnsafeRawPointer(instance)).takeUnretainedValue().cancel(id)
          }))
      raw = UnsafeRawPointer(table)
    }
  }

  fileprivate static func registered() -> Registration? { registration.withLock { $0 } }

  fileprivate static func create(
    host: UnsafePointer<sous_host>?, provider: sous_bytes, configuration: sous_bytes, failure: sous_completion
  ) -> OpaquePointer? {
    do throws(ActionError) {
      guard let registration = registered(), let host else {
        throw ActionError(.protocol, "create was called before the entry function, or without a host")
      }
      let instance = try registration.make(
        PluginContext(provider: NativeBytes.string(provider), services: NativeHostServices(host)),
        NativeBytes.copy(configuration))
      return OpaquePointer(Unmanaged.passRetained(instance).toOpaque())
    } catch {
      Answer(failure).give(.failure(error))
      return nil
    }
  }
}
