import type { AttachedImage } from './turn'

export const ATTACHMENT_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
/** Largest image, bytes: the limit of the common providers. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024
export const ATTACHMENT_RULE = 'PNG, JPEG, WebP or GIF, at most 5 MiB each'

/** A file as a `data:` URI. */
export const toDataUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** Why a file cannot be attached, or null. */
export function checkAttachment({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (!ATTACHMENT_TYPES.includes(type)) return `${name} is not a supported image: ${ATTACHMENT_RULE}.`
  if (size === 0) return `${name} is empty`
  return size > MAX_FILE_BYTES ? `${name} has ${(size / 1024 / 1024).toFixed(1)} MiB: ${ATTACHMENT_RULE}.` : null
}

/** Files as images to send, and an error for the first one that cannot be attached. */
export async function readAttachments(
  files: readonly File[],
): Promise<{ images: AttachedImage[]; error: string | null }> {
  const good = files.filter((file) => checkAttachment(file) === null)
  const error = files.map(checkAttachment).find((wrong) => wrong !== null) ?? null
  try {
    const images = await Promise.all(
      good.map(async (file) => ({ name: file.name, url: await toDataUri(file), bytes: file.size })),
    )
    return { images, error }
  } catch {
    return { images: [], error: 'The image could not be read.' }
  }
}
