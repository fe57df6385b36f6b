const TEXT: Record<string, string> = {
  css: 'text/css',
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  map: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webmanifest: 'application/manifest+json',
  xml: 'application/xml',
}

const BINARY: Record<string, string> = {
  avif: 'image/avif',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  ttf: 'font/ttf',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
}

/** The content type of a path, by its extension. Text is UTF-8; an unknown type is a download. */
export function contentTypeOf(path: string): string {
  const extension = /[^/]\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  const text = Object.hasOwn(TEXT, extension) ? TEXT[extension] : undefined
  if (text) return `${text}; charset=utf-8`
  return (Object.hasOwn(BINARY, extension) ? BINARY[extension] : undefined) ?? 'application/octet-stream'
}

/** True for what `contentTypeOf` calls text. */
export const isTextType = (contentType: string): boolean => contentType.endsWith('charset=utf-8')
