import { parsePixelSize } from '../../tools/media/ratios'
import type { SandboxRoute } from '../kit/route'
import { imageBytes } from './answers'
import { cancelledMediaJobs } from './jobs'

/**
 * What the providers of images and videos have in common. Their prompts may provoke failures:
 * `sandbox:429` `sandbox:quota` `sandbox:500` `sandbox:key` (401) `sandbox:policy` (moderation)
 * `sandbox:html` `sandbox:nonsense` (JSON of an unknown form) `sandbox:slow` (5 s) ·
 * `sandbox:refuse` (no image; the chat model bills it) `sandbox:200` (an error with status 200)
 * `sandbox:garbage` (bytes that are not an image or video) `sandbox:url` (the image's URL instead
 * of its bytes) `sandbox:gone` (that URL is expired) `sandbox:private` (it leads to a private
 * address) · `sandbox:expensive` (costs ten times its price) `sandbox:beyond` (a cost that cannot
 * be true) `sandbox:nocost` (no cost) · jobs: `sandbox:fail` `sandbox:queued` (never started)
 * `sandbox:never` (never done) `sandbox:silent` (500 at every poll) `sandbox:sound` (a video with a
 * sound track). A job is done at the third poll. `GET /media/__cancelled` returns how many jobs
 * were cancelled.
 */
export const mediaRoutes: SandboxRoute[] = [
  { method: 'GET', path: '/media/image', handle: hostedImage },
  { method: 'GET', path: '/media/__cancelled', handle: () => Response.json({ count: cancelledMediaJobs() }) },
]

/** The image at a URL that a provider returned; expired for one prompt. */
async function hostedImage(req: Request): Promise<Response> {
  const query = new URL(req.url).searchParams
  const prompt = query.get('prompt') ?? ''
  if (prompt.includes('sandbox:gone')) return new Response('expired', { status: 403 })
  const bytes = await imageBytes(prompt, parsePixelSize(query.get('size') ?? '') ?? { width: 1024, height: 1024 })
  // Signed URLs often have this type.
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': 'application/octet-stream' } })
}
