/**
 * Where a list of comments goes on: the video, the vendor's token of a page, and how many of that page's comments were
 * given already, because a page is about 20 whatever the limit. `<video id>.<skip>.<token>`.
 */
export type CommentCursor = { videoId: string; skip: number; token: string }

const FORM = /^([A-Za-z0-9_-]{11})\.(\d{1,3})\.([A-Za-z0-9%=+/_.~-]{1,8000})$/

export const writeCommentCursor = ({ videoId, skip, token }: CommentCursor): string => `${videoId}.${skip}.${token}`

/** Null for what `writeCursor` did not write. */
export function readCommentCursor(text: string): CommentCursor | null {
  const found = FORM.exec(text)
  if (!found) return null
  const [, videoId = '', skip, token = ''] = found
  return { videoId, skip: Number(skip), token }
}
