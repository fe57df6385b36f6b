import { buffer } from 'node:stream/consumers'
import { env } from '../env'
import { findHostedFile } from './read'

/** An image as a message can carry it. */
export type HostedImage = { mimeType: string; base64: string }

/** The hosted image at a URL; null when it is not one, or has more than `maxBytes`. */
export async function readHostedImage(url: string, maxBytes: number): Promise<HostedImage | null> {
  const base = `${env().PUBLIC_URL}/files/`
  const file = url.startsWith(base) ? await findHostedFile(url.slice(base.length)) : null
  if (!file?.contentType.startsWith('image/') || file.bytes > maxBytes) return null
  const content = await file.open()
  return content && { mimeType: file.contentType, base64: (await buffer(content)).toString('base64') }
}
