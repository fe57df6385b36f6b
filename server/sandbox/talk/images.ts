import { describeImageUri } from '../media/describe-image'

/** How many images of a message are looked at. */
const MAX_DESCRIBED = 3

/** What a script can say about images: how many there are, and what their files say. */
export async function describeImages(urls: readonly string[]): Promise<string> {
  if (urls.length === 0) return ''
  const described = await Promise.all(urls.slice(0, MAX_DESCRIBED).map(describeImageUri))
  const known = described.filter((text) => text !== null)
  const [count, them] = urls.length === 1 ? ['1 image', 'it'] : [`${urls.length} images`, 'them']
  return [`I see ${count}.`, ...known, `As a script I cannot see what is on ${them}, only what is in the file.`].join(
    ' ',
  )
}
