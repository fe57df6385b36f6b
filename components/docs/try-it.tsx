'use client'

import { Play, Square } from 'lucide-react'
import Link from 'next/link'
import { type FormEvent, useRef, useState } from 'react'
import type { ReferenceParameter } from '@/server/api/shape'
import { JsonView } from '../catalog/json-view'
import { priceText, typicalText } from '../price/price-text'
import type { PriceInfo } from '../price/shape'
import { formatCredits, formatUsd } from '../ui/amount'
import { Badge } from '../ui/badge'
import { Button } from '../ui/button'
import { CreditsLink } from '../ui/credits-link'
import { Field, Input, Textarea } from '../ui/field'
import { Notice } from '../ui/page'
import { useStoredKey } from './stored-value'
import { buildTryRequest, sendTryRequest, type TryAnswer } from './try-request'
import { useTryPrice } from './use-try-price'

export type TryItProps = {
  method: string
  path: string
  parameters: ReferenceParameter[]
  /** The body to begin with; null: none is sent. */
  body: string | null
  needsKey: boolean
  /** What a call costs, in a sentence. */
  cost: string
}

type Outcome =
  | { kind: 'none' }
  | { kind: 'busy' }
  | { kind: 'failed'; why: string }
  | { kind: 'answered'; answer: TryAnswer }

/** A request that the reader fills in and sends with a key of theirs, and what comes back. */
export function TryIt({ method, path, parameters, body: first, needsKey, cost }: TryItProps) {
  const [key, setKey] = useStoredKey()
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState(first ?? '')
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' })
  const running = useRef<AbortController>(null)
  const isBusy = outcome.kind === 'busy'
  const price = useTryPrice(path, body, key !== '')

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (needsKey && !key) return setOutcome({ kind: 'failed', why: 'Enter a key.' })
    const request = buildTryRequest(
      { method, path, parameters, hasBody: first !== null },
      { parameters: values, body },
      key,
    )
    if (typeof request === 'string') return setOutcome({ kind: 'failed', why: request })
    setOutcome({ kind: 'busy' })
    running.current = new AbortController()
    try {
      setOutcome({ kind: 'answered', answer: await sendTryRequest(request, running.current.signal) })
    } catch (error) {
      const why =
        (error as Error).name === 'AbortError' ? 'Stopped. Its charge, if any, appears in Usage.' : 'No answer came.'
      setOutcome({ kind: 'failed', why })
    }
  }
  return (
    <form
      onSubmit={submit}
      aria-label="Try it"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded border bg-raised p-4"
    >
      <KeyField value={key} onChange={setKey} isOptional={!needsKey} />
      {parameters.map(({ name, required, type }) => (
        <Field key={name} id={`try-${name}`} label={<ParameterLabel name={name} required={required} />}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              placeholder={type.slice(0, 60)}
              value={values[name] ?? ''}
              onChange={(event) => setValues((now) => ({ ...now, [name]: event.target.value }))}
            />
          )}
        </Field>
      ))}
      {first !== null && (
        <div className="grid gap-1">
          <label htmlFor="try-body" className="text-table font-medium">
            Body
          </label>
          <Textarea
            id="try-body"
            spellCheck={false}
            rows={Math.min(16, Math.max(4, first.split('\n').length))}
            value={body}
            onChange={(event) => setBody(event.target.value)}
            className="num text-caption leading-5"
          />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button kind="primary" type="submit" busy={isBusy}>
          <Play className="size-4" aria-hidden />
          Send request
        </Button>
        {isBusy && (
          <Button onClick={() => running.current?.abort()}>
            <Square className="size-3 fill-current" aria-hidden />
            Stop
          </Button>
        )}
        <p className="min-w-0 flex-1 basis-48 text-caption text-muted" aria-live="polite">
          {price ? describeTryPrice(price) : cost}
        </p>
      </div>
      {outcome.kind === 'failed' && <Notice tone="bad">{outcome.why}</Notice>}
      {outcome.kind === 'answered' && <Answer of={outcome.answer} />}
    </form>
  )
}

/** `This request costs up to 40 credits ≈ $0.0144, usually 3.` */
function describeTryPrice(price: PriceInfo): string {
  const [text, typical] = [priceText(price), typicalText(price)]
  if (text === null || price.most === null)
    return `The provider sets its price${typical ? `, ${typical} credits` : ''}.`
  return `This request costs ${text} ≈ ${formatUsd(price.most, price.creditsPerUsd)}${typical ? `, ${typical}` : ''}.`
}

const ParameterLabel = ({ name, required }: { name: string; required: boolean }) => (
  <span className="flex items-baseline gap-2">
    <span className="num">{name}</span>
    {!required && <span className="text-caption font-normal text-muted">optional</span>}
  </span>
)

type KeyFieldProps = { value: string; onChange: (key: string) => void; isOptional: boolean }

const KeyField = ({ value, onChange, isOptional }: KeyFieldProps) => (
  <Field
    id="try-key"
    label={isOptional ? 'Key (optional)' : 'Key'}
    hint={
      <>
        Stays in this tab until you close it.{' '}
        <Link href="/keys/new" prefetch={false} className="text-accent underline underline-offset-2">
          Create a key
        </Link>
      </>
    }
  >
    {(control) => (
      <Input
        {...control}
        type="password"
        autoComplete="off"
        placeholder="tg_…"
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
      />
    )}
  </Field>
)

function describeTryCharge(charged: number | null, status: number): string {
  if (charged === null) return status < 400 ? '' : 'Not charged'
  return `${formatCredits(charged)} ${charged === 1 ? 'credit' : 'credits'} charged`
}

const toneOf = (status: number) => (status < 300 ? 'good' : status < 500 ? 'warn' : 'bad')

const Answer = ({ of: { status, ms, charged, requestId, text } }: { of: TryAnswer }) => (
  <div className="grid min-w-0 gap-2">
    <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-caption text-muted">
      <Badge tone={toneOf(status)}>{status}</Badge>
      <span className="num">{ms} ms</span>
      <span>{describeTryCharge(charged, status)}</span>
      {status === 402 && <CreditsLink />}
      {charged !== null && requestId && (
        <Link
          href={`/usage?receipt=${requestId}`}
          prefetch={false}
          className="text-accent underline underline-offset-2"
        >
          Receipt
        </Link>
      )}
    </p>
    {text && <JsonView text={text} />}
  </div>
)
