const META_BYTES = 4096

/**
 * Text of a page: byte order mark, then the header's charset, then the page's own <meta>, then
 * UTF-8, then Latin-1.
 */
export function decodeText(bytes: Buffer, contentType: string): string {
  const label = markOf(bytes) ?? labelIn(contentType) ?? labelIn(metaOf(bytes))
  const named = label === undefined ? undefined : decoderOf(label)
  if (named) return named.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** Texts are short enough for any scan: headers by Node's limit, tags by ours. */
const labelIn = (text: string): string | undefined => /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1]

/**
 * The first <meta> or XML declaration that names one; a page that can be read so far is not UTF-16,
 * whatever it says.
 */
function metaOf(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, META_BYTES)
  const meta = tagsOf(head).find((tag) => /^<meta\s/i.test(tag) && /charset/i.test(tag))
  const xml = /^<\?xml\s[^>]*encoding=["']([\w.:-]+)["']/i.exec(head)?.[1]
  const found = meta ?? (xml ? `charset=${xml}` : '')
  return /utf-?16/i.test(found) ? 'charset=utf-8' : found
}

/** The tags of a text, each from its `<` to the next `>`. */
const tagsOf = (text: string): string[] =>
  text.split('>').flatMap((part) => {
    const at = part.lastIndexOf('<')
    return at < 0 ? [] : [part.slice(at)]
  })

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
