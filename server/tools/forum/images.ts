import { z } from 'zod'

const Gallery = z.object({ items: z.array(z.object({ media_id: z.string() })) })
/**
 * An image that is still being processed, or failed, has no `s`; an animation has `gif` instead of
 * `u`.
 */
const Media = z.object({ s: z.object({ u: z.string().optional(), gif: z.string().optional() }) })
const Preview = z.object({ images: z.array(z.object({ source: z.object({ url: z.string() }) })) })

/** URLs of a post's images: its gallery in order, else its preview. */
export function postImages(post: { gallery_data?: unknown; media_metadata?: unknown; preview?: unknown }): string[] {
  const gallery = Gallery.safeParse(post.gallery_data)
  const media = z.record(z.string(), z.unknown()).safeParse(post.media_metadata)
  if (gallery.success && media.success) {
    return gallery.data.items.flatMap(({ media_id }) => {
      const { data } = Media.safeParse(media.data[media_id])
      return decodedUrl(data?.s.u ?? data?.s.gif)
    })
  }
  const preview = Preview.safeParse(post.preview)
  return preview.success ? preview.data.images.flatMap(({ source }) => decodedUrl(source.url)) : []
}

/** These URLs hold HTML entities even where texts do not. */
const decodedUrl = (url: string | undefined): string[] => (url ? [url.replaceAll('&amp;', '&')] : [])
