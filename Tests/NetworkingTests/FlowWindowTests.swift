import Testing

@testable import Networking

@Suite struct FlowWindowTests {
  @Test func givesNoMoreThanItsCapacity() {
    var window = FlowWindow(capacity: 10)
    #expect(window.take(6) == 6)
    #expect(window.take(6) == 4)
    #expect(window.take(1) == 0)
    #expect(window.outstanding == 10)
  }

  @Test func wakesOnlyWhoWaits() {
    var window = FlowWindow(capacity: 10)
    _ = window.take(5)
    #expect(window.giveBack(5) == false)
    _ = window.take(20)
    #expect(window.giveBack(1) == true)
    #expect(window.giveBack(1) == false)
  }

  @Test(arguments: [-5, 0, Int.min])
  func ignoresNonsense(_ count: Int) {
    var window = FlowWindow(capacity: count)
    #expect(window.capacity == 1)
    #expect(window.take(3) == 1)
    #expect(window.giveBack(count) == false)
    #expect(window.outstanding == 1)
  }

  @Test func givingBackTooMuchOpensItNoFurther() {
    var window = FlowWindow(capacity: 10)
    _ = window.take(20)
    #expect(window.giveBack(.max) == true)
    #expect(window.take(20) == 10)
  }
}
