/// Messages that scripts are tried on: each header that the scripts look at in several shapes.
enum SampleMessages {
  /// The owner of the mailbox.
  static let owner = "me@example.com"

  static let all: [[UInt8]] = made.map(bytes)

  private static func bytes(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if byte == 0x0A { result.append(0x0D) }
      result.append(byte)
    }
    return result
  }

  private static let froms = [
    "Ada Lovelace <ada@example.com>", "\"Shop, Inc.\" <No-Reply@Shop.Example>", "news@lists.example.org",
    "=?utf-8?Q?J=C3=BCrg_M=C3=BCller?= <juerg@example.ch>", "boss+urgent@work.example", "BOSS@WORK.EXAMPLE",
    "root (Cron Daemon)", "Spammer <x1@spam.example.net>",
  ]
  private static let subjects = [
    "Invoice 17", "=?utf-8?B?UmVjaG51bmcgZsO8ciBadWJlaMO2cg==?=", "[sieve] Re: patches", "URGENT: call me",
    "Viagra *cheap*", "Lunch?", "", "a\\b \"quoted\" {{ braces }}", "Backup of host1 failed", "re: invoice",
  ]
  private static let recipients = [
    "me@example.com", "Me <ME@example.com>, team@work.example", "me+lists@example.com", "sieve@lists.example.org",
    "Team: a@work.example, b@work.example;, me@example.com",
  ]
  private static let extras = [
    "", "List-Id: Sieve <sieve.lists.example.org>\n", "X-Spam-Flag: YES\nX-Spam-Score: 7\n",
    "X-Spam-Flag: no\nX-Spam-Score: 05\n", "X-Spam-Score: 12.5\nPrecedence: bulk\n",
    "Cc: cc@work.example, ada@example.com\n",
    "X-Priority: 1\nX-Tag: one\nX-Tag: two\n", "X-Spam-Score: unknown\nReply-To: answers@example.com\n",
    "Auto-Submitted: auto-generated\n",
  ]
  private static let dates = [
    "Mon, 23 Nov 2026 03:00:00 +0100", "Sat, 31 Jan 2026 23:30:00 -0500", "Thu, 01 Jan 2026 00:00:00 +0000",
    "Sun, 22 Feb 2026 12:34:56 +0000",
  ]
  private static let bodies = [
    "Please pay until Friday.", "Bitte zahlen Sie bis Freitag.\nMit besten Gr\u{FC}ssen", "unsubscribe here",
    String(repeating: "A line that makes the message longer.\n", count: 400),
  ]

  private static let made: [String] = (0..<120).map { number in
    // Steps that share no factor with the lists' lengths, so that all pairs come together.
    let from = froms[number * 3 % froms.count]
    let address =
      from.contains("<") ? from.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" } : from.prefix { $0 != " " }
    return """
      Return-Path: <\(address)>
      Message-ID: <\(number)@sample.example>
      Date: \(dates[number * 5 % dates.count + 0])
      From: \(from)
      To: \(recipients[number * 7 % recipients.count])
      Subject: \(subjects[(number * 7 + number / 10) % subjects.count])
      \(extras[(number * 5 + number / 9) % extras.count])MIME-Version: 1.0
      Content-Type: text/plain; charset=utf-8

      \(bodies[(number * 3 + number / 4) % bodies.count])

      """
  }
}
