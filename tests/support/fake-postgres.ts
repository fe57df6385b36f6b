import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A message as PostgreSQL frames it. */
export const pgMessage = (type: string, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

export const pgInt32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(n)
  return bytes
}

const int16 = (n: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(n)
  return bytes
}

export const pgReadyForQuery = pgMessage('Z', 'I')
export const pgCommandComplete = (tag: string): Buffer => pgMessage('C', `${tag}\0`)
/** One column of type text. */
export const pgTextColumn = pgMessage(
  'T',
  int16(1),
  'x\0',
  pgInt32(0),
  int16(0),
  pgInt32(25),
  int16(-1),
  pgInt32(-1),
  int16(0),
)
export const pgTextRow = (text: string | Buffer): Buffer => pgMessage('D', int16(1), pgInt32(text.length), text)

export type FakePostgresReplies = {
  /** What follows the startup packet; by default: no password is asked, and the server is ready. */
  startup?: (socket: Socket) => void
  /** What follows the password; by default the server is ready. */
  password?: (socket: Socket) => void
  /**
   * What follows a statement of the extended protocol, which is what `sql_query` runs; by default
   * no rows.
   */
  statement?: (socket: Socket) => void
  /** What follows a statement of the simple protocol; by default no rows. */
  simple?: (socket: Socket, sql: string) => void
}

export type FakePostgres = {
  port: number
  answers: FakePostgresReplies
  /** Every byte that clients have sent, as latin1. */
  sent: () => string
  /** Connections that are open now. */
  open: () => number
  close: () => Promise<void>
}

const PASSWORD = 'p'.charCodeAt(0)
const SIMPLE = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)
const SSL_REQUEST = 80_877_103

export const pgCleartextPassword = pgMessage('R', pgInt32(3))
const pgAuthenticated = Buffer.concat([pgMessage('R', pgInt32(0)), pgReadyForQuery])

/** A PostgreSQL server without TLS that keeps what it is sent and says what a test wants. */
export async function startFakePostgres(): Promise<FakePostgres> {
  const chunks: Buffer[] = []
  const sockets = new Set<Socket>()
  const fake: FakePostgres = {
    port: 0,
    answers: {},
    sent: () => Buffer.concat(chunks).toString('latin1'),
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let started = false
    let buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      buffer = Buffer.concat([buffer, chunk])
      for (;;) {
        const head = started ? 1 : 0
        if (buffer.length < head + 4) return
        const length = head + buffer.readUInt32BE(head)
        if (buffer.length < length) return
        const packet = buffer.subarray(0, length)
        buffer = buffer.subarray(length)
        if (!started && packet.readUInt32BE(4) === SSL_REQUEST) socket.write('N')
        else if (!started) {
          started = true
          if (fake.answers.startup) fake.answers.startup(socket)
          else socket.write(pgAuthenticated)
        } else answer(fake.answers, socket, packet)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  fake.port = (server.address() as AddressInfo).port
  return fake
}

function answer(answers: FakePostgresReplies, socket: Socket, packet: Buffer): void {
  switch (packet[0]) {
    case PASSWORD:
      if (answers.password) answers.password(socket)
      else socket.write(pgAuthenticated)
      return
    case SIMPLE: {
      const sql = packet.toString('utf8', 5, packet.length - 1)
      if (answers.simple) answers.simple(socket, sql)
      else socket.write(Buffer.concat([pgCommandComplete('SELECT 0'), pgReadyForQuery]))
      return
    }
    case SYNC:
      if (answers.statement) answers.statement(socket)
      else
        socket.write(
          Buffer.concat([
            pgMessage('1'),
            pgMessage('2'),
            pgMessage('n'),
            pgCommandComplete('SELECT 0'),
            pgReadyForQuery,
          ]),
        )
      return
    case TERMINATE:
      socket.end()
      return
    default:
  }
}
