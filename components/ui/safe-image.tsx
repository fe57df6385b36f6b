'use client'

import { type ComponentProps, useSyncExternalStore } from 'react'
import { ExternalLink } from './external-link'

/** A hosted image, by its path. */
const HOSTED_IMAGE = /^\/files\/[\w-]+\.(?:png|jpe?g|webp|gif)$/

const neverChanges = () => () => {}

/** True for the address of an image that this page's own host serves. */
function useIsHosted(src: string): boolean {
  const isHosted = () => {
    const url = URL.canParse(src) ? new URL(src) : null
    return url?.origin === location.origin && HOSTED_IMAGE.test(url.pathname)
  }
  return useSyncExternalStore(neverChanges, isHosted, () => false)
}

/**
 * An image in untrusted text. Loading one of another host would reveal the reader to it: only our
 * own are shown, others are links.
 */
export function SafeImage({ src, alt }: Pick<ComponentProps<'img'>, 'src' | 'alt'>) {
  const address = String(src ?? '')
  if (!useIsHosted(address)) return <ExternalLink href={address}>{alt || 'image'}</ExternalLink>
  return (
    // biome-ignore lint/performance/noImgElement: a hosted file, served as it is
    <img
      src={new URL(address).pathname}
      alt={alt ?? ''}
      loading="lazy"
      className="my-2 max-h-96 max-w-full rounded border"
    />
  )
}
