import { z } from 'zod'

/**
 * Fields of a provider's JSON. Almost any of them may be missing, null or of another type than
 * documented. Such a value counts as unknown and becomes null, so that one odd field does not lose
 * the whole result.
 */
export const lenient = <T extends z.ZodType>(shape: T) =>
  shape
    .nullish()
    .catch(null)
    .transform((value) => value ?? null)

export const lenientNumber = lenient(z.number())

export const lenientInteger = lenientNumber.transform((n) => (n !== null && Number.isSafeInteger(n) ? n : null))

/** A text as it is. */
export const lenientString = lenient(z.string())

/** A text without spaces around it; an empty one counts as unknown. */
export const lenientText = lenientString.transform((text) => text?.trim() || null)

export const lenientBoolean = lenient(z.boolean())

/** True or false; unknown counts as false. */
export const lenientFlag = lenientBoolean.transform((flag) => flag ?? false)

/** Ids come as numbers from one endpoint and as strings from another. */
export const lenientId = lenient(z.union([z.string().min(1), z.number().int()]).transform(String))

/** http(s) URLs only: some fields hold an empty string. */
export const lenientUrl = lenientText.transform((url) =>
  url && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null,
)

/** A point in time as ISO 8601 in UTC; null for an invalid one and for years past four digits. */
export function toIsoTime(time: string | number | Date | null | undefined): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? null : date.toISOString()
}

/** A date or time in any form that JavaScript reads. */
export const lenientTime = lenient(z.union([z.string(), z.date()])).transform(toIsoTime)

/** Milliseconds since 1970; 0 counts as unknown. */
export const lenientEpochMs = lenientNumber.transform((ms) => (ms !== null && ms > 0 ? toIsoTime(ms) : null))

/** Seconds since 1970, with or without a fraction; 0 counts as unknown. */
export const lenientEpochS = lenientNumber.transform((s) => (s !== null && s > 0 ? toIsoTime(s * 1000) : null))

/** A list of which only the readable items count. */
export const lenientList = <T extends z.ZodType>(item: T) =>
  lenient(z.array(z.unknown())).transform((items): z.output<T>[] =>
    (items ?? []).flatMap((one) => {
      const parsed = item.safeParse(one)
      return parsed.success ? [parsed.data] : []
    }),
  )

/** An object that may be missing. */
export const lenientObject = <T extends z.ZodRawShape>(shape: T) => lenient(z.object(shape))
