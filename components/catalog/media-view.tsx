import { findHostedMedia, type HostedMedia } from './hosted-media'

/** The images and videos in a result that are hosted here, each with its link. */
export function MediaView({ result, baseUrl }: { result: unknown; baseUrl: string }) {
  const media = findHostedMedia(result, baseUrl)
  if (media.length === 0) return null
  return (
    <ul className="grid gap-3">
      {media.map((one) => (
        <li key={one.path}>
          <Player media={one} />
          <a
            href={one.path}
            target="_blank"
            rel="noreferrer"
            className="num text-caption break-all text-accent hover:underline"
          >
            {one.path}
          </a>
        </li>
      ))}
    </ul>
  )
}

const FRAME = 'mb-1 max-h-[60dvh] max-w-full rounded border bg-sunken'

const Player = ({ media: { kind, path } }: { media: HostedMedia }) =>
  kind === 'image' ? (
    // biome-ignore lint/performance/noImgElement: hosted here at its size, and seen once
    <img src={path} alt="The result" className={FRAME} />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: generated videos have no captions
    <video src={path} controls preload="metadata" aria-label="The result" className={FRAME} />
  )
