import { describe, expect, it } from 'vitest'
import { acceptInvitation } from '../../server/api/account-links'
import { prisma } from '../../server/db'
import { withSandbox } from '../support/api'
import { makeManager } from '../support/management'
import { joinSomebody, makeOwner } from '../support/owners'
import { browserHeaders, signUpSomebody } from '../support/signed-in'

withSandbox()

type Rows = { rows: { personId: number; role: string }[]; nextCursor: string | null }

/** A manager whose account has a developer. */
async function withMember() {
  const manager = await makeManager()
  const person = await joinSomebody(manager.owner.id)
  const roleOf = async (personId = person) =>
    (await prisma().member.findFirst({ where: { accountId: manager.owner.id, personId } }))?.role ?? null
  return { ...manager, person, roleOf }
}

describe('200', () => {
  it('lists members page by page, and reads one', async () => {
    const { manage, owner, person } = await withMember()
    const first = (await manage('/members?limit=1')).body as Rows
    const next = (await manage(`/members?limit=1&cursor=${encodeURIComponent(String(first.nextCursor))}`)).body as Rows
    expect([...first.rows, ...next.rows]).toMatchObject([
      { personId: owner.id, email: owner.email, role: 'owner' },
      { personId: person, role: 'developer', hasFactor: false },
    ])
    expect(next.nextCursor).toBeNull()
    expect(await manage(`/members/${person}`)).toMatchObject({ status: 200, body: { personId: person } })
  })

  it('changes a role and takes a member out, as the audit log says', async () => {
    const { manage, owner, person, roleOf } = await withMember()
    const read = await manage(`/members/${person}`)
    const headers = { 'if-match': read.headers.get('etag') ?? '' }
    const changed = await manage(`/members/${person}`, { method: 'PATCH', body: { role: 'viewer' }, headers })
    expect(changed).toMatchObject({ status: 200, body: { personId: person, role: 'viewer' } })
    expect(await roleOf()).toBe('viewer')
    // What was read before is another version now.
    expect((await manage(`/members/${person}`, { method: 'DELETE', headers })).status).toBe(412)
    const again = { 'if-match': changed.headers.get('etag') ?? '' }
    expect((await manage(`/members/${person}`, { method: 'DELETE', headers: again })).body).toMatchObject({
      role: 'viewer',
    })
    expect(await roleOf()).toBeNull()
    const lines = await prisma().auditEvent.findMany({ where: { ownerId: owner.id }, orderBy: { id: 'asc' } })
    expect(lines).toMatchObject([
      { action: 'member_role_changed', actorKind: 'key', actor: 'ops', detail: { role: 'viewer' } },
      { action: 'member_removed', actorKind: 'key', actor: 'ops' },
    ])
  })

  it('withdraws an invitation, which works no more', async () => {
    const { manage } = await withMember()
    const { id } = (await manage('/invitations', { body: { role: 'billing' } })).body
    expect((await manage('/invitations')).body).toMatchObject({ rows: [{ id, madeBy: 'ops', role: 'billing' }] })
    expect(await manage(`/invitations/${id}`, { method: 'DELETE' })).toMatchObject({ status: 200, body: { id } })
    expect((await manage('/invitations')).body).toEqual({ rows: [], nextCursor: null })
    expect((await manage(`/invitations/${id}`, { method: 'DELETE' })).status).toBe(404)
  })
})

describe('201', () => {
  it('invites somebody once for an Idempotency-Key, and the link joins', async () => {
    const { manage, owner } = await withMember()
    const request = { body: { role: 'developer' }, headers: { 'idempotency-key': 'ada' } }
    const made = await manage('/invitations', request)
    expect(made).toMatchObject({ status: 201, body: { role: 'developer', madeBy: 'ops' } })
    const repeated = await manage('/invitations', request)
    expect(repeated.body).toEqual(made.body)
    expect(repeated.headers.get('idempotent-replayed')).toBe('true')
    expect((await manage('/invitations', { ...request, body: { role: 'viewer' } })).status).toBe(422)
    const guest = await signUpSomebody()
    const token = /token=([\w-]+)/.exec(String(made.body.url))?.[1] ?? ''
    await acceptInvitation(token, browserHeaders(guest.cookie))
    expect((await guest.api.account.me()).account).toMatchObject({ accountId: owner.id, role: 'developer' })
  })
})

describe('403', () => {
  it('never makes, changes or removes an owner, whoever made the key', async () => {
    const { manage, owner, person, roleOf } = await withMember()
    const other = await joinSomebody(owner.id, 'owner')
    const refused = { status: 403, body: { error: expect.stringContaining('only owners') } }
    expect(await manage('/invitations', { body: { role: 'owner' } })).toMatchObject(refused)
    expect(await manage(`/members/${person}`, { method: 'PATCH', body: { role: 'owner' } })).toMatchObject(refused)
    expect(await manage(`/members/${other}`, { method: 'PATCH', body: { role: 'viewer' } })).toMatchObject(refused)
    expect(await manage(`/members/${other}`, { method: 'DELETE' })).toMatchObject(refused)
    expect([await roleOf(), await roleOf(other)]).toEqual(['developer', 'owner'])
  })

  it('is of keys without the scope, or confined to a tag', async () => {
    for (const settings of [{ scopes: ['keys' as const] }, { tag: 'shop' }]) {
      const { manage } = await makeManager(settings)
      expect((await manage('/members')).status).toBe(403)
      expect((await manage('/invitations', { body: { role: 'viewer' } })).status).toBe(403)
    }
  })
})

describe('404 and 400', () => {
  it('are of somebody who does not belong to the account, and of a role that there is not', async () => {
    const { manage, person } = await withMember()
    const stranger = await makeOwner()
    for (const request of [{}, { method: 'PATCH', body: { role: 'viewer' } }, { method: 'DELETE' }] as const)
      expect((await manage(`/members/${stranger.id}`, request)).status).toBe(404)
    expect(await manage(`/members/${person}`, { method: 'PATCH', body: { role: 'boss' } })).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'role' }] },
    })
  })
})
