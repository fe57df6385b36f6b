import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A message that the mail server took. */
type TakenMail = { from: string; to: string[]; subject: string; text: string }

/** Undoes quoted-printable, which long lines are sent in. */
const unquote = (text: string): string =>
  text.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function parseMail(from: string, to: string[], lines: readonly string[]): TakenMail {
  const [head = '', ...body] = lines.join('\n').split('\n\n')
  const subject = /^Subject: (.*)$/m.exec(head)?.[1] ?? ''
  return { from, to, subject, text: unquote(body.join('\n\n')) }
}

async function serve(socket: Socket, take: (mail: TakenMail) => void, refuses: () => boolean): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let [from, to, data]: [string, string[], string[] | null] = ['', [], null]
  say('220 test')
  for await (const line of createInterface(socket)) {
    if (data) {
      if (line !== '.') {
        data.push(line.startsWith('..') ? line.slice(1) : line)
        continue
      }
      take(parseMail(from, to, data))
      data = null
      say('250 taken')
    } else if (/^(EHLO|HELO)/.test(line)) say('250 test')
    else if (line.startsWith('MAIL')) {
      ;[from, to] = [line, []]
      say('250 ok')
    } else if (line.startsWith('RCPT')) {
      if (refuses()) say('550 no such mailbox')
      else {
        to.push(/<(.*)>/.exec(line)?.[1] ?? '')
        say('250 ok')
      }
    } else if (line === 'DATA') {
      data = []
      say('354 go on')
    } else {
      say('221 bye')
      socket.end()
    }
  }
}

/**
 * A mail server on 127.0.0.1 that keeps what it gets. `refuse`: whether it takes nobody's mail.
 */
export async function startMailServer() {
  const mails: TakenMail[] = []
  const state = { refuse: false }
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    void serve(
      socket,
      (mail) => mails.push(mail),
      () => state.refuse,
    ).catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, mails, state, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) }
}
