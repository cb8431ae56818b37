package import Engine
import Localization

/// The defaults refuse: a plugin does not reach them, as `get` returns NULL for a capability that is not offered.
extension InstanceServices {
  package func send(_ request: HTTPExchangeRequest, to handler: any HTTPExchangeHandler) -> any HTTPExchangeControl {
    handler.end(AbsentControl.failure)
    return AbsentControl.shared
  }

  package func open(_ request: ByteStreamRequest, to handler: any ByteStreamHandler) -> any ByteStreamControl {
    handler.end(AbsentControl.failure)
    return AbsentControl.shared
  }

  package func readSecret(_ name: String, reply: @escaping ServiceReply<[UInt8]>) { reply(.failure(.failed)) }
  package func readState(_ key: String, reply: @escaping ServiceReply<StateEntry>) { reply(.failure(.failed)) }
  package func listState(_ prefix: String, reply: @escaping ServiceReply<[String]>) { reply(.failure(.failed)) }
  package func commitState(_ changes: [StateChange], reply: @escaping ServiceReply<Void>) { reply(.failure(.failed)) }
  package func createBlob(call: UInt64) -> (any BlobWriting)? { nil }
  package func readBlob(
    _ name: String, offset: UInt64, length: Int, call: UInt64, reply: @escaping ServiceReply<[UInt8]>
  ) { reply(.failure(.failed)) }
  package func emit(_ event: EmittedEvent, reply: @escaping ServiceReply<Void>) { reply(.failure(.failed)) }
}

/// A request or a connection that has ended before it began.
package final class AbsentControl: HTTPExchangeControl, ByteStreamControl {
  package static let shared = AbsentControl()

  package static var failure: ActionFailure {
    ActionFailure(
      .unsupported,
      LocalizedText("There is no network for plugins here.", de: "Für Plugins gibt es hier kein Netz."))
  }

  package func write(_ piece: [UInt8]) {}
  package func finish() {}
  package func consumed(_ bytes: UInt64) {}
  package func cancel() {}
  package func startTLS() {}
  package func close() {}
}
