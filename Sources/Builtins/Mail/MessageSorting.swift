public import Engine
public import Expressions
public import Plans

/// What `mail.select` needs beside its input: the rules, what their conditions see, and who has the messages.
public struct MessageSorting: Sendable {
  /// The rules, compiled.
  public var selection: MessageSelection
  /// The variables of conditions beside the message.
  public var bindings: Bindings
  /// Who is asked for the messages: a provider of `mail.store`.
  public var store: any StepProvider
  /// The provider's name; `nil` where it has none.
  public var provider: String?

  /// Creates what it needs.
  public init(
    _ selection: MessageSelection, bindings: Bindings, store: any StepProvider, provider: String? = nil
  ) {
    self.selection = selection
    self.bindings = bindings
    self.store = store
    self.provider = provider
  }
}
