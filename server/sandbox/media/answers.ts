import type { PixelSize } from '../../tools/media/ratios'
import { provokedFailure } from '../kit/failures'
import clips from './clip.json'
import { makeImageFile } from './image-file'

/** Units of a second in the clips. */
const TIMESCALE = 1000

/** Where boxes have their duration, after the beginning of their name. */
const DURATIONS = { mvhd: 20, tkhd: 24, mdhd: 20, stts: 16 }
const TRACK_SIZE = 80

/** A playable video: a gray H.264 frame for so many seconds; `sound` adds an empty track. */
function makeVideoFile({ width, height }: PixelSize, seconds: number, sound = false): Buffer {
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

/** A request body as JSON. */
export type JsonBody = Record<string, unknown>

/** A text field of a body; empty where it is missing or something else. */
export const textField = (value: unknown): string => (typeof value === 'string' ? value : '')

/** OpenAI's error body: https://platform.openai.com/docs/guides/error-codes */
export const openAiError = (status: number, code: string | null, message: string, headers = {}): Response =>
  Response.json({ error: { message, type: 'invalid_request_error', param: null, code } }, { status, headers })

const WORDS = /sandbox:(429|quota|500|key|policy|html|nonsense|slow)/

let alternations = 0

/** The failure that a prompt asks for, the same for images and videos; null: none. */
export function mediaFailure(prompt: string): Promise<Response | null> {
  const isFaulty = prompt.includes('sandbox:alternate') && alternations++ % 2 === 0
  return provokedFailure('media', isFaulty ? '500' : WORDS.exec(prompt)?.[1])
}

type Prompted = { body: JsonBody; prompt: string; origin: string }

/** Takes a request with a prompt, which may ask for a failure in place of the answer. */
export const promptHandler =
  (answer: (asked: Prompted) => Response | Promise<Response>) =>
  async (req: Request): Promise<Response> => {
    const body = (await req.json()) as JsonBody
    const prompt = textField(body.prompt)
    return (await mediaFailure(prompt)) ?? answer({ body, prompt, origin: new URL(req.url).origin })
  }

/** The bytes that a prompt asks for: an image, or something that is not one. */
export const imageBytes = async (prompt: string, size: PixelSize): Promise<Buffer> =>
  prompt.includes('sandbox:garbage') ? Buffer.from('this is not an image') : makeImageFile(prompt, size)

/** The file that a prompt asks for: a video, with sound or not, or something that is not one. */
export function videoResponse(prompt: string, size: PixelSize, seconds: number): Response {
  const video = prompt.includes('sandbox:garbage')
    ? Buffer.from('this is not a video')
    : makeVideoFile(size, seconds, prompt.includes('sandbox:sound'))
  return new Response(new Uint8Array(video), { headers: { 'content-type': 'video/mp4' } })
}
