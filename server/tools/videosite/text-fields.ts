import { z } from 'zod'
import { lenient } from '../provider-fields'

/**
 * The three forms of a text: `{simpleText}`, `{runs: [{text}]}` and `{content}`; anything else is
 * null.
 */
export const InnertubeText = lenient(
  z.union([
    z.object({ simpleText: z.string() }).transform((t) => t.simpleText),
    z.object({ runs: z.array(z.object({ text: z.string() })) }).transform((t) => t.runs.map((r) => r.text).join('')),
    z.object({ content: z.string() }).transform((t) => t.content),
  ]),
)

const POWERS: Record<string, number> = { '': 1, k: 1e3, m: 1e6, b: 1e9 }

/**
 * A count in an English text, as rounded there: `1,234 views`, `25.4m subscribers`, `1.2K`, `No
 * views`; the empty string is 0. Null without a number.
 */
export function parseRoundedCount(text: string | null): number | null {
  if (text === null) return null
  if (text.trim() === '' || /^no\b/i.test(text.trim())) return 0
  const found = /(\d[\d,]*(?:\.\d+)?)\s?([kmb]?)(?![a-z])/i.exec(text)
  if (!found) return null
  return Math.round(Number(found[1]?.replaceAll(',', '')) * (POWERS[found[2]?.toLowerCase() ?? ''] ?? 1))
}

/**
 * The exact number in a text of any language, such as `390.201 Aufrufe`; null for a rounded one,
 * such as `3,9 Mio.`
 */
export function parseExactCount(text: string | null): number | null {
  const found = /\d+(?:[.,'’\s]\d{2,3})*(?:[.,]\d+)?/.exec(text ?? '')?.[0]
  if (found === undefined || /[.,]\d{1,2}$/.test(found)) return null
  return Number(found.replace(/\D/g, ''))
}

/** `47:20` and `1:02:03` in seconds; null for anything else. */
export function parseClock(clock: string | null): number | null {
  if (clock === null || !/^\d+(:\d\d){1,2}$/.test(clock.trim())) return null
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** A whole number, which the provider writes as a string; null for anything else. */
export const DigitString = lenient(z.union([z.string().regex(/^\d{1,15}$/), z.number()])).transform((digits) =>
  digits === null || digits === undefined ? null : Number(digits),
)
