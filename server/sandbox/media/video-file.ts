import type { PixelSize } from '../../tools/media/ratios'
import clips from './clip.json'

/** Units of a second in the clips. */
const TIMESCALE = 1000

/** Where boxes have their duration, after the beginning of their name. */
const DURATIONS = { mvhd: 20, tkhd: 24, mdhd: 20, stts: 16 }
const TRACK_SIZE = 80

/**
 * A playable video: one gray H.264 frame of the data file, shown in this size for so many seconds.
 * `sound` adds an empty sound track to the index.
 */
export function makeVideoFile({ width, height }: PixelSize, seconds: number, sound = false): Buffer {
  const bytes = Buffer.from(sound ? clips.sound : clips.silent, 'base64')
  for (const [box, offset] of Object.entries(DURATIONS))
    for (let at = bytes.indexOf(box); at >= 0; at = bytes.indexOf(box, at + 4))
      // The table of times of a track without samples is empty.
      if (box !== 'stts' || bytes.readUInt32BE(at + 8) > 0)
        bytes.writeUInt32BE(Math.round(seconds * TIMESCALE), at + offset)
  const track = bytes.indexOf('tkhd')
  bytes.writeUInt16BE(width, track + TRACK_SIZE)
  bytes.writeUInt16BE(height, track + TRACK_SIZE + 4)
  return bytes
}
