import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** CBOR of the little that an authenticator says: maps in a given order, texts, bytes, integers. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number) =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.byteLength), value])
  if (value instanceof Map)
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])])
  throw new Error('not needed')
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type Asked = { challenge: string; rpId?: string; rp?: { id?: string } }
type Given = { origin?: string; counter?: number; isVerified?: boolean }

/** An authenticator with one passkey, for the site at `origin`. */
export function makeAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const jwk = publicKey.export({ format: 'jwk' })
  const point = (part: 'x' | 'y') => Buffer.from(String(jwk[part]), 'base64url')
  const cose = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point('x')],
      [-3, point('y')],
    ]),
  )

  const clientData = (type: string, { challenge }: Asked, { origin: from = origin }: Given) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  const authData = (asked: Asked, { counter = 0, isVerified = true }: Given, credential = Buffer.alloc(0)) => {
    const flags = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (credential.byteLength > 0 ? HAS_CREDENTIAL : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(asked.rpId ?? asked.rp?.id ?? ''), Buffer.from([flags]), count, credential])
  }
  const answer = (response: Record<string, unknown>) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key' as const,
    response: response as { clientDataJSON: string },
    clientExtensionResults: {},
  })

  return {
    id: base64url(id),
    /** Makes the passkey. */
    create(options: unknown, given: Given = {}) {
      const asked = options as Asked
      const length = Buffer.from([0, id.byteLength])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, cose])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(asked, given, credential)],
      ])
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', asked, given)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      })
    },
    /** Signs what is asked. */
    sign(options: unknown, given: Given = {}) {
      const asked = options as Asked
      const data = authData(asked, given)
      const client = clientData('webauthn.get', asked, given)
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
      })
    },
  }
}
