import { prisma } from '../../db'
import { env } from '../../env'
import { decryptText, encryptText } from '../../kit/encryption'
import { isRecord, recordsIn, type UnknownRecord } from '../../kit/record'

/** What a row has: a request's items and its response, or a conversation's metadata. */
export type ResponseContent = { input: UnknownRecord[]; response: UnknownRecord | null; metadata: UnknownRecord }

const boundTo = (ownerId: number, id: string): string => `response ${id} of owner ${ownerId}`

/** Whether responses can be kept: they are encrypted. */
export const canKeepResponses = (): boolean => env().ENCRYPTION_KEY !== undefined

/** A row's content as it is stored. Throws without ENCRYPTION_KEY. */
export function sealContent(
  ownerId: number,
  id: string,
  content: Partial<ResponseContent>,
): { body: Uint8Array<ArrayBuffer>; bytes: number } {
  const { ENCRYPTION_KEY } = env()
  if (!ENCRYPTION_KEY) throw new Error('responses are kept without ENCRYPTION_KEY')
  const body = new Uint8Array(encryptText(JSON.stringify(content), ENCRYPTION_KEY, boundTo(ownerId, id)))
  return { body, bytes: body.byteLength }
}

function openText(ownerId: number, id: string, body: Uint8Array): string | null {
  const { ENCRYPTION_KEY, PREVIOUS_ENCRYPTION_KEY } = env()
  for (const key of [ENCRYPTION_KEY, PREVIOUS_ENCRYPTION_KEY]) {
    const text = key === undefined ? null : decryptText(body, key, boundTo(ownerId, id))
    if (text !== null) return text
  }
  return null
}

/** What a row has; null where no key decrypts it. */
export function openContent(ownerId: number, id: string, body: Uint8Array): ResponseContent | null {
  const text = openText(ownerId, id, body)
  const read: unknown = text === null ? null : JSON.parse(text)
  if (!isRecord(read)) return null
  return {
    input: recordsIn(read.input),
    response: isRecord(read.response) ? read.response : null,
    metadata: isRecord(read.metadata) ? read.metadata : {},
  }
}

const PAGE = 50

/**
 * Encrypts what is kept of every response with ENCRYPTION_KEY. Returns how many were; those
 * that no key decrypts stay until they expire.
 */
export async function reencryptResponses(): Promise<number> {
  let encrypted = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await prisma().modelResponse.findMany({
      where: { id: { gt: after } },
      select: { id: true, ownerId: true, body: true },
      orderBy: { id: 'asc' },
      take: PAGE,
    })
    for (const { id, ownerId, body } of rows) {
      const text = openText(ownerId, id, body)
      if (text === null) continue
      const key = env().ENCRYPTION_KEY ?? ''
      const again = new Uint8Array(encryptText(text, key, boundTo(ownerId, id)))
      encrypted += (await prisma().modelResponse.updateMany({ where: { id, ownerId, body }, data: { body: again } }))
        .count
    }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return encrypted
    after = last.id
  }
}
