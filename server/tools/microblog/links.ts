import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'

export const lenientString = z
  .string()
  .nullish()
  .catch(null)
  .transform((t) => t ?? null)

export const lenientCount = z
  .number()
  .nullish()
  .catch(null)
  .transform((n) => n ?? null)

/** An ISO time, or null for what is none. */
export const lenientIsoTime = z
  .string()
  .nullish()
  .catch(null)
  .transform((text) => {
    const at = Date.parse(text ?? '')
    return Number.isNaN(at) ? null : new Date(at).toISOString()
  })

const Link = z.object({ url: z.string(), expanded_url: z.string() })

/** The `urls` of an `entities` object; what is no link is left out. */
export const EntityLinks = z
  .object({ urls: z.array(z.unknown()) })
  .nullish()
  .catch(null)
  .transform((entities) => (entities?.urls ?? []).flatMap((link) => Link.safeParse(link).data ?? []))
export type EntityLinks = z.output<typeof EntityLinks>

/** A text as people read it: entities decoded, short links at full length. */
export function toReadableText(text: string, known: EntityLinks): string {
  const full = new Map(known.map((link) => [link.url, link.expanded_url]))
  return decodeHTMLStrict(text).replace(/https:\/\/t\.co\/\w+/g, (short) => full.get(short) ?? short)
}
