import type { Picture } from './turn'

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
/** Largest picture taken, bytes: what the common providers take. */
export const MAX_PICTURE = 5 * 1024 * 1024
export const PICTURE_RULE = 'PNG, JPEG, WebP or GIF, at most 5 MiB each'

const toDataUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** What is wrong with a file as a picture, or null. */
export function wrongPicture({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  if (!PICTURE_TYPES.includes(type)) return `${name} is no picture of a kind models take: ${PICTURE_RULE}.`
  if (size === 0) return `${name} is empty.`
  return size > MAX_PICTURE ? `${name} has ${(size / 1024 / 1024).toFixed(1)} MiB: ${PICTURE_RULE}.` : null
}

/** Files as pictures to send, and a sentence on the first one that will not do. */
export async function readPictures(files: readonly File[]): Promise<{ pictures: Picture[]; error: string | null }> {
  const good = files.filter((file) => wrongPicture(file) === null)
  const error = files.map(wrongPicture).find((wrong) => wrong !== null) ?? null
  try {
    const pictures = await Promise.all(
      good.map(async (file) => ({ name: file.name, url: await toDataUri(file), bytes: file.size })),
    )
    return { pictures, error }
  } catch {
    return { pictures: [], error: 'The picture could not be read.' }
  }
}
