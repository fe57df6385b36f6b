/** An image or video hosted here, by its path. */
export type HostedMedia = { kind: 'image' | 'video'; path: string }

const KIND_OF: Record<string, HostedMedia['kind']> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  webp: 'image',
  gif: 'image',
  avif: 'image',
  mp4: 'video',
  webm: 'video',
}

/** The most files shown with a result. */
const MAX_FILES = 12

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** The images and videos hosted here that appear anywhere in a result, each once. */
export function findHostedMedia(result: unknown, baseUrl: string): HostedMedia[] {
  const hosted = `${baseUrl}/files/`
  const urls = new Set(stringsIn(result).filter((text) => text.startsWith(hosted)))
  return [...urls]
    .flatMap((url): HostedMedia[] => {
      const path = url.slice(baseUrl.length)
      const kind = KIND_OF[/^\/files\/[\w-]+\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
      return kind ? [{ kind, path }] : []
    })
    .slice(0, MAX_FILES)
}
