/** Schemes that the URL parser accepts with any number of slashes, and with backslashes. */
const SPECIAL = /^(https?|wss?|ftp|file):$/

/** True for a complete URL in any notation, false for a word with a colon in it. */
export function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, href } = new URL(text)
  return SPECIAL.test(protocol) || href.startsWith(`${protocol}//`)
}
