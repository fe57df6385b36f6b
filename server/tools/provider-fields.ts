import { z } from 'zod'

/** Readers of the vendor's fields: almost any may be missing, null or of another type, and then counts as unknown. */

export const lenientNumber = z
  .number()
  .nullish()
  .catch(null)
  .transform((n) => n ?? null)

export const lenientInteger = lenientNumber.transform((n) => (n !== null && Number.isSafeInteger(n) ? n : null))

export const lenientText = z
  .string()
  .nullish()
  .catch(null)
  .transform((t) => t?.trim() || null)

export const lenientBoolean = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((b) => b ?? null)

/** Ids come as numbers here and strings there. */
export const lenientId = z
  .union([z.string().min(1), z.number().int()])
  .transform(String)
  .nullish()
  .catch(null)
  .transform((t) => t ?? null)

/** http(s) URLs only: some fields hold an empty string. */
export const lenientUrl = lenientText.transform((t) => (t && /^https?:\/\//.test(t) && URL.canParse(t) ? t : null))

/** Milliseconds since 1970, as ISO 8601. */
export const lenientEpochMs = lenientNumber.transform((ms) => {
  const date = new Date(ms ?? Number.NaN)
  return ms === null || ms <= 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999
    ? null
    : date.toISOString()
})

/** A list of which only the readable items count. */
export const lenientList = <T extends z.ZodType>(item: T) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((items) => (items ?? []).flatMap((one) => item.safeParse(one).data ?? []) as z.output<T>[])

/** An object that may be missing. */
export const lenientObject = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullish().catch(null)
