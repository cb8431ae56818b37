import Engine
public import RecipeModel
public import RunStore

extension Session {
  /// Seconds between two looks at what the run log no longer needs.
  private static let interval = 30.0
  /// Seconds between two looks at what other processes know of providers whose circuit is open.
  private static let listeningInterval = 1.0
  /// Seconds between two transactions that remove something: whoever records a run comes first.
  private static let pause = 0.005
  /// Transactions at the end of a command; what is left goes the next time.
  private static let stepsAtEnd = 6

  private var policy: RetentionPolicy { RetentionPolicy(project.configuration.engine.retention) }

  /// What runs beside each work on runs: it adopts breakers that other processes have closed, removes what retention no
  /// longer keeps, and updates the index of searches.
  var upkeep: [@Sendable () async -> Void] {
    let (store, policy, time, breakers) = (store, policy, SystemTime(), breakers)
    return [
      {
        while (try? await time.sleep(seconds: Session.listeningInterval)) != nil {
          if breakers.hasOpen, let records = try? await store.breakers() { breakers.adopt(records) }
        }
      },
      {
        while (try? await time.sleep(seconds: Session.interval)) != nil {
          // A step that fails, for example because the disk is full, is repeated the next time.
          _ = try? await store.prune(policy, at: time.now, pause: Session.pause)
          _ = try? await store.updateSearch(pause: Session.pause)
          try? await store.limitWAL()
        }
      },
    ]
  }

  /// Removes some of what retention no longer keeps; for the end of a command, when everything has been told.
  func tidy() async {
    _ = try? await store.prune(policy, at: SystemTime().now, limit: Session.stepsAtEnd, isLast: true)
  }
}

extension RetentionPolicy {
  /// The policy of a configuration.
  public init(_ settings: EngineSettings.Retention) {
    self.init(
      age: settings.age, runs: settings.runs, size: settings.size,
      recipes: settings.recipes.mapValues { Limits(age: $0.age, runs: $0.runs) })
    versions = settings.versions
  }
}
