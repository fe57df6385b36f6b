export type ContentEncoding = 'br' | 'gzip'

const isRefused = (parameters: readonly string[]): boolean =>
  parameters.some((one) => one.startsWith('q=') && Number(one.slice(2)) === 0)

/** The best encoding that an Accept-Encoding header allows; null for no encoding. */
export function chooseEncoding(accepts: string | undefined): ContentEncoding | null {
  const allowed = (accepts ?? '').split(',').flatMap((part) => {
    const [name, ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
    return isRefused(parameters) ? [] : [name]
  })
  return allowed.includes('br') ? 'br' : allowed.includes('gzip') ? 'gzip' : null
}
