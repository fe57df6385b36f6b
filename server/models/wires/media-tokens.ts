/**
 * Upper bounds for images, by what the costliest common providers charge: large, small file, low
 * detail.
 */
const IMAGE = { max: 6_000, small: 2_000, low: 3_000 }
const SMALL_BYTES = 4 * 1024
/** Other inline files, such as recordings and PDFs: fewest bytes per token. */
const FILE_BYTES_PER_TOKEN = 16
/** Tokens of a file that is only linked. */
const LINKED_FILE = 20_000

const bytesOf = (base64: string) => (base64.length * 3) / 4

/** Tokens of an image at most. `inline` is its base64, null where it is linked. */
export function imageTokens({ inline, isLow }: { inline: string | null; isLow: boolean }): number {
  const isSmall = inline !== null && bytesOf(inline) < SMALL_BYTES
  return Math.min(isSmall ? IMAGE.small : IMAGE.max, isLow ? IMAGE.low : IMAGE.max)
}

/**
 * Tokens of a recording, document or video: by its bytes where it is inline, else a fixed bound.
 */
export const fileTokens = (inline: string | null): number =>
  inline === null ? LINKED_FILE : Math.max(IMAGE.max, Math.ceil(bytesOf(inline) / FILE_BYTES_PER_TOKEN))
