import NIOCore
import NIOSSL
import NIOTLS

/// Waits behind the TLS handler for the end of the handshake, says how it went, and goes away.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let context: TLSContext
  private var completion: ((Result<String?, TLSFailure>) -> Void)?

  init(context: TLSContext, completion: @escaping (Result<String?, TLSFailure>) -> Void) {
    self.context = context
    self.completion = completion
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
      context.fireUserInboundEventTriggered(event)
      return
    }
    let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
    let presented = try? certificate?.toDERBytes()
    // Without a subjectAltName the library accepts the common name, which is not an identity (RFC 9525, section 6.3).
    if self.context.checksChain, certificate?._subjectAlternativeNames().isEmpty != false {
      finish(.failure(.unnamed))
      context.close(promise: nil)
      return
    }
    if let pinned = self.context.pinned, presented != pinned {
      finish(.failure(.notPinned))
      context.close(promise: nil)
      return
    }
    // Later handlers are added behind this one now, and get the bytes that the handler in front holds already.
    finish(.success(negotiated))
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if completion == nil { context.fireErrorCaught(error) } else { fail(TLSFailure(error)) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    fail(.closed)
    context.fireChannelInactive()
  }

  private func fail(_ failure: TLSFailure) {
    if case .untrusted = failure, !context.checksChain {
      finish(.failure(.notPinned))
    } else {
      finish(.failure(failure))
    }
  }

  private func finish(_ result: Result<String?, TLSFailure>) {
    guard let completion else { return }
    self.completion = nil
    completion(result)
  }
}
