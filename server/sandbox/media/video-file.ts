import type { PixelSize } from '../../tools/media/ratios'

/**
 * A playable video: one gray H.264 frame shown for so many seconds. Every macroblock is predicted
 * from its neighbours without a remainder, which takes one byte each. `sound` adds an empty sound
 * track to the index.
 */
export function makeVideoFile({ width, height }: PixelSize, seconds: number, sound = false): Buffer {
  const frame = nal(0x65, slice(Math.ceil(width / 16) * Math.ceil(height / 16)))
  const sample = Buffer.concat([u32(frame.length), frame])
  const head = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomavc1mp41'))
  const index = (offset: number) => moov({ width, height }, { seconds, sound, bytes: sample.length, offset })
  const start = head.length + index(0).length + 8
  return Buffer.concat([head, index(start), box('mdat', sample)])
}

const u8 = (...values: number[]) => Buffer.from(values)
const u16 = (value: number) => u8(value >> 8, value & 0xff)
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const zeros = (count: number) => Buffer.alloc(count)

function box(kind: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(kind, 'latin1'), body])
}

const TIMESCALE = 1000
const MATRIX = Buffer.concat([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32))
const NO_EDGES = box('dinf', box('dref', u32(0), u32(1), box('url ', u32(1))))

type Sample = { seconds: number; sound: boolean; bytes: number; offset: number }

/** ISO/IEC 14496-12: the index of a video with one sample. */
function moov(size: PixelSize, { seconds, sound, bytes, offset }: Sample): Buffer {
  const length = u32(Math.round(seconds * TIMESCALE))
  const track = (id: number, { width, height }: PixelSize, volume: number, media: Buffer) =>
    box(
      'trak',
      box(
        'tkhd',
        u32(3),
        zeros(8),
        u32(id),
        zeros(4),
        length,
        zeros(12),
        u16(volume),
        zeros(2),
        MATRIX,
        u16(width),
        zeros(2),
        u16(height),
        zeros(2),
      ),
      media,
    )
  const mdia = (kind: string, header: Buffer, table: Buffer) =>
    box(
      'mdia',
      box('mdhd', zeros(12), u32(TIMESCALE), length, u16(0x55c4), zeros(2)),
      box('hdlr', zeros(8), Buffer.from(kind, 'latin1'), zeros(12), Buffer.from('sandbox\0')),
      box('minf', header, NO_EDGES, table),
    )
  const imageTable = box(
    'stbl',
    box('stsd', u32(0), u32(1), avc1(size)),
    box('stts', u32(0), u32(1), u32(1), length),
    box('stsc', u32(0), u32(1), u32(1), u32(1), u32(1)),
    box('stsz', u32(0), u32(bytes), u32(1)),
    box('stco', u32(0), u32(1), u32(offset)),
  )
  const silence = box(
    'stbl',
    box(
      'stsd',
      u32(0),
      u32(1),
      box('sowt', zeros(6), u16(1), zeros(8), u16(1), u16(16), zeros(4), u16(8000), zeros(2)),
    ),
    ...['stts', 'stsc', 'stco'].map((kind) => box(kind, zeros(8))),
    box('stsz', zeros(12)),
  )
  return box(
    'moov',
    box('mvhd', zeros(12), u32(TIMESCALE), length, u32(0x10000), u16(0x100), zeros(10), MATRIX, zeros(24), u32(3)),
    track(1, size, 0, mdia('vide', box('vmhd', u32(1), zeros(8)), imageTable)),
    ...(sound ? [track(2, { width: 0, height: 0 }, 0x100, mdia('soun', box('smhd', zeros(8)), silence))] : []),
  )
}

const LEVEL = 51

function avc1(size: PixelSize): Buffer {
  const [sps, pps] = [nal(0x67, sequence(size)), nal(0x68, pictureParameters())]
  const config = Buffer.concat([u8(1, 66, 0xc0, LEVEL, 0xff, 0xe1), u16(sps.length), sps, u8(1), u16(pps.length), pps])
  return box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    u16(size.width),
    u16(size.height),
    u32(0x480000),
    u32(0x480000),
    zeros(4),
    u16(1),
    zeros(32),
    u16(24),
    u16(0xffff),
    box('avcC', config),
  )
}

/** Bits of an H.264 header: plain ones, and exp-Golomb numbers. */
function bits() {
  let text = ''
  const put = (value: number, count: number) => {
    text += value.toString(2).padStart(count, '0')
  }
  const ue = (...values: number[]) => {
    for (const value of values) {
      const code = (value + 1).toString(2)
      text += '0'.repeat(code.length - 1) + code
    }
  }
  /**
   * The bytes, closed by a one and zeros up to a whole byte; `repeated` stands before the close.
   */
  const end = (repeated = '') => {
    const closed = `${text}${repeated}1`
    const whole = closed.padEnd(8 * Math.ceil(closed.length / 8), '0')
    return Buffer.from(whole.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  }
  return { put, ue, end }
}

/**
 * A unit with its header; three zero bytes in a row never occur in what is made here but where they
 * are escaped.
 */
function nal(header: number, body: Buffer): Buffer {
  const out = [header]
  let zerosInRow = 0
  for (const byte of body) {
    if (zerosInRow === 2 && byte <= 3) {
      out.push(3)
      zerosInRow = 0
    }
    out.push(byte)
    zerosInRow = byte === 0 ? zerosInRow + 1 : 0
  }
  return Buffer.from(out)
}

/** ITU-T H.264 7.3.2.1: baseline profile, frames of whole macroblocks cropped to the size. */
function sequence({ width, height }: PixelSize): Buffer {
  const [across, down] = [Math.ceil(width / 16), Math.ceil(height / 16)]
  const { put, ue, end } = bits()
  put(66, 8)
  put(0xc0, 8)
  put(LEVEL, 8)
  // Id, frame number of 4 bits, picture order from the frame number, one reference.
  ue(0, 0, 2, 1)
  put(0, 1)
  ue(across - 1, down - 1)
  put(0b11, 2)
  const [right, bottom] = [(across * 16 - width) >> 1, (down * 16 - height) >> 1]
  put(right + bottom > 0 ? 1 : 0, 1)
  if (right + bottom > 0) ue(0, right, 0, bottom)
  put(0, 1)
  return end()
}

/** 7.3.2.2: variable-length coding, everything else at its simplest. */
function pictureParameters(): Buffer {
  const { put, ue, end } = bits()
  ue(0, 0)
  put(0, 2)
  ue(0, 0, 0)
  put(0, 3)
  ue(0, 0, 0)
  put(0, 3)
  return end()
}

/**
 * 7.3.3: one slice of macroblocks that are all "Intra 16x16, mean of the neighbours, nothing left
 * over".
 */
function slice(macroblocks: number): Buffer {
  const { put, ue, end } = bits()
  ue(0, 7, 0)
  put(0, 4)
  ue(0)
  put(0, 2)
  ue(0)
  return end('00100111'.repeat(macroblocks))
}
