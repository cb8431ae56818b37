import Testing

@testable import Engine

struct QueueTroubleTests {
  /// What happens at some second, and what comes of it.
  enum Event: Sendable {
    case fail(QueueFault, at: Double, QueueTrouble.Consequence)
    case work(at: Double, relievedAfter: Double?)
    case end(at: Double, relievedAfter: Double?)
    case rests(at: Double, Bool)
  }

  struct Course: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var patience: Double?
    var events: [Event]

    init(_ description: String, patience: Double? = nil, _ events: [Event]) {
      testDescription = description
      self.patience = patience
      self.events = events
    }
  }

  static let courses: [Course] = [
    Course("lasting faults end at once", [.fail(.lasting, at: 0, .end)]),
    Course("a fault of nobody knows which run ends too", [.fail(.ofRun, at: 0, .end)]),
    Course("nothing is told while all is well", [.work(at: 0, relievedAfter: nil), .rests(at: 0, false)]),
    Course(
      "a passing fault is told once, however many meet it",
      [
        .fail(.passing, at: 0, .tell), .rests(at: 0.4, true), .fail(.passing, at: 0.1, .goOn),
        .fail(.passing, at: 0.2, .goOn), .rests(at: 0.5, false),
      ]),
    Course(
      "pauses double up to half a minute",
      [
        .fail(.passing, at: 0, .tell), .fail(.passing, at: 0.5, .goOn), .rests(at: 1.4, true), .rests(at: 1.5, false),
        .fail(.passing, at: 2, .goOn), .fail(.passing, at: 5, .goOn), .rests(at: 8.9, true), .rests(at: 9, false),
        .fail(.passing, at: 10, .goOn), .fail(.passing, at: 20, .goOn), .fail(.passing, at: 40, .goOn),
        .rests(at: 69, true), .rests(at: 70, false), .fail(.passing, at: 80, .goOn), .rests(at: 109, true),
        .rests(at: 110, false),
      ]),
    Course(
      "it is over when nothing has failed for a while after a try that worked",
      [
        .fail(.passing, at: 10, .tell), .work(at: 10.5, relievedAfter: nil), .rests(at: 10.5, false),
        .work(at: 12, relievedAfter: nil), .work(at: 15.5, relievedAfter: 5.5), .work(at: 20, relievedAfter: nil),
        .fail(.passing, at: 30, .tell),
      ]),
    Course(
      "what fails again soon is the same trouble",
      [
        .fail(.passing, at: 0, .tell), .work(at: 0.5, relievedAfter: nil), .fail(.passing, at: 1, .goOn),
        .rests(at: 1.9, true), .rests(at: 2, false), .work(at: 2, relievedAfter: nil),
        .fail(.passing, at: 3, .goOn), .rests(at: 4.9, true), .work(at: 5, relievedAfter: nil),
        .work(at: 10, relievedAfter: 10),
      ]),
    Course(
      "somebody who is done says that it is over",
      [.fail(.passing, at: 0, .tell), .work(at: 1, relievedAfter: nil), .end(at: 2, relievedAfter: 2)]),
    Course(
      "patience ends a trouble that does not pass", patience: 3,
      [
        .fail(.passing, at: 0, .tell), .fail(.passing, at: 0.5, .goOn), .fail(.passing, at: 1.5, .goOn),
        .fail(.passing, at: 3.5, .end),
      ]),
  ]

  @Test(arguments: courses) func troubleIsToldOnceAndTriedAgain(_ course: Course) {
    var trouble = QueueTrouble(patience: course.patience)
    for event in course.events {
      switch event {
      case .fail(let fault, let time, let consequence): #expect(trouble.fail(fault, at: time) == consequence)
      case .work(let time, let lasted): #expect(trouble.work(at: time) == lasted)
      case .end(let time, let lasted): #expect(trouble.work(at: time, isLast: true) == lasted)
      case .rests(let time, let rests): #expect(trouble.isResting(at: time) == rests)
      }
    }
  }
}
