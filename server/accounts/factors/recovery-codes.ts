import { createHash, randomBytes } from 'node:crypto'
import { prisma, type Transaction } from '../../db'

const CODES = 10
/** 80 random bits, so that a fast hash is enough. */
const BYTES = 10
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

const hashOf = (code: string) => new Uint8Array(createHash('sha256').update(code).digest())

/** Sixteen digits of 5 bits, in fours. */
function makeCode(): string {
  const bits = [...randomBytes(BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = (bits.match(/.{5}/g) ?? []).map((five) => DIGITS[Number.parseInt(five, 2)])
  return (digits.join('').match(/.{4}/g) ?? []).join('-')
}

const normalize = (code: string): string =>
  code
    .toLowerCase()
    .replace(/[^0-9a-z]/g, '')
    .replace(/.{4}(?=.)/g, '$&-')

/**
 * Gives an owner ten new recovery codes in place of those before. Only their hashes are stored:
 * what is returned is the only copy.
 */
export async function makeRecoveryCodes(tx: Transaction, ownerId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, makeCode)
  await tx.recoveryCode.deleteMany({ where: { ownerId } })
  await tx.recoveryCode.createMany({ data: codes.map((code) => ({ hash: hashOf(code), ownerId })) })
  return codes
}

/** Uses up a recovery code. False for one that is not the owner's, or not any more. */
export async function takeRecoveryCode(ownerId: number, code: string): Promise<boolean> {
  const { count } = await prisma().recoveryCode.deleteMany({ where: { ownerId, hash: hashOf(normalize(code)) } })
  return count === 1
}
