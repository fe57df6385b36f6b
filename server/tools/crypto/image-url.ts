/** The URL of a coin's logo. A coin without one has a bare file name there. */
export const imageUrl = (text: string | null): string | null =>
  text && /^https?:\/\//.test(text) && URL.canParse(text) ? text : null
