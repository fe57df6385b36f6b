import { useState } from 'react'
import { judgesIn } from '../jobs/check-fields'
import { useTRPCClient } from '../trpc'
import type { RunPriceInfo } from './shape'
import { usePrice } from './use-price'

type Run = { keyId: number | undefined; conversationId?: string; model?: string; judges?: string[] }

/** A form's fields `key` and `model`, and the models of its checks. */
function chosenIn(form: HTMLFormElement): { keyId: number; model?: string; judges?: string[] } {
  const given = new FormData(form)
  const model = String(given.get('model') ?? '')
  const judges = judgesIn(given)
  return { keyId: Number(given.get('key')), ...(model && { model }), ...(judges.length > 0 && { judges }) }
}

/** The price of the run that a form describes; `onChange` is for each of its changes. */
export function useRunPrice({ keyId, conversationId, model, judges }: Run) {
  const [chosen, setChosen] = useState({ keyId, model, judges })
  const client = useTRPCClient()
  const { priceOf, ...state } = usePrice({
    of: 'run',
    request: chosen.keyId === undefined ? null : { ...chosen, keyId: chosen.keyId, conversationId },
    ask: (request): Promise<RunPriceInfo> => client.jobs.estimate.query(request),
  })
  return {
    ...state,
    priceOf: (form: HTMLFormElement) =>
      priceOf({ model: undefined, judges: undefined, ...chosenIn(form), conversationId }),
    onChange: (form: HTMLFormElement) => setChosen({ model: undefined, judges: undefined, ...chosenIn(form) }),
  }
}
