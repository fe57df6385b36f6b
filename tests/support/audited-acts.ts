import { Secret, TOTP } from 'otpauth'
import { customerIds } from '../../server/accounts/customers/names'
import { makeLinkCookie } from '../../server/accounts/issuer/link'
import { invite } from '../../server/accounts/members/invitations'
import { datasetCreate } from '../../server/agent-tools/data/dataset_create'
import { makeContext } from '../../server/api/context'
import { appRouter } from '../../server/api/router'
import { createCallerFactory } from '../../server/api/trpc'
import { createBudget } from '../../server/credits/budgets/change'
import { inTransaction, mainPool, prisma } from '../../server/db'
import { env } from '../../server/env'
import { publishSite } from '../../server/sites/publish'
import { makeTestAgent } from './agent-tool'
import { makeAuthenticator } from './authenticator'
import { startFakePostgres } from './fake-postgres'
import { makeFile } from './file'
import { takeHold } from './hold'
import { makeJob } from './job'
import { makeManagementKey } from './management'
import { authorizationOf, makePkce, registerTestClient } from './oauth'
import { makeOperator } from './operators'
import { joinSomebody, makeCaller } from './owners'
import { settleById } from './settle'
import { callAs, PASSWORD, signInAgain, signUpSomebody } from './signed-in'

type Api = Awaited<ReturnType<typeof signUpSomebody>>['api']

/** An act that is ready to be done: who does it, what is sent, and whose log has it. */
type PreparedAct = { api: Api; input: unknown; ownerId: number }

type Somebody = Awaited<ReturnType<typeof signUpSomebody>>
type Prepare = () => Promise<PreparedAct>

/** An act of somebody who signed up, for which `ready` makes what there must be. */
const byOwner =
  (ready: (somebody: Somebody) => unknown = () => undefined): Prepare =>
  async () => {
    const somebody = await signUpSomebody()
    return { api: somebody.api, ownerId: somebody.id, input: await ready(somebody) }
  }

type Concerned = Awaited<ReturnType<typeof makeCaller>>

/** An act of an operator that concerns somebody else. */
const byOperator =
  (ready: (concerned: Concerned) => unknown = ({ owner }) => ({ ownerId: owner.id })): Prepare =>
  async () => {
    const [{ api }, concerned] = [await makeOperator(), await makeCaller(1_000, { agent: true })]
    return { api, ownerId: concerned.owner.id, input: await ready(concerned) }
  }

const ofKey = (change: object = {}) =>
  byOwner(async ({ api }) => ({ id: (await api.keys.create({ name: 'k' })).id, ...change }))

/** An act of a management key upon a key of its account. */
const byKey =
  (inputOf: (key: Concerned['key'], ownerId: number) => unknown): Prepare =>
  async () => {
    const { owner, key } = await makeCaller()
    const authorization = `Bearer ${(await makeManagementKey(owner)).key}`
    const api = createCallerFactory(appRouter)(makeContext({ via: 'key', headers: new Headers({ authorization }) }))
    return { api, ownerId: owner.id, input: await inputOf(key, owner.id) }
  }

/** A completed run of an owner. */
async function completedRun({ api, id }: Somebody) {
  const key = await api.keys.create({ name: 'k', agent: true })
  const jobId = await makeJob({ ownerId: id, keyId: key.id, status: 'completed' })
  const turn = await prisma().turn.findFirstOrThrow({ where: { jobId } })
  return { runId: turn.runId, shows: [] }
}

/** A dataset and a site of an owner. */
async function datasetOf(ownerId: number) {
  await (await makeTestAgent(ownerId)).run(datasetCreate, { name: 'homes', rows: [{ city: 'Olbia' }] })
  return { name: 'homes' }
}
async function siteOf(ownerId: number) {
  const slug = `site-${ownerId}`
  for (const content of ['one', 'two']) await publishSite(ownerId, { slug, files: [{ path: 'index.html', content }] })
  return { slug }
}

/** A customer of an owner. */
const customerOf = async (ownerId: number) => ({ id: (await customerIds(ownerId, ['acme'])).get('acme') })
const SHOP = { name: 'shop', credits: 5, window: 'month', scope: { customers: 'each' } } as const

/** A budget of an owner, by its id. */
async function budgetOf(ownerId: number) {
  const { id } = await inTransaction((tx) => createBudget(tx, ownerId, SHOP))
  return { id }
}

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

async function beginApp({ api }: Somebody) {
  return { code: codeOf((await api.security.beginApp()).secret) }
}

async function beginPasskey({ api }: Somebody) {
  const response = makeAuthenticator(env().PUBLIC_URL).create(await api.security.beginPasskey())
  return { name: 'Laptop', response }
}

async function addPasskey(somebody: Somebody) {
  const added = await beginPasskey(somebody)
  await somebody.api.security.addPasskey(added)
  return { id: added.response.id }
}

async function databaseUrl() {
  const fake = await startFakePostgres()
  Object.assign(env(), { ALLOW_PRIVATE_HOSTS: [...env().ALLOW_PRIVATE_HOSTS, `127.0.0.1:${fake.port}`] })
  return { url: `postgresql://someone:a-secret@127.0.0.1:${fake.port}/theirs` }
}

async function consent() {
  const request = authorizationOf(await registerTestClient(), makePkce().challenge)
  return { request, settings: { tools: 'all', budget: 5 } }
}

async function charged({ owner }: Concerned) {
  const requestId = await takeHold(owner, 30)
  await settleById({ id: requestId, actual: 12n, status: 'ok' })
  return { requestId }
}

async function deadSettlement({ owner }: Concerned) {
  const id = await takeHold(owner, 30)
  const request = JSON.stringify({ id, ownerId: owner.id, held: '30', actual: '12', status: 'ok' })
  await mainPool().query(
    `INSERT INTO settlement_dead (id, owner_id, request, error, attempts) VALUES ($1, $2, $3, 'refused', 1)`,
    [id, owner.id, request],
  )
  return { id }
}

const setIssuer = () => Object.assign(env(), { AUTH_OIDC_ISSUER: 'https://login.example.net' })

/** Has somebody come from an issuer with an address of a domain that is theirs. */
async function joinDomain({ id }: Somebody) {
  setIssuer()
  const domain = `acme-${id}.example`
  await prisma().login.create({ data: { provider: 'oidc', subject: `x ${id}`, ownerId: id, email: `a@${domain}` } })
  return { domain, role: 'viewer' }
}

/** Somebody whose browser came from an issuer with their address. */
async function linkedInBrowser(): Promise<PreparedAct> {
  setIssuer()
  const { id, email, cookie } = await signUpSomebody()
  const { name, value } = await makeLinkCookie({ personId: id, subject: `x ${id}`, email })
  const api = callAs({ name: cookie.name, value: `${cookie.value}; ${name}=${value}` })
  return { api, ownerId: id, input: undefined }
}

const running = async ({ owner, key }: Concerned) => ({
  jobId: await makeJob({ ownerId: owner.id, keyId: key.id, status: 'running' }),
})

/** How each procedure whose act the audit log has is made ready. */
export const AUDITED_ACTS: Readonly<Record<string, Prepare>> = {
  'account.rename': byOwner(() => ({ name: 'Ada' })),
  'account.changeEmail': byOwner(({ email }) => ({ email: `new-${email}` })),
  'account.changePassword': byOwner(() => ({ current: PASSWORD, password: 'another battery horse' })),
  'account.beginExport': byOwner(),
  'account.delete': byOwner(({ email }) => ({ email, password: PASSWORD })),
  'account.adoptTimeZone': byOwner(() => ({ timeZone: 'Europe/Berlin' })),
  'account.setTimeZone': byOwner(() => ({ timeZone: 'Europe/Berlin' })),
  'account.endSession': byOwner(async ({ api, email }) => {
    await signInAgain(email)
    return { id: (await api.account.sessions()).find(({ isCurrent }) => !isCurrent)?.id }
  }),
  'account.endOtherSessions': byOwner(async ({ email }) => void (await signInAgain(email))),
  'consent.allow': byOwner(consent),
  'jobs.raiseLimit': byOwner(async ({ api, id }) => {
    const key = await api.keys.create({ name: 'k', agent: true })
    return { jobId: await makeJob({ ownerId: id, keyId: key.id, status: 'completed' }), capCredits: 1_000_000 }
  }),
  'jobs.share': byOwner(completedRun),
  'jobs.unshare': byOwner(async (somebody) => ({ runId: (await completedRun(somebody)).runId })),
  'library.renameDataset': byOwner(async ({ id }) => ({ ...(await datasetOf(id)), newName: 'houses' })),
  'library.removeDataset': byOwner(({ id }) => datasetOf(id)),
  'library.removeFile': byOwner(async ({ id: ownerId }) => ({
    id: (await makeFile(ownerId)).id,
  })),
  'library.serveVersion': byOwner(async ({ id }) => ({ ...(await siteOf(id)), version: 1 })),
  'library.takeDown': byOwner(({ id }) => siteOf(id)),
  'library.endPreview': byOwner(async ({ id }) => ({ ...(await siteOf(id)), version: 1 })),
  'keys.create': byOwner(() => ({ name: 'k', recurringBudget: { credits: 10, every: 'day' } })),
  'keys.createManagement': byOwner(() => ({ name: 'ops', scopes: ['keys'] })),
  'public.manage.customers.change': byKey(async (_, ownerId) => ({ ...(await customerOf(ownerId)), suspended: true })),
  'public.manage.customers.deleteName': byKey((_, ownerId) => customerOf(ownerId)),
  'public.manage.members.change': byKey(async (_, ownerId) => ({ id: await joinSomebody(ownerId), role: 'viewer' })),
  'public.manage.members.remove': byKey(async (_, ownerId) => ({ id: await joinSomebody(ownerId) })),
  'public.manage.members.invite': byKey(() => ({ role: 'viewer' })),
  'public.manage.members.withdraw': byKey(async (_, accountId) => ({
    id: (await invite({ accountId, by: 'admin', madeBy: 'ops' }, { role: 'viewer', email: null })).id,
  })),
  'public.manage.keys.create': byKey(() => ({ name: 'k', tools: 'all' })),
  'public.manage.keys.declare': byKey(() => ({ name: 'k', tools: 'all', id: 'mine' })),
  'public.manage.keys.change': byKey(({ id }) => ({ id, rpm: 7 })),
  'public.manage.keys.revoke': byKey(({ id }) => ({ id })),
  'public.manage.keys.rotate': byKey(({ id }) => ({ id, overlapMinutes: 5 })),
  'budgets.create': byOwner(() => SHOP),
  'budgets.change': byOwner(async ({ id }) => ({ ...(await budgetOf(id)), changes: { credits: 7 } })),
  'budgets.remove': byOwner(({ id }) => budgetOf(id)),
  'public.manage.budgets.create': byKey(() => SHOP),
  'public.manage.budgets.declare': byKey(() => ({ ...SHOP, id: 'mine' })),
  'public.manage.budgets.change': byKey(async (_, ownerId) => ({ ...(await budgetOf(ownerId)), credits: 7 })),
  'public.manage.budgets.remove': byKey((_, ownerId) => budgetOf(ownerId)),
  'keys.change': ofKey({ changes: { rpm: 7 } }),
  'keys.revoke': ofKey(),
  'keys.rotate': ofKey({ overlapMinutes: 5 }),
  'security.confirmApp': byOwner(beginApp),
  'security.removeApp': byOwner(async (somebody) => {
    await somebody.api.security.confirmApp(await beginApp(somebody))
  }),
  'security.addPasskey': byOwner(beginPasskey),
  'security.removePasskey': byOwner(addPasskey),
  'security.makeRecoveryCodes': byOwner(async (somebody) => void (await addPasskey(somebody))),
  'members.changeRole': byOwner(async ({ id }) => ({ personId: await joinSomebody(id), role: 'viewer' })),
  'members.remove': byOwner(async ({ id }) => ({ personId: await joinSomebody(id) })),
  'members.leave': byOwner(async ({ id }) => void (await joinSomebody(id, 'owner'))),
  'members.invite': byOwner(() => ({ role: 'viewer' })),
  'members.withdraw': byOwner(async ({ api }) => ({ id: (await api.members.invite({ role: 'viewer' })).id })),
  'members.rename': byOwner(() => ({ name: 'Acme' })),
  'members.setRequiresFactor': byOwner(() => ({ isOn: true })),
  'members.deleteAccount': byOwner(({ id }) => ({ accountId: id })),
  'issuer.saveDomain': byOwner(joinDomain),
  'issuer.removeDomain': byOwner(async (somebody) => {
    const { domain } = await joinDomain(somebody)
    await prisma().joinDomain.create({ data: { domain, accountId: somebody.id, role: 'viewer' } })
    return { domain }
  }),
  'issuer.saveGroup': byOwner(() => {
    setIssuer()
    return { group: 'staff', role: 'viewer' }
  }),
  'issuer.removeGroup': byOwner(async ({ id }) => {
    await prisma().groupRole.create({ data: { accountId: id, group: 'staff', role: 'viewer' } })
    return { group: 'staff' }
  }),
  'issuer.saveLink': linkedInBrowser,
  'issuer.removeLink': byOwner(async (somebody) => void (await joinDomain(somebody))),
  'settings.save': byOwner(() => ({ outsideApproval: 'always' })),
  'settings.saveNotes': byOwner(() => ({ notes: 'Metric units.', before: '' })),
  'settings.setConfirmAbove': byOwner(() => ({ confirmAbove: 5 })),
  'settings.setRequestLog': byOwner(() => ({ isOn: true })),
  'notices.saveSettings': byOwner(() => ({ alertAt: [90], callbackUrl: null, kinds: [] })),
  'notices.saveMail': byOwner(() => ({ limit: 'off' })),
  'settings.connectDatabase': byOwner(databaseUrl),
  'settings.disconnectDatabase': byOwner(async ({ api }) => {
    await api.settings.connectDatabase(await databaseUrl())
  }),
  'settings.rotateWebhookSecret': byOwner(async ({ api }) => {
    await api.settings.webhookSecret()
    return { overlapHours: 1 }
  }),
  'operators.owners.grant': byOperator(({ owner }) => ({ ownerId: owner.id, credits: 5, note: 'a gift' })),
  'operators.owners.suspend': byOperator(({ owner }) => ({ ownerId: owner.id, reason: 'unpaid' })),
  'operators.owners.resume': byOperator(),
  'operators.owners.changeLimits': byOperator(({ owner }) => ({ ownerId: owner.id, creditsPerDay: 5 })),
  'operators.owners.setOperator': byOperator(({ owner }) => ({ ownerId: owner.id, isAdmin: true })),
  'operators.owners.resetLink': byOperator(),
  'operators.owners.endSessions': byOperator(),
  'operators.owners.changeKey': byOperator(({ key }) => ({ id: key.id, changes: { rpm: 7 } })),
  'operators.owners.revokeKey': byOperator(({ key }) => ({ id: key.id })),
  'operators.requests.refund': byOperator(charged),
  'operators.runs.cancel': byOperator(async (concerned) => ({ ...(await running(concerned)), reason: 'it loops' })),
  'operators.runs.retry': byOperator(running),
  'operators.retrySettlement': byOperator(deadSettlement),
  'operators.settings.read': async () => ({ api: (await makeOperator()).api, input: undefined, ownerId: 0 }),
}
