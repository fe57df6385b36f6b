import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { databaseFault, isReadTimeout } from './pg-errors'

const coded = (code: string) => Object.assign(new Error('no'), { code })

describe('what an error of the database means', () => {
  test.each([
    ['ECONNREFUSED', 'lost'],
    ['08006', 'lost'],
    ['57P01', 'lost'],
    ['25P03', 'lost'],
    ['25006', 'refused'],
    ['53100', 'refused'],
    ['53200', 'refused'],
    ['53300', 'refused'],
    ['57014', 'refused'],
    ['P2037', 'refused'],
    ['55P03', 'locked'],
    ['40P01', 'conflict'],
    ['40001', 'conflict'],
    ['23505', null],
    ['42P01', null],
    ['P2002', null],
  ])('%s is %s', (code, fault) => {
    expect(databaseFault(coded(code))).toBe(fault)
  })

  test.each([
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a silent peer', new Error('Query read timeout')],
    ['a pool that gave no connection', new Error('timeout exceeded when trying to connect')],
    ['one of several addresses', new AggregateError([coded('ECONNREFUSED')])],
  ])('%s is lost', (_name, error) => {
    expect(databaseFault(error)).toBe('lost')
  })

  test('is read from within, also from what Prisma wraps', () => {
    const adapter = (cause: object) =>
      Object.assign(new Error('x'), { code: 'P2010', meta: { driverAdapterError: { cause } } })
    expect(databaseFault(new Error('x', { cause: coded('25006') }))).toBe('refused')
    expect(databaseFault(adapter({ kind: 'postgres', code: '25006' }))).toBe('refused')
    expect(databaseFault(adapter({ kind: 'TooManyConnections', originalCode: '53300' }))).toBe('refused')
    expect(databaseFault(adapter({ kind: 'UniqueConstraintViolation', originalCode: '23505' }))).toBeNull()
  })

  test.each([null, undefined, 'text', 7, {}, new Error('no')])('%s is not a fault of the database', (error) => {
    expect(databaseFault(error)).toBeNull()
  })
})

test('the driver’s error for a silent peer is known', async () => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL, query_timeout: 20 })
  await client.connect()
  const error = await client.query('SELECT pg_sleep(5)').catch((e) => e)
  await client.end()
  expect(isReadTimeout(error)).toBe(true)
})
