import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'

export const optionalText = z
  .string()
  .nullish()
  .catch(null)
  .transform((t) => t ?? null)

export const optionalCount = z
  .number()
  .nullish()
  .catch(null)
  .transform((n) => n ?? null)

/** An ISO time, or null for what is none. */
export const optionalTime = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => {
    const at = Date.parse(text ?? '')
    return Number.isNaN(at) ? null : new Date(at).toISOString()
  })

const Link = z.object({ url: z.string(), expanded_url: z.string() })

/** The `urls` of an `entities` object; what is no link is left out. */
export const links = z
  .object({ urls: z.array(z.unknown()) })
  .nullish()
  .catch(null)
  .transform((entities) => (entities?.urls ?? []).flatMap((link) => Link.safeParse(link).data ?? []))
export type Links = z.output<typeof links>

/** A text as people read it: entities decoded, short links at full length. */
export function readable(text: string, known: Links): string {
  const full = new Map(known.map((link) => [link.url, link.expanded_url]))
  return decodeHTMLStrict(text).replace(/https:\/\/t\.co\/\w+/g, (short) => full.get(short) ?? short)
}
