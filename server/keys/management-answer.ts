import { createHash } from 'node:crypto'
import { executeStatement, prisma, runRead, type Transaction } from '../db'
import { AppError } from '../errors'
import { decryptText, encryptText } from '../kit/encryption'
import { deletionTask, type RetentionTask } from '../kit/retention-task'
import { statement } from '../kit/statement'

/** A POST with an Idempotency-Key. `secret`: of the key that sent it. */
export type OnceRequest = { keyId: number; token: string; secret: string; bodyHash: Buffer }

const HOURS = 24
const STEP = 500

/** Only who has the secret that the first answer went to reads it again. */
const sealOf = ({ secret, keyId, token }: OnceRequest) => ({
  key: createHash('sha256').update(`tollgate answer ${secret}`).digest('hex'),
  bound: `${keyId} ${token}`,
})

/** Stores an answer for a repeat, in the transaction of what it says. */
export async function storeManagementAnswer(tx: Transaction, request: OnceRequest, answer: object): Promise<void> {
  const { keyId, token, bodyHash } = request
  const { key, bound } = sealOf(request)
  const sealed = encryptText(JSON.stringify(answer), key, bound)
  await tx.managementAnswer.deleteMany({ where: { keyId, token, at: { lt: oldest() } } })
  await tx.managementAnswer.create({
    data: { keyId, token, bodyHash: new Uint8Array(bodyHash), answer: new Uint8Array(sealed) },
  })
}

const oldest = () => new Date(Date.now() - HOURS * 3_600_000)

/**
 * What was answered to the same request within 24 hours; null: nothing. Throws
 * `idempotency_mismatch` for another request, and `conflict` where the key has another secret
 * since.
 */
export async function findManagementAnswer(request: OnceRequest): Promise<object | null> {
  const { keyId, token, bodyHash } = request
  const row = await prisma().managementAnswer.findUnique({ where: { keyId_token: { keyId, token } } })
  if (!row || row.at < oldest()) return null
  if (!bodyHash.equals(row.bodyHash))
    throw new AppError('idempotency_mismatch', 'This Idempotency-Key was used with another request.')
  const { key, bound } = sealOf(request)
  const text = decryptText(row.answer, key, bound)
  if (text === null)
    throw new AppError(
      'conflict',
      'This was done before. Its answer can be read again only with the secret it went to.',
    )
  return JSON.parse(text)
}

const OLD = `SELECT key_id, token FROM management_answer WHERE at < now() - interval '${HOURS} hours'`

const COUNT = statement({
  name: 'old_management_answers_count',
  sql: `SELECT count(*)::int AS n FROM (${OLD}) o`,
  params: [],
  columns: { n: 'int' },
})
const DELETE = statement({
  name: 'old_management_answers_delete',
  sql: `DELETE FROM management_answer WHERE (key_id, token) IN (${OLD} LIMIT ${STEP} FOR UPDATE SKIP LOCKED)`,
  params: [],
})

/** Answers of management keys that were stored a day ago. */
export const oldManagementAnswers = (): RetentionTask =>
  deletionTask('answers of management keys', {
    count: () => runRead(COUNT, []),
    remove: () => executeStatement(DELETE, []),
    perStep: STEP,
  })
