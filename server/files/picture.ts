import { buffer } from 'node:stream/consumers'
import { env } from '../env'
import { readFile } from './read'

/** A picture as a message can carry it. */
export type Picture = { mimeType: string; base64: string }

/** The hosted picture at a URL of ours; null when it is not one, or has more than `maxBytes`. */
export async function readPicture(url: string, maxBytes: number): Promise<Picture | null> {
  const base = `${env().PUBLIC_URL}/files/`
  const file = url.startsWith(base) ? await readFile(url.slice(base.length)) : null
  if (!file?.contentType.startsWith('image/') || file.bytes > maxBytes) return null
  const content = await file.open()
  return content && { mimeType: file.contentType, base64: (await buffer(content)).toString('base64') }
}
