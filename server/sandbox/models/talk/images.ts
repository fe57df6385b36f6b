/** How many bytes of an image are looked at. */
const HEAD_BYTES = 64

/** Format and size in pixels, as the beginning of the file says. */
function formatOf(url: string): string | null {
  const [, data] = url.match(/^data:image\/[a-z+]{1,10};base64,(.*)$/s) ?? []
  if (data === undefined) return null
  const head = Buffer.from(data.slice(0, HEAD_BYTES * 2), 'base64')
  if (head.length >= 24 && head.toString('latin1', 1, 4) === 'PNG')
    return `PNG, ${head.readUInt32BE(16)} × ${head.readUInt32BE(20)} pixels`
  if (head.length >= 10 && head.toString('latin1', 0, 3) === 'GIF')
    return `GIF, ${head.readUInt16LE(6)} × ${head.readUInt16LE(8)} pixels`
  if (head.length >= 3 && head[0] === 0xff && head[1] === 0xd8) return 'JPEG'
  return head.length >= 12 && head.toString('latin1', 8, 12) === 'WEBP' ? 'WebP' : null
}

/** What a script can say about images: how many there are, and what their files say. */
export function describeImages(urls: readonly string[]): string {
  if (urls.length === 0) return ''
  const formats = urls.map(formatOf).filter((format) => format !== null)
  const known = formats.length > 0 ? ` (${formats.slice(0, 5).join('; ')})` : ''
  return `I see ${urls.length} image${urls.length === 1 ? '' : 's'}${known}. As a script I cannot see what is on ${urls.length === 1 ? 'it' : 'them'}.`
}
