import type { PixelSize } from '../../tools/media/ratios'
import { makeImageFile } from './image-file'
import { makeVideoFile } from './video-file'

/** The bytes that a prompt asks for: an image, or something that is not one. */
export const imageBytes = async (prompt: string, size: PixelSize): Promise<Buffer> =>
  prompt.includes('sandbox:garbage') ? Buffer.from('this is not an image') : makeImageFile(prompt, size)

/**
 * The file that a prompt asks for: a video, with sound or without, or something that is not one.
 */
export function videoResponse(prompt: string, size: PixelSize, seconds: number): Response {
  const video = prompt.includes('sandbox:garbage')
    ? Buffer.from('this is not a video')
    : makeVideoFile(size, seconds, prompt.includes('sandbox:sound'))
  return new Response(new Uint8Array(video), { headers: { 'content-type': 'video/mp4' } })
}
