import Dispatch
import NIOCore

/// Carries out an exchange or a stream. Use it on the event loop only.
protocol NetworkDriver: AnyObject, SendableMetatype {
  /// Begins.
  func start()
  /// There is room again for what had to wait.
  func resume()
  /// Ends because the service does.
  func shutDown()
}

/// Starts a driver on the event loop and lets other threads send it work. Work that comes after its end is dropped.
struct RunningDriver<Driver: NetworkDriver>: Sendable {
  let delivery: Delivery
  private let turns: EventLoopTurns
  private let box: NIOLoopBoundBox<Driver?>

  /// Makes and starts a driver, which the runtime counts as unfinished already.
  ///
  /// - Parameters:
  ///   - window: As ``Delivery`` has it; `nil`: the default of the runtime.
  ///   - givesBack: As ``Delivery`` has it.
  ///   - make: Makes the driver, on the loop; it must call its argument at the end.
  init(
    on runtime: NetworkRuntime, window: Int?, givesBack: Bool,
    make: @escaping @Sendable (Delivery, @escaping () -> Void) -> Driver
  ) {
    let box = NIOLoopBoundBox<Driver?>.makeEmptyBox(eventLoop: runtime.loop)
    let delivery = Delivery(
      queue: CallbackQueue(unfinished: runtime.unfinished), window: window ?? runtime.limits.window,
      givesBack: givesBack, resume: { runtime.turns.run { box.value?.resume() } })
    self.box = box
    self.delivery = delivery
    turns = runtime.turns
    turns.run {
      let id = ObjectIdentifier(box)
      let driver = make(delivery) {
        box.value = nil
        runtime.onLoop.endings[id] = nil
        // The delivery of the end counts by itself.
        runtime.unfinished.leave()
      }
      box.value = driver
      runtime.onLoop.endings[id] = { [weak driver] in driver?.shutDown() }
      if runtime.onLoop.isClosing { driver.shutDown() } else { driver.start() }
    }
  }

  /// Runs work on the loop, in order; drops it once the driver has ended.
  func run(_ work: @escaping @Sendable (Driver) -> Void) {
    turns.run { [box] in
      if let driver = box.value { work(driver) }
    }
  }
}
