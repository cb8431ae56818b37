import Access
import Expressions
import Testing

/// Devices that are let in by a code (RFC 8628).
struct DeviceTests {
  private let access: TemporaryAccess
  private let anna: Actor

  init() throws {
    access = try TemporaryAccess()
    try access.add("anna")
    anna = try access.signIn("anna").actor
  }

  @Test func anApprovedDeviceGetsItsTokenOnce() throws {
    let codes = try access.store.beginDevice(client: "phone", scopes: ["viewer"], now: .start)
    #expect(codes.userCode.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
    #expect(codes.expiresIn == 600 && codes.interval == 5)
    #expect(try access.store.askDevice(codes.deviceCode, now: .start) == .pending(interval: 5))
    let typed = codes.userCode.lowercased().filter { $0 != "-" }
    let request = try access.store.device(userCode: typed, now: .start)
    #expect(request.client == "phone" && request.scopes == ["viewer"] && request.userCode == codes.userCode)
    try access.store.decideDevice(userCode: typed, approves: true, by: anna, now: .start)
    guard case .token(let text, let token) = try access.store.askDevice(codes.deviceCode, now: .start.after(5)) else {
      Issue.record("no token")
      return
    }
    #expect(token.name == "phone" && token.user == "anna")
    let actor = try access.store.actor(token: text, now: .start.after(5))
    #expect(actor.may(.read, .runs) && !actor.may(.create, .runs))
    let end = Timestamp.start.after(5 + AccessLimits.standard.deviceTokenAge)
    #expect(token.expires == end)
    #expect(code { _ = try access.store.actor(token: text, now: end) } == .expired)
    #expect(try access.store.askDevice(codes.deviceCode, now: .start.after(10)) == .expired)
    #expect(
      code { try access.store.decideDevice(userCode: typed, approves: true, by: anna, now: .start) } == .unknownCode)
    #expect(try !access.fileBytes().contains(codes.deviceCode))
  }

  @Test func aDeviceThatAsksTooOftenIsSlowedDown() throws {
    let codes = try access.store.beginDevice(client: "tv", now: .start)
    #expect(try access.store.askDevice(codes.deviceCode, now: .start) == .pending(interval: 5))
    #expect(try access.store.askDevice(codes.deviceCode, now: .start.after(4)) == .slowDown(interval: 10))
    #expect(try access.store.askDevice(codes.deviceCode, now: .start.after(13)) == .slowDown(interval: 15))
    #expect(try access.store.askDevice(codes.deviceCode, now: .start.after(28)) == .pending(interval: 15))
  }

  @Test func aDeniedDeviceAndAnOldCodeGetNothing() throws {
    let denied = try access.store.beginDevice(client: "tv", now: .start)
    try access.store.decideDevice(userCode: denied.userCode, approves: false, by: anna, now: .start)
    #expect(try access.store.askDevice(denied.deviceCode, now: .start.after(5)) == .denied)
    let old = try access.store.beginDevice(client: "tv", now: .start)
    #expect(code { try access.store.device(userCode: old.userCode, now: .start.after(600)) } == .expired)
    #expect(
      code { try access.store.decideDevice(userCode: old.userCode, approves: true, by: anna, now: .start.after(600)) }
        == .expired)
    #expect(try access.store.askDevice(old.deviceCode, now: .start.after(600)) == .expired)
    #expect(try access.store.askDevice("unknown", now: .start) == .expired)
    for typed in ["", "AEIO-UAEI", "no such code"] {
      #expect(code { try access.store.device(userCode: typed, now: .start) } == .unknownCode)
    }
  }

  @Test func onlyASignedInPersonDecides() throws {
    let codes = try access.store.beginDevice(client: "tv", now: .start)
    for actor in [Actor(user: "anna", roles: [.administrator], origin: .token("1")), .socket(user: "root")] {
      #expect(
        code { try access.store.decideDevice(userCode: codes.userCode, approves: true, by: actor, now: .start) }
          == .notAllowed)
    }
  }

  @Test func aUserDisabledMeanwhileLetsNoDeviceIn() throws {
    try access.add("otto", roles: ["viewer"])
    let otto = try access.signIn("otto").actor
    let codes = try access.store.beginDevice(client: "tv", now: .start)
    try access.store.decideDevice(userCode: codes.userCode, approves: true, by: otto, now: .start)
    try access.store.setDisabled(true, user: "otto", by: TemporaryAccess.source, now: .start)
    #expect(try access.store.askDevice(codes.deviceCode, now: .start.after(5)) == .denied)
  }
}
