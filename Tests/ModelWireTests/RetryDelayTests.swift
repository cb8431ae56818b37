import Foundation
import PluginKit
import Testing

@testable import ModelWire

struct RetryDelayTests {
  static let delays: [(HTTPHeaders, Double?)] = [
    (["retry-after": "2"], 2.0), (["Retry-After": "0.5"], 0.5), (["retry-after-ms": "250"], 0.25),
    (["retry-after-ms": "250", "retry-after": "9"], 0.25), (["retry-after": "120"], 120), (["retry-after": "130"], 130),
    (["retry-after": "0"], nil), (["retry-after": "-1"], nil), (["retry-after": "soon"], nil), ([:], nil),
    (["x-ratelimit-reset-requests": "12ms"], 0.012),
    (["x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "1m30s"], 90),
    (
      [
        "x-ratelimit-reset-requests": "1s", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-tokens": "1m30s",
        "x-ratelimit-remaining-tokens": "400",
      ], 1
    ),
    (["x-ratelimit-reset-tokens": "6h"], 21_600), (["retry-after": "86400"], 86_400),
  ]

  @Test(arguments: delays)
  func passesOnWhatIsAskedFor(_ headers: HTTPHeaders, _ seconds: Double?) {
    #expect(RetryDelay(headers, status: 429).seconds == seconds)
  }

  @Test func readsAllowancesOnlyWhereTheLimitWasReached() {
    #expect(RetryDelay(["x-ratelimit-reset-requests": "5s"], status: 500).seconds == nil)
    #expect(RetryDelay(["retry-after": "5"], status: 503).seconds == 5)
  }

  @Test(arguments: [
    ("12ms", 0.012), ("1m30s", 90.0), ("6m0s", 360), ("1h0m2.5s", 3602.5), ("20", 20), ("500µs", 0.0005), ("", nil),
    ("1x", nil), ("s", nil), ("1.2.3s", nil), ("1m 30s", 90),
  ])
  func readsDurations(_ text: String, _ seconds: Double?) {
    let read = RetryDelay.duration(text)
    #expect(read == seconds || abs((read ?? -1) - (seconds ?? -9)) < 1e-9)
  }
}
