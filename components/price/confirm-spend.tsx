import { useEffect, useRef } from 'react'
import { formatUsd } from '../ui/amount'
import { Button } from '../ui/button'
import { priceText, spendLabel, typicalText } from './price-text'
import type { PriceInfo } from './shape'

type Props = {
  /** What is asked about; null: nothing is. */
  price: PriceInfo | null
  /** What would happen: `Run “Generate a video”`. */
  what: string
  /** The verb of the button: `Run`. */
  verb: string
  onAnswer: (isYes: boolean) => void
}

/** Asks once, in place, before something dear: Enter is yes, Escape is no. */
export function ConfirmSpend({ price, ...rest }: Props) {
  return price && <Question price={price} {...rest} />
}

function Question({ price, what, verb, onAnswer }: Props & { price: PriceInfo }) {
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => yes.current?.focus(), [])
  const [most, typical] = [priceText(price), typicalText(price)]
  const money = price.most === null ? '' : ` ≈ ${formatUsd(price.most, price.creditsPerUsd)}`
  return (
    <div
      role="alertdialog"
      aria-label="Confirm the price"
      aria-describedby="confirm-spend"
      onKeyDown={(event) => {
        // The form around it has its own use for these.
        event.stopPropagation()
        if (event.key === 'Escape') onAnswer(false)
      }}
      className="grid gap-2 rounded border border-line-strong bg-warn-weak p-3"
    >
      <p id="confirm-spend" className="text-table">
        {what}? {most === null ? 'Only the provider knows its price' : `It may cost ${most}${money}`}
        {typical && `, ${typical}`}.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button ref={yes} kind="primary" size="small" onClick={() => onAnswer(true)}>
          {spendLabel(verb, price, `${verb} anyway`)}
        </Button>
        <Button size="small" onClick={() => onAnswer(false)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
