import { decodeHTMLStrict } from 'entities/decode'
import { z } from 'zod'
import { lenientList, lenientObject } from '../provider-fields'

const Link = z.object({ url: z.string(), expanded_url: z.string() })

/** The `urls` of an `entities` object; what is not a link is left out. */
export const EntityLinks = lenientObject({ urls: lenientList(Link) }).transform((entities) => entities?.urls ?? [])
export type EntityLinks = z.output<typeof EntityLinks>

/** A text as people read it: entities decoded, short links expanded. */
export function toReadableText(text: string, links: EntityLinks): string {
  const expanded = new Map(links.map((link) => [link.url, link.expanded_url]))
  return decodeHTMLStrict(text).replace(/https:\/\/t\.co\/\w+/g, (short) => expanded.get(short) ?? short)
}
