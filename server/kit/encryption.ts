import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The form of what is sealed: a version byte, then the nonce, the tag and the bytes. */
const VERSION = 1
const NONCE = 12
const TAG = 16

const keyOf = (hex: string): Buffer => {
  const key = Buffer.from(hex, 'hex')
  if (key.byteLength !== 32) throw new Error('a sealing key has 32 bytes')
  return key
}

/**
 * Encrypts a text with AES-256-GCM. `bound` is not kept, but must be the same to open it: whose it
 * is, for instance.
 */
export function encryptText(text: string, keyHex: string, bound: string): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', keyOf(keyHex), nonce).setAAD(Buffer.from(bound))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body])
}

/**
 * The text of what was sealed. Null when it was changed, or sealed with another key or for another
 * purpose.
 */
export function decryptText(sealed: Uint8Array, keyHex: string, bound: string): string | null {
  const bytes = Buffer.from(sealed)
  if (bytes.byteLength < 1 + NONCE + TAG || bytes[0] !== VERSION) return null
  const nonce = bytes.subarray(1, 1 + NONCE)
  const tag = bytes.subarray(1 + NONCE, 1 + NONCE + TAG)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keyHex), nonce).setAAD(Buffer.from(bound)).setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
