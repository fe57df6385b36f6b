/** Markdown as a reader sees it, without marks and line breaks. */
export const readableText = (markdown: string): string =>
  markdown
    .replaceAll(/\]\([^()[\]\s]*\)/g, '')
    .replaceAll(/^\|[ :|-]+$/gm, '')
    .replaceAll(/^#+ /gm, '')
    .replaceAll(/[[`*]/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
