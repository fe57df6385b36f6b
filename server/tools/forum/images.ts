import { z } from 'zod'

const Gallery = z.object({ items: z.array(z.object({ media_id: z.string() })) })
/** A picture that is still being worked on, or failed, has no `s`; an animation has `gif` in the place of `u`. */
const Media = z.object({ s: z.object({ u: z.string().optional(), gif: z.string().optional() }) })
const Preview = z.object({ images: z.array(z.object({ source: z.object({ url: z.string() }) })) })

/** Addresses of a post's pictures: its gallery in order, else its preview. */
export function postImages(post: { gallery_data?: unknown; media_metadata?: unknown; preview?: unknown }): string[] {
  const gallery = Gallery.safeParse(post.gallery_data)
  const media = z.record(z.string(), z.unknown()).safeParse(post.media_metadata)
  if (gallery.success && media.success) {
    return gallery.data.items.flatMap(({ media_id }) => {
      const { data } = Media.safeParse(media.data[media_id])
      return plain(data?.s.u ?? data?.s.gif)
    })
  }
  const preview = Preview.safeParse(post.preview)
  return preview.success ? preview.data.images.flatMap(({ source }) => plain(source.url)) : []
}

/** These addresses come with entities even where texts do not. */
const plain = (address: string | undefined): string[] => (address ? [address.replaceAll('&amp;', '&')] : [])
