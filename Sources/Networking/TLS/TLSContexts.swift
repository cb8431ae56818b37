import Dispatch
import NIOCore
import NIOSSL

/// The TLS contexts in use, each made once, away from the event loop. Belongs to the event loop.
final class TLSContexts {
  private struct Key: Hashable {
    let options: TLSOptions
    let protocols: [String]
  }

  private enum Entry {
    case making([(Result<TLSContext, TLSFailure>) -> Void])
    case made(TLSContext)
  }

  private let loop: any EventLoop
  private let turns: EventLoopTurns
  private var entries: [Key: Entry] = [:]

  init(loop: any EventLoop, turns: EventLoopTurns) {
    self.loop = loop
    self.turns = turns
  }

  /// Begins to make a context that will be needed soon.
  func prepare(_ options: TLSOptions, protocols: [String]) {
    context(for: options, protocols: protocols) { _ in }
  }

  /// Hands over the context for some options, at once if it is there.
  func context(
    for options: TLSOptions, protocols: [String], completion: @escaping (Result<TLSContext, TLSFailure>) -> Void
  ) {
    let key = Key(options: options, protocols: protocols)
    switch entries[key] {
    case .made(let context): completion(.success(context))
    case .making(let waiting): entries[key] = .making(waiting + [completion])
    case nil:
      entries[key] = .making([completion])
      let contexts = NIOLoopBound(self, eventLoop: loop)
      DispatchQueue.global().async { [turns] in
        let result = Result { () throws(TLSFailure) in try TLSContext(options, protocols: protocols) }
        turns.run { contexts.value.made(result, for: key) }
      }
    }
  }

  /// Lets go of contexts that were made from files.
  func forget(_ options: TLSOptions) {
    guard options.authorities != nil || options.certificate != nil else { return }
    for (key, entry) in entries where key.options == options {
      if case .made = entry { entries[key] = nil }
    }
  }

  private func made(_ result: Result<TLSContext, TLSFailure>, for key: Key) {
    guard case .making(let waiting) = entries[key] else { return }
    // A failure is not kept: the file may be there the next time.
    entries[key] = if case .success(let context) = result { .made(context) } else { nil }
    for completion in waiting { completion(result) }
  }
}
