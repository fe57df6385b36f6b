import { z } from 'zod'
import { CallChannel, Product, ReceiptDetail } from './shape'

const Credits = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)

/** A settlement as a line of a journal: JSON, credits as text. */
const JournalEntry = z.object({
  why: z.enum(['write', 'undo']),
  request: z.object({
    id: z.uuid(),
    ownerId: z.int(),
    channel: CallChannel.optional(),
    held: Credits,
    actual: Credits,
    extend: z.boolean().optional(),
    status: z.enum(['ok', 'failed', 'void']),
    detail: ReceiptDetail.optional(),
    answer: z.object({ status: z.int(), body: z.string() }).optional(),
    slice: z
      .object({
        of: z.uuid(),
        keyId: z.int(),
        amount: Credits,
        channel: CallChannel,
        product: Product,
        what: z.string(),
        afterMs: z.int(),
      })
      .optional(),
  }),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/** A settlement as it is stored, in a journal or put aside. */
export const StoredSettlement = JournalEntry.shape.request
export type StoredSettlement = z.infer<typeof StoredSettlement>

/** The first line of a journal: whose it is, and of which database; null where nobody knew. */
const JournalHead = z.object({ journal: z.literal(1), databaseId: z.string().nullable(), holderId: z.uuid() })
export type JournalHead = z.infer<typeof JournalHead>

const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)

/** A line of a journal as text. */
export const journalText = (line: JournalEntry | JournalHead): string => JSON.stringify(line, asText)

/** An entry or a head of a journal, null where the text is neither. */
export function parseJournalText(text: string): JournalEntry | JournalHead | null {
  try {
    return z.union([JournalEntry, JournalHead]).parse(JSON.parse(text))
  } catch {
    return null
  }
}
