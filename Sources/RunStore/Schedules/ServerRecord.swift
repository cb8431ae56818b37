public import Expressions
public import Localization

/// A process of 'sous serve'.
public struct ServerRecord: Sendable, Equatable {
  /// Something that is wrong with a file.
  public struct Problem: Sendable, Equatable {
    /// The file.
    public var path: String
    /// What is wrong.
    public var message: LocalizedText

    /// Creates a problem.
    public init(path: String, message: LocalizedText) {
      self.path = path
      self.message = message
    }
  }

  /// Seconds after which a process that shows no sign of life counts as gone.
  public static let patience = 30.0

  /// What tells processes apart.
  public var id: String
  /// The machine's name.
  public var host: String
  /// The process number.
  public var pid: Int
  /// When it began.
  public var beganAt: Timestamp
  /// Its last sign of life.
  public var beatAt: Timestamp
  /// How many recipes it knows.
  public var recipes = 0
  /// What is wrong with files; the last good version of those stays in force.
  public var problems: [Problem] = []

  /// Whether the process has certainly ended, as far as this machine can see.
  public var isGone = false
  /// Whether the process is certainly there, as far as this machine can see: one without signs of life is stuck then.
  public var isThere = false
  /// Seconds by which the time of day was set since the process began; 0 unless the process is certainly there.
  var clockShift = 0.0

  /// Creates the record of a process that begins.
  public init(id: String, host: String, pid: Int, beganAt: Timestamp) {
    self.id = id
    self.host = host
    self.pid = pid
    self.beganAt = beganAt
    beatAt = beganAt
  }

  /// Whether it works, as far as can be told. A clock that was set does not make its last sign of life old.
  public func isAlive(at now: Timestamp) -> Bool {
    func isRecent(_ beat: Timestamp) -> Bool { abs(now.seconds(since: beat)) < Self.patience }
    return !isGone && (isRecent(beatAt) || isRecent(beatAt.adding(seconds: clockShift)))
  }
}

/// How a subscription to a trigger fares.
public struct TriggerHealth: Sendable, Equatable {
  /// What names the subscription.
  public var subscription: String
  /// The recipe's name.
  public var recipe: String
  /// The recipe's file.
  public var path: String
  /// The trigger: `mail.new`.
  public var trigger: String
  /// The provider.
  public var provider: String
  /// When it was last seen to listen.
  public var aliveAt: Timestamp?
  /// When the last event came.
  public var eventAt: Timestamp?
  /// How many events have come.
  public var events = 0
  /// How often it had to begin to listen again; of a webhook, how many requests it has refused.
  public var reconnects = 0
  /// Whether it is a webhook, which has nothing to connect to.
  public var isWebhook: Bool { trigger == "webhook" }
  /// Seconds from the last event on disk to its run.
  public var lag: Double?
  /// Why it does not listen just now.
  public var trouble: LocalizedText?
  /// Where it goes on, in words of what is listened to; `nil` where nothing has come yet.
  public var cursor: String?

  /// Creates the health of a subscription that begins.
  public init(subscription: String, recipe: String, path: String, trigger: String, provider: String) {
    self.subscription = subscription
    self.recipe = recipe
    self.path = path
    self.trigger = trigger
    self.provider = provider
  }
}
