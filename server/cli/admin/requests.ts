import { readHolds, retrySettlement } from '../../operators/holds'
import { refundRequest } from '../../operators/money'
import { COMMAND_LINE } from '../../operators/operator'
import { readRequest } from '../../operators/read-request'
import { RefundRequest } from '../../operators/shape'
import { type AdminCommand, integerOption, optionalText, readOptions, textOption } from './options'

const string = { type: 'string' } as const

const show: AdminCommand = {
  name: 'request show',
  usage: '--id ID   (the x-request-id of a call)',
  options: { id: string },
  run: async (options) => {
    const found = await readRequest(textOption(options, 'id'))
    const { owner, receipt } = found
    const { held, charged } = receipt.credits
    const lines = [
      `${receipt.requestId} of ${owner.email} (owner ${owner.id}), key ${receipt.keyId ?? 'none'} ${receipt.keyName ?? ''}`.trimEnd(),
      `${receipt.what} by ${receipt.channel}: ${receipt.status}, from ${receipt.startedAt} to ${receipt.at}`,
      `${held} held, ${charged} charged${receipt.detail.refunded ? `, ${receipt.detail.refunded} refunded` : ''}`,
      ...(receipt.detail.error ? [receipt.detail.error] : []),
    ]
    return { data: found, text: lines.join('\n') }
  },
}

const refund: AdminCommand = {
  name: 'request refund',
  usage: '--id ID [--credits N] [--note TEXT]   (once per request; default: all that was charged)',
  options: { id: string, credits: string, note: string },
  run: async (options) => {
    const asked = readOptions(RefundRequest, {
      requestId: textOption(options, 'id'),
      credits: integerOption(options, 'credits'),
      note: optionalText(options, 'note'),
    })
    const { ownerId, credits, isNew } = await refundRequest(COMMAND_LINE, asked)
    const data = { requestId: asked.requestId, ownerId, credits, isNew }
    return {
      data,
      text: isNew
        ? `${credits} credits of ${asked.requestId} were given back to owner ${ownerId}`
        : `${credits} credits of ${asked.requestId} had been given back before; nothing was changed`,
    }
  },
}

const KEPT_JOURNAL = {
  other_database: 'is of another database, or of this one before it was restored',
  damaged: 'has lines that cannot be read',
}

const holds: AdminCommand = {
  name: 'holds',
  usage: '  (credits reserved now, and charges that are not written yet)',
  options: {},
  run: async () => {
    const data = await readHolds()
    const lines = [
      ...data.byProduct.map(
        ({ product, holds: calls, credits, old, oldest }) =>
          `${product}: ${calls} calls hold ${credits} credits, the oldest since ${oldest}, ${old} older than any call takes`,
      ),
      ...data.oldest.map(
        ({ id, ownerEmail, credits, what, createdAt, isAlive }) =>
          `hold\t${id}\t${ownerEmail}\t${credits}\t${what}\t${createdAt}\t${isAlive ? 'alive' : 'its process has ended'}`,
      ),
      ...data.putAside.rows.map(
        ({ id, ownerEmail, error, attempts }) => `put aside\t${id}\t${ownerEmail}\t${attempts} attempts\t${error}`,
      ),
      ...data.keptJournals.map(
        ({ file, why, settlements, credits }) =>
          `kept journal\t${file}\t${settlements} charges\t${credits} credits\t${KEPT_JOURNAL[why]}`,
      ),
      `${data.inJournals} charges wait in journals, ${data.putAside.all} were put aside`,
    ]
    return { data, text: lines.join('\n') }
  },
}

const settlementRetry: AdminCommand = {
  name: 'settlement retry',
  usage: '--id ID   (a charge that was put aside, see holds)',
  options: { id: string },
  run: async (options) => {
    const id = textOption(options, 'id')
    const charged = await retrySettlement(COMMAND_LINE, id)
    return { data: { id, charged }, text: `${id} is settled: ${charged} credits were charged` }
  },
}

export const requestCommands: readonly AdminCommand[] = [show, refund, holds, settlementRetry]
