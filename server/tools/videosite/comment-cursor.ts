/**
 * Where a list of comments continues: the video, the provider's token of a page, and how many of
 * its comments were returned already, as a page has about 20 whatever the limit. `<video
 * id>.<skip>.<token>`.
 */
export type CommentCursor = { videoId: string; skip: number; token: string }

const PATTERN = /^([A-Za-z0-9_-]{11})\.(\d{1,3})\.([A-Za-z0-9%=+/_.~-]{1,8000})$/

export const writeCommentCursor = ({ videoId, skip, token }: CommentCursor): string => `${videoId}.${skip}.${token}`

/** Null for any text that `writeCommentCursor` did not write. */
export function readCommentCursor(text: string): CommentCursor | null {
  const found = PATTERN.exec(text)
  if (!found) return null
  const [, videoId = '', skip, token = ''] = found
  return { videoId, skip: Number(skip), token }
}
