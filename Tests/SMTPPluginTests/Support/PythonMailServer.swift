import Foundation
import LoopbackPorts
import Testing

/// The mail server `aiosmtpd`, and a proxy before it that cuts connections after so many bytes.
struct PythonMailServer {
  static let isInstalled: Bool = {
    guard let python = python else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", "import aiosmtpd.smtp"]
    process.standardError = FileHandle.nullDevice
    ServerProgram.finish(process)
    return process.terminationStatus == 0
  }()

  /// Debian's own, which has Debian's packages.
  static let python = ServerProgram.path("python3")

  let program: ServerProgram
  /// The server.
  let port: Int
  /// The proxy.
  let proxyPort: Int

  /// - Parameter upstream: The port of another server, before which only the proxy stands.
  init(before upstream: Int? = nil) throws {
    let folder = try ServerProgram.makeFolder()
    port = if let upstream { upstream } else { try LoopbackPort.free() }
    proxyPort = try LoopbackPort.free()
    program = try ServerProgram(
      try #require(Self.python),
      ["-c", Self.script, folder, String(port), String(proxyPort)] + (upstream == nil ? [] : ["proxy"]),
      folder: folder, ports: upstream == nil ? [port, proxyPort] : [proxyPort])
  }

  /// What the proxy does with the next connections: `none`, `up 17`, `down 3` (cut after so many bytes to, or from, the
  /// server).
  func setPlan(_ plan: String) throws {
    try plan.write(toFile: "\(program.folder)/plan", atomically: true, encoding: .utf8)
  }

  /// Message-ID and recipients of each message that the server has taken.
  func taken() throws -> [(messageID: String, recipients: [String])] {
    let text = (try? String(contentsOfFile: "\(program.folder)/taken", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      return (words[0], Array(words.dropFirst()))
    }
  }

  /// The bytes of one that it has taken.
  func message(_ number: Int) throws -> String {
    try String(contentsOfFile: "\(program.folder)/message-\(number)", encoding: .utf8)
  }

  /// How many bytes have gone to the server and from it over the proxy's last connection that was not cut.
  func lengths() throws -> (up: Int, down: Int) {
    let words = try String(contentsOfFile: "\(program.folder)/lengths", encoding: .utf8).split(separator: " ")
    return (try #require(Int(words[0])), try #require(Int(words[1])))
  }

  private static let script = #"""
    import asyncio, email, os, sys
    from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
    folder, port, proxy_port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    number = 0

    class Handler:
        async def handle_RCPT(self, server, session, envelope, address, options):
            if address.startswith('nobody'):
                return '550 5.1.1 no such user'
            envelope.rcpt_tos.append(address)
            return '250 2.1.5 ok'

        async def handle_DATA(self, server, session, envelope):
            global number
            message = email.message_from_bytes(envelope.content)
            if message['Subject'] == 'refuse':
                return '554 5.6.0 not this'
            with open(f'{folder}/message-{number}', 'wb') as file:
                file.write(envelope.content)
            number += 1
            with open(f'{folder}/taken', 'a') as file:
                file.write(' '.join([message['Message-ID']] + envelope.rcpt_tos) + '\n')
            return f'250 2.0.0 Ok: queued as P{number}'

    def authenticate(server, session, envelope, mechanism, data):
        good = isinstance(data, LoginPassword) and data.login == b'tim' and data.password == 'tänstaaf'.encode()
        return AuthResult(success=good, handled=False)

    def smtp():
        return SMTP(Handler(), enable_SMTPUTF8=True, authenticator=authenticate, auth_require_tls=False,
                    data_size_limit=50_000_000)

    async def pump(reader, writer, limit, counts, name, cut):
        try:
            while True:
                piece = await reader.read(65536)
                if not piece:
                    break
                left = None if limit is None else limit - counts[name]
                if left is not None and len(piece) >= left:
                    writer.write(piece[:left])
                    counts[name] = limit
                    await writer.drain()
                    return cut()
                counts[name] += len(piece)
                writer.write(piece)
                await writer.drain()
        except (ConnectionError, OSError):
            pass
        writer.close()

    async def proxy(reader, writer):
        try:
            plan = open(f'{folder}/plan').read().split()
        except OSError:
            plan = ['none']
        up_reader, up_writer = await asyncio.open_connection('127.0.0.1', port)
        counts = {'up': 0, 'down': 0}
        limits = {'up': None, 'down': None}
        if plan[0] != 'none':
            limits[plan[0]] = int(plan[1])
        def cut():
            # What was let through arrives; the rest does not.
            up_writer.close()
            writer.close()
        if 0 in limits.values():
            return cut()
        await asyncio.gather(pump(reader, up_writer, limits['up'], counts, 'up', cut),
                             pump(up_reader, writer, limits['down'], counts, 'down', cut))
        if plan[0] == 'none':
            with open(f'{folder}/lengths.new', 'w') as file:
                file.write(f'{counts["up"]} {counts["down"]}')
            os.rename(f'{folder}/lengths.new', f'{folder}/lengths')

    async def main():
        loop = asyncio.get_running_loop()
        if len(sys.argv) == 4:
            await loop.create_server(smtp, '127.0.0.1', port)
        await asyncio.start_server(proxy, '127.0.0.1', proxy_port)
        await asyncio.Event().wait()

    asyncio.run(main())
    """#
}
