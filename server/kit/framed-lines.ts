import { crc32 } from 'node:zlib'

/** The head of a line: its text's bytes in decimal, and their CRC-32 in 8 hexadecimal digits. */
const HEAD = /^(\d{1,9}) ([0-9a-f]{8}) /
const MAX_HEAD = 19
const NEWLINE = 10

const checksum = (bytes: Buffer): string => crc32(bytes).toString(16).padStart(8, '0')

/** A text without line breaks as a line that says how long it is and what it must come to. */
export function frameLine(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`${bytes.length} ${checksum(bytes)} `), bytes, Buffer.of(NEWLINE)])
}

export type FramedLines = {
  /** The texts of all whole lines, in order. */
  lines: string[]
  /** Places in the middle where something is that is not a whole line. */
  damaged: number
  /** Whether the end is the beginning of a line, as a process leaves it that was killed. */
  isTorn: boolean
}

/**
 * Reads framed lines. What is damaged is skipped and counted, up to the next whole line: a line
 * that was cut short takes no other with it.
 */
export function readFramedLines(bytes: Buffer): FramedLines {
  const lines: string[] = []
  let damaged = 0
  let isBroken = false
  for (let at = 0; at < bytes.length; ) {
    const line = lineAt(bytes, at)
    if (line === null) {
      isBroken = true
      at++
      continue
    }
    if (isBroken) damaged++
    isBroken = false
    lines.push(line.toString('utf8'))
    at = line.byteOffset - bytes.byteOffset + line.length + 1
  }
  return { lines, damaged, isTorn: isBroken }
}

function lineAt(bytes: Buffer, at: number): Buffer | null {
  const [head, length, sum] = bytes.toString('latin1', at, at + MAX_HEAD).match(HEAD) ?? []
  if (head === undefined) return null
  const start = at + head.length
  const line = bytes.subarray(start, start + Number(length))
  const isWhole = line.length === Number(length) && bytes[start + line.length] === NEWLINE
  return isWhole && checksum(line) === sum ? line : null
}
