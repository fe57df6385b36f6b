import { createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { env } from '../env'
import { statement } from '../kit/statement'
import { readPaced } from './paced-read'
import type { LedgerDifference } from './verify-checks'
import { chainUpTo } from './verify-slices'

/** Accounts of one statement, and the ledger rows one of them may have to be among others. */
const ACCOUNTS = 100
const FEW_ROWS = 1_000

/** An account's ledger: its last row, how many there are, their sum, and the hash over them. */
const Head = z.object({
  owner: z.int(),
  last: z.int(),
  entries: z.int(),
  credits: z.int(),
  chain: z.string().regex(/^[0-9a-f]{64}$/),
})
const Content = z.object({ version: z.literal(1), at: z.iso.datetime(), accounts: z.array(Head) })

/**
 * What is kept elsewhere, to find out later whether the past was changed. Public key and signature
 * are of Ed25519, as base64url.
 */
export const LedgerCheckpoint = Content.extend({ publicKey: z.string(), signature: z.string() })
export type LedgerCheckpoint = z.infer<typeof LedgerCheckpoint>

const HEADS = statement({
  name: 'ledger_heads',
  sql: `SELECT a.owner_id AS owner, encode(a.chain, 'hex') AS chain, l.last, l.entries, l.credits
    FROM (SELECT owner_id, chain FROM account WHERE owner_id > $1 AND chain IS NOT NULL ORDER BY owner_id LIMIT ${ACCOUNTS}) a
    JOIN LATERAL (SELECT max(id)::text AS last, count(*)::int AS entries, sum(amount)::text AS credits
      FROM ledger WHERE owner_id = a.owner_id) l ON true ORDER BY 1`,
  params: ['int'],
  columns: { owner: 'int', chain: 'text', last: 'text', entries: 'int', credits: 'text' },
})
const CHAINS = statement({
  name: 'ledger_chains',
  sql: `SELECT x.owner, coalesce(encode(ledger_chain(x.owner, NULL, '-infinity', 'infinity', x.last), 'hex'), '') AS chain
    FROM unnest($1::int[], $2::bigint[]) AS x (owner, last)`,
  params: ['int[]', 'bigint[]'],
  columns: { owner: 'int', chain: 'text' },
})

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** This instance's signing key: made from AUTH_SECRET, so that it is kept nowhere else. */
function signingKey() {
  const seed = Buffer.from(hkdfSync('sha256', env().AUTH_SECRET, '', 'ledger checkpoints', 32))
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
}

const publicKeyOf = (key: ReturnType<typeof signingKey>) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64url')

const bytesOf = (content: z.infer<typeof Content>) => Buffer.from(JSON.stringify(Content.parse(content)))

/** The signed head of every account's ledger, as of now. */
export async function makeCheckpoint(): Promise<LedgerCheckpoint> {
  const accounts: z.infer<typeof Head>[] = []
  const at = new Date().toISOString()
  for (let last = 0; ; ) {
    const heads = await readPaced(HEADS, [last])
    for (const head of heads) accounts.push({ ...head, last: Number(head.last), credits: Number(head.credits) })
    if (heads.length < ACCOUNTS) break
    last = heads.at(-1)?.owner ?? last
  }
  const content = { version: 1 as const, at, accounts }
  const key = signingKey()
  const signature = sign(null, bytesOf(content), key).toString('base64url')
  return { ...content, publicKey: publicKeyOf(key), signature }
}

/**
 * Whether a checkpoint is as it was signed: null, or what is wrong. `trusted` is the public key it
 * must be signed with: this instance's, unless another is given.
 */
export function whatIsWrongWith(checkpoint: LedgerCheckpoint, trusted = publicKeyOf(signingKey())): string | null {
  if (checkpoint.publicKey !== trusted)
    return `It is signed with another key (${checkpoint.publicKey}). Where AUTH_SECRET was changed since, name that key with --public-key.`
  try {
    const key = createPublicKey({ key: Buffer.from(trusted, 'base64url'), format: 'der', type: 'spki' })
    if (verify(null, bytesOf(checkpoint), key, Buffer.from(checkpoint.signature, 'base64url'))) return null
  } catch {
    // Neither a key nor a signature, which is as wrong as one that does not fit.
  }
  return 'Its signature does not fit: it was changed after it was signed.'
}

async function chainsOf(heads: readonly z.infer<typeof Head>[]): Promise<Map<number, string>> {
  const few = heads.filter(({ entries }) => entries <= FEW_ROWS)
  const rows = await readPaced(CHAINS, [few.map(({ owner }) => owner), few.map(({ last }) => BigInt(last))])
  const chains = new Map(rows.map(({ owner, chain }) => [owner, chain]))
  for (const { owner, last, entries } of heads)
    if (entries > FEW_ROWS) chains.set(owner, (await chainUpTo(owner, String(last))) ?? '')
  return chains
}

/** The accounts whose ledger is not what it was at a checkpoint: rows up to then were changed. */
export async function findChangedPast({ accounts }: LedgerCheckpoint): Promise<LedgerDifference[]> {
  const found: LedgerDifference[] = []
  for (let i = 0; i < accounts.length; i += ACCOUNTS) {
    const heads = accounts.slice(i, i + ACCOUNTS)
    const chains = await chainsOf(heads)
    for (const { owner, chain } of heads) {
      const stored = chains.get(owner) ?? ''
      if (stored !== chain)
        found.push({ what: 'ledger before the checkpoint', id: String(owner), stored, computed: chain })
    }
  }
  return found
}
