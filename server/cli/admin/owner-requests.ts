import { listReceipts } from '../../credits/receipts'
import { type CallReceipt, UsagePage } from '../../credits/shape'
import { listRefusals } from '../../request-log/list-refusals'
import { RefusalPage, type RefusedCall } from '../../request-log/shape'
import { type AdminCommand, integerOption, optionalText, ownerOption, readOptions } from './options'

const string = { type: 'string' } as const

const requestLine = ({ requestId, at, startedAt, what, channel, status, keyId, credits, detail }: CallReceipt) =>
  [
    at,
    requestId,
    what,
    channel,
    status,
    `key ${keyId ?? 'none'}`,
    `${Date.parse(at) - Date.parse(startedAt)} ms`,
    `${credits.charged} credits`,
    detail.error,
  ]
    .filter(Boolean)
    .join('\t')

const refusalLine = ({ requestId, at, called, operation, status, reason, keyId, limit, message }: RefusedCall) =>
  [at, requestId, called ?? operation, status, reason, `key ${keyId}`, limit && `limit ${limit.name}`, message]
    .filter(Boolean)
    .join('\t')

type Page<Row> = { rows: readonly Row[]; nextCursor: string | null }

const textOf = <Row>({ rows, nextCursor }: Page<Row>, lineOf: (row: Row) => string, none: string): string =>
  [...(rows.length > 0 ? rows.map(lineOf) : [none]), ...(nextCursor ? [`more: --cursor ${nextCursor}`] : [])].join('\n')

const requests: AdminCommand = {
  name: 'owner requests',
  usage:
    '--email E [--key N] [--what TOOL|MODEL] [--status ok|failed|void|expired] [--limit N] [--cursor C]   (its finished calls, the newest first, without what was asked)',
  options: { email: string, key: string, what: string, status: string, limit: string, cursor: string },
  run: async (options) => {
    const { id } = await ownerOption(options)
    const page = readOptions(UsagePage, {
      keyId: integerOption(options, 'key'),
      what: optionalText(options, 'what'),
      status: optionalText(options, 'status') as UsagePage['status'],
      limit: integerOption(options, 'limit'),
      cursor: optionalText(options, 'cursor'),
    })
    const data = await listReceipts(id, page)
    return { data, text: textOf(data, requestLine, 'No call is like that.') }
  },
}

const refusals: AdminCommand = {
  name: 'owner refusals',
  usage:
    '--email E [--key N] [--status 402|403|429|…] [--limit N] [--cursor C]   (its refused calls and why, the newest first)',
  options: { email: string, key: string, status: string, limit: string, cursor: string },
  run: async (options) => {
    const { id } = await ownerOption(options)
    const page = readOptions(RefusalPage, {
      keyId: integerOption(options, 'key'),
      status: integerOption(options, 'status'),
      limit: integerOption(options, 'limit'),
      cursor: optionalText(options, 'cursor'),
    })
    const data = await listRefusals(id, page)
    return { data, text: textOf(data, refusalLine, 'No refusal is like that.') }
  },
}

export const ownerRequestCommands: readonly AdminCommand[] = [requests, refusals]
