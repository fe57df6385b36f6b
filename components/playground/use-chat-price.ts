import { usePrice } from '../price/use-price'
import { useTRPCClient } from '../trpc'
import { addChatPrices, type ChatPrices } from './chat-price'
import { type OfferedChatTool, type PlaygroundRequest, pricedPlaygroundRequest } from './request'
import type { ChatDraft, ChatSettings, ChatTurn } from './turn'

/** A request of the dashboard may have a mebibyte: longer ones are sent without a price. */
const MAX_PRICED_CHARS = 600_000

type Asked = {
  settings: ChatSettings
  turns: readonly ChatTurn[]
  draft: ChatDraft
  tools: readonly OfferedChatTool[]
  isValid: boolean
}

/** The price of the next message, of all models together. */
export function useChatPrice({ settings, turns, draft, tools, isValid }: Asked) {
  const client = useTRPCClient()
  const isEmpty = draft.text.trim() === '' && draft.images.length === 0
  const requests = settings.models.map((model) => pricedPlaygroundRequest(settings, model, { turns, draft, tools }))
  const isLong = JSON.stringify(requests).length > MAX_PRICED_CHARS
  const request = isEmpty || !isValid || isLong ? null : requests
  const { priceOf, ...state } = usePrice({
    of: 'chat',
    request,
    ask: async (all: PlaygroundRequest[]): Promise<ChatPrices | null> => {
      const ask = (one: PlaygroundRequest) => client.playground.estimate.mutate(one as never)
      return addChatPrices(
        all.map(({ model }) => model),
        await Promise.all(all.map(ask)),
      )
    },
  })
  return { ...state, isEmpty, priceNow: async () => (request === null ? null : priceOf(request)) }
}
