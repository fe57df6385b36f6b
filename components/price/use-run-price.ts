import { useState } from 'react'
import { useTRPCClient } from '../trpc'
import type { RunPriceInfo } from './shape'
import { usePrice } from './use-price'

type Run = { keyId: number | undefined; conversationId?: string; model?: string }

/** A form's fields `key` and `model`. */
function chosenIn(form: HTMLFormElement): { keyId: number; model?: string } {
  const given = new FormData(form)
  const model = String(given.get('model') ?? '')
  return { keyId: Number(given.get('key')), ...(model && { model }) }
}

/** The price of the run that a form describes; `onChange` is for each of its changes. */
export function useRunPrice({ keyId, conversationId, model }: Run) {
  const [chosen, setChosen] = useState({ keyId, model })
  const client = useTRPCClient()
  const { priceOf, ...state } = usePrice({
    of: 'run',
    request: chosen.keyId === undefined ? null : { ...chosen, keyId: chosen.keyId, conversationId },
    ask: (request): Promise<RunPriceInfo> => client.jobs.estimate.query(request),
  })
  return {
    ...state,
    priceOf: (form: HTMLFormElement) => priceOf({ model: undefined, ...chosenIn(form), conversationId }),
    onChange: (form: HTMLFormElement) => setChosen({ model: undefined, ...chosenIn(form) }),
  }
}
