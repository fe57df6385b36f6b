const MAX_MARKDOWN_CHARS = 500_000

/** Cuts a text that is too long, at the end of a line where one is near. */
export function truncateMarkdown(markdown: string): string {
  if (markdown.length <= MAX_MARKDOWN_CHARS) return markdown
  const line = markdown.lastIndexOf('\n', MAX_MARKDOWN_CHARS)
  return markdown.slice(0, line > MAX_MARKDOWN_CHARS / 2 ? line : MAX_MARKDOWN_CHARS)
}

/** Words between spaces; in scripts written without spaces, characters. */
export const countWords = (text: string): number =>
  text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ??
  0

/** Words of Markdown that a reader sees: the addresses of links and images are none. */
export const countShownWords = (markdown: string): number => countWords(markdown.replace(/\]\([^)\s]*/g, ']'))
