import { CallReceipt, UsageFilter } from '../credits/shape'
import { KeyStatus } from '../keys/key-status'
import { typeBlock } from './markdown-blocks'
import { declareInput, declareOutput } from './result-types'

/** What a key may do, and what its calls were charged. */
export const accountSection = (): string =>
  [
    '## Key and usage',
    '`GET /key` returns a `KeyStatus`: what this key may call, what is left, and which limit comes first. `GET /usage` returns `{ rows: Receipt[]; nextCursor: string | null }`, newest first, of all keys of the owner; its query has `limit` (1 to 100, default 20), `cursor`, and the fields of `UsageFilter`. `GET /usage/{requestId}` returns one `Receipt`; the `x-request-id` of a call is its id. All three are free.',
    typeBlock(
      declareOutput('KeyStatus', KeyStatus),
      declareOutput('Receipt', CallReceipt),
      declareInput('UsageFilter', UsageFilter),
    ),
  ].join('\n\n')
