import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import * as shape from '../credits/shape'

const MADE_UP = {
  call: { region: { column: 'what', sql: 'r.what', type: 'text', shape: z.string(), csv: 'region' } },
  detail: { audioSeconds: { shape: z.number().optional(), csv: 'audio_seconds' } },
}

beforeAll(() => {
  vi.doMock('../credits/shape', () => ({
    ...shape,
    RECEIPT_CALL: { ...shape.RECEIPT_CALL, ...MADE_UP.call },
    RECEIPT_DETAIL: { ...shape.RECEIPT_DETAIL, ...MADE_UP.detail },
  }))
})
afterAll(() => {
  vi.doUnmock('../credits/shape')
})

test('a field that is added is a column of the CSV, the list and the export', async () => {
  const [{ RECEIPTS_CSV }, { RECEIPT_BY_ID, receiptQuery }, { OWNER_PARTS }] = await Promise.all([
    import('./receipts-csv'),
    import('../credits/receipt-query'),
    import('../owner-data/export-parts'),
  ])
  const header = RECEIPTS_CSV.header().trim()
  expect(header).toMatch(/,region,credits_held,.*,audio_seconds,customer$/)
  const list = receiptQuery({ ownerId: 1, filter: {}, after: null, max: 1 }).statement
  for (const { text } of [RECEIPT_BY_ID, list]) expect(text).toContain('r.what AS "region"')
  expect(RECEIPT_BY_ID.columns).toMatchObject({ region: 'text' })
  expect(OWNER_PARTS.find(({ name }) => name === 'receipts')?.page.text).toContain('t.what AS region')
})

test('every field is in the shape of the API', () => {
  const { CallReceipt, RECEIPT_CALL, RECEIPT_CREDITS, RECEIPT_DETAIL } = shape
  const { credits, detail, ...call } = CallReceipt.shape
  expect(call).toEqual(Object.fromEntries(Object.entries(RECEIPT_CALL).map(([name, field]) => [name, field.shape])))
  expect(Object.keys(credits.shape)).toEqual(Object.keys(RECEIPT_CREDITS))
  expect(Object.keys(detail.shape)).toEqual(Object.keys(RECEIPT_DETAIL))
})

test('the columns of the CSV keep their names and their order', () => {
  const { RECEIPT_CALL, RECEIPT_CREDITS, RECEIPT_DETAIL } = shape
  const names = [RECEIPT_CALL, RECEIPT_CREDITS, RECEIPT_DETAIL].map((fields) =>
    Object.values(fields).flatMap(({ csv }) => csv ?? []),
  )
  expect(names.map((each) => each.join(','))).toEqual([
    'request_id,started_at,ended_at,key_id,key_name,channel,product,what,status,customer',
    'credits_held,credits_charged,credits_released',
    'duration_ms,input_tokens,output_tokens,cost_usd,estimated,error,cached_input_tokens,cache_write_tokens,first_token_ms',
  ])
})
