import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * One line from stdin: what must not be an argument, which other users of the machine can read. On
 * a terminal it asks first and shows nothing of what is typed. Empty when stdin ends without a
 * line.
 */
export async function readSecretLine(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
