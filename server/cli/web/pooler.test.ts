import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { findPooling } from './pooler'

/**
 * A pool whose clients are answered by the backend that `lend` names: its client, and whether in a
 * transaction.
 */
function fakePool(introduced: (client: number) => number, lend: (client: number, isHolding: boolean) => number) {
  let clients = 0
  let holding: number | undefined
  const connect = async () => {
    const client = ++clients
    const query = async (text: string) => {
      if (text === 'BEGIN') holding = client
      if (text === 'ROLLBACK') holding = undefined
      return { rows: [{ pid: lend(client, holding !== undefined) }] }
    }
    return { processID: introduced(client), query, release: () => {} }
  }
  return { connect } as unknown as pg.Pool
}

describe('what is between a client and PostgreSQL', () => {
  it('is nothing where the backend introduces itself', async () => {
    expect(
      await findPooling(
        fakePool(
          (client) => client,
          (client) => client,
        ),
      ),
    ).toBe('none')
  })

  it('is a pooler by session where each client keeps its backend', async () => {
    expect(
      await findPooling(
        fakePool(
          () => 999,
          (client) => client,
        ),
      ),
    ).toBe('session')
  })

  it('is a pooler by transaction where two clients meet one backend', async () => {
    expect(
      await findPooling(
        fakePool(
          () => 999,
          () => 7,
        ),
      ),
    ).toBe('transaction')
  })

  it('is one also where others take the backend in between', async () => {
    let lent = 0
    expect(
      await findPooling(
        fakePool(
          () => 999,
          () => ++lent,
        ),
      ),
    ).toBe('transaction')
    // The first client meets another backend only while the second one holds its own.
    const lend = (client: number, isHolding: boolean) => (client === 1 && isHolding ? 3 : client)
    expect(await findPooling(fakePool(() => 999, lend))).toBe('transaction')
  })
})
