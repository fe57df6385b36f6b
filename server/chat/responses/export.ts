import { prisma } from '../../db'
import { idFor } from '../../models/wires/responses/response'
import { openContent } from './seal'

/** A response may have large images. */
const PAGE = 10

/** What is kept of an owner's responses and conversations, a page when the one before was taken. */
export async function* exportedResponses(ownerId: number): AsyncGenerator<{ row: string }[]> {
  for (let [at, id] = [new Date(0), '00000000-0000-0000-0000-000000000000']; ; ) {
    const rows = await prisma().modelResponse.findMany({
      where: { ownerId, OR: [{ createdAt: { gt: at } }, { createdAt: at, id: { gt: id } }] },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: PAGE,
    })
    yield rows.flatMap(({ body, kind, createdAt, expiresAt, ...row }) => {
      const { input = [], response = null, metadata = {} } = openContent(ownerId, row.id, body) ?? {}
      const [conversation, previous] = [row.conversationId, row.previousId]
      const text = JSON.stringify({
        id: idFor(kind === 'conversation' ? 'conv' : 'resp', row.id),
        kind,
        conversation: conversation && idFor('conv', conversation),
        previous_response_id: previous && idFor('resp', previous),
        created_at: createdAt,
        expires_at: expiresAt,
        ...(kind === 'conversation' ? { metadata } : { input, response }),
      })
      return [{ row: text }]
    })
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    ;[at, id] = [last.createdAt, last.id]
  }
}
