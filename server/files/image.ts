import { buffer } from 'node:stream/consumers'
import { env } from '../env'
import { findHostedFile } from './read'

/** An image as a message can carry it. */
export type HostedImage = { mimeType: string; base64: string }

/** An image that is too large for a message, which names it. */
export type LinkedImage = { mimeType: string; url: string; bytes: number }

async function findImage(url: string) {
  const base = `${env().PUBLIC_URL}/files/`
  const file = url.startsWith(base) ? await findHostedFile(url.slice(base.length)) : null
  return file?.contentType.startsWith('image/') ? file : null
}

/** The hosted image at a URL, only named when it has more than `maxBytes`; null: it is not one. */
export async function readOrLinkImage(url: string, maxBytes: number): Promise<HostedImage | LinkedImage | null> {
  const file = await findImage(url)
  if (file && file.bytes > maxBytes) return { mimeType: file.contentType, url, bytes: file.bytes }
  return file && readHostedImage(url, maxBytes)
}

/** The hosted image at a URL; null when it is not one, or has more than `maxBytes`. */
export async function readHostedImage(url: string, maxBytes: number): Promise<HostedImage | null> {
  const file = await findImage(url)
  if (!file || file.bytes > maxBytes) return null
  const content = await file.open()
  return content && { mimeType: file.contentType, base64: (await buffer(content)).toString('base64') }
}
