'use client'

import { Play, Square } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ConfirmSpend } from '../price/confirm-spend'
import { PriceNow } from '../price/price-now'
import { spendLabel } from '../price/price-text'
import type { ToolPriceInfo } from '../price/shape'
import { usePrice } from '../price/use-price'
import { useSpendGuard } from '../price/use-spend-guard'
import { RoleNote, useMay } from '../shell/role'
import { useTRPCClient } from '../trpc'
import { Button } from '../ui/button'
import { Notice, Section } from '../ui/page'
import { FormFieldInput } from './field-input'
import { fillRequired } from './fill-required'
import type { FormField } from './form-fields'
import { type FormValues, formToParams, paramsToForm } from './form-values'
import { RunView } from './run-view'
import type { ToolDetails, ToolParams } from './shape'
import { describeMeteredPrice } from './tool-price'
import { ToolSnippets } from './tool-snippets'
import { describeRunState, useToolRun } from './use-tool-run'

type Props = {
  tool: Pick<ToolDetails, 'id' | 'label' | 'credits' | 'mcp'>
  fields: FormField[]
  /** The initial values of the form. */
  example: ToolParams
  /** The price of a call with those. */
  firstPrice: ToolPriceInfo | null
  baseUrl: string
  rate: number
}

/** A form for a tool's parameters, the result of running it, and the same call as code. */
export function ToolRunner({ tool, fields, example, firstPrice, baseUrl, rate }: Props) {
  const [values, setValues] = useState<FormValues>(() => paramsToForm(fields, example))
  const [errors, setErrors] = useState<Record<string, string>>({})
  /** The form itself found errors: nothing was sent. */
  const [isUnsent, setUnsent] = useState(false)
  const [focusRequests, setFocusRequests] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { run, start, stop } = useToolRun(
    tool.id,
    fields.map(({ name }) => name),
  )
  const mayRun = useMay('tools.run')
  const isBusy = run.state === 'running'
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isBusy) result.current?.scrollIntoView({ block: 'nearest' })
  }, [isBusy])
  const folded = fields.filter(({ first, name }) => !first && example[name] === undefined)
  const visible = fields.filter((field) => !folded.includes(field))
  const { params, errors: unread } = formToParams(fields, values)
  const how = describeMeteredPrice(tool)
  const client = useTRPCClient()
  const { price, isOld, priceOf, refresh } = usePrice({
    of: tool.id,
    request: !mayRun || Object.keys(unread).length > 0 ? null : params,
    ask: (request) => client.tools.estimate.mutate({ tool: tool.id, params: request }),
    first: firstPrice,
  })
  const { question, guard, answer, dismiss } = useSpendGuard()

  /** Shows errors at their fields, folded or not, and focuses the first. */
  const showErrors = (found: Record<string, string>) => {
    setErrors(found)
    if (Object.keys(found).length > 0) setFocusRequests((count) => count + 1)
  }
  useEffect(() => {
    if (focusRequests === 0) return
    form.current?.querySelector<HTMLElement>('[aria-invalid=true], [data-invalid] input')?.focus()
  }, [focusRequests])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!mayRun || isBusy || question) return
    const parsed = formToParams(fields, values)
    const isInvalid = Object.keys(parsed.errors).length > 0
    showErrors(parsed.errors)
    setUnsent(isInvalid)
    if (isInvalid) return
    guard(await priceOf(parsed.params), async () => {
      const failure = await start(parsed.params)
      refresh()
      if (failure) showErrors(failure.fieldErrors)
    })
  }
  const inputOf = (field: FormField) => (
    <FormFieldInput
      key={field.name}
      field={field}
      value={values[field.name] ?? ''}
      error={errors[field.name]}
      onChange={(value) => {
        setValues((now) => ({ ...now, [field.name]: value }))
        setErrors(({ [field.name]: _fixed, ...rest }) => rest)
        dismiss()
      }}
    />
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:items-start">
      <Section title="Parameters">
        <form
          ref={form}
          aria-label={`Parameters of ${tool.id}`}
          noValidate
          onSubmit={submit}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && isBusy) stop()
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.currentTarget.requestSubmit()
          }}
          className="grid grid-cols-[minmax(0,1fr)] gap-4"
        >
          <Fields of={visible} inputOf={inputOf} />
          {folded.length > 0 && <More fields={folded} values={values} errors={errors} inputOf={inputOf} />}
          {isUnsent && Object.keys(errors).length > 0 && <Notice tone="bad">Fix the highlighted fields</Notice>}
          {mayRun && (
            <PriceNow
              of={price}
              isOld={isOld}
              unknown="The price appears once the parameters are valid."
              className="border-t pt-4"
            />
          )}
          <ConfirmSpend price={question} what={`Run “${tool.label}”`} verb="Run" onAnswer={answer} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <RoleNote to="tools.run" what="Running a tool" />
            {mayRun && (
              <Button kind="primary" type="submit" busy={isBusy} disabled={question !== null}>
                <Play className="size-4" aria-hidden />
                {spendLabel('Run', price, 'Run tool')}
              </Button>
            )}
            {isBusy && (
              <Button onClick={stop}>
                <Square className="size-3 fill-current" aria-hidden />
                Stop
              </Button>
            )}
            {how && <p className="basis-full text-caption text-muted">{how}</p>}
          </div>
        </form>
      </Section>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:sticky lg:top-[calc(var(--bar)+24px)]">
        {mayRun && (
          <div ref={result} className="scroll-mt-[calc(var(--bar)+16px)] scroll-mb-24">
            <Section title="Result">
              <p role="status" className="sr-only">
                {describeRunState(run)}
              </p>
              <RunView of={run} baseUrl={baseUrl} rate={rate} />
            </Section>
          </div>
        )}
        <Section title="Call it from your code">
          <ToolSnippets call={{ baseUrl, tool: tool.id, params: fillRequired(params, fields) }} mcp={tool.mcp} />
        </Section>
      </div>
    </div>
  )
}

type InputOf = (field: FormField) => ReactNode

/** Narrow controls are placed side by side. */
const isNarrow = ({ kind }: FormField) => kind === 'number' || kind === 'flag' || kind === 'choice'

const Fields = ({ of, inputOf }: { of: readonly FormField[]; inputOf: InputOf }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
    {of.map((field) => (
      <div key={field.name} className={isNarrow(field) ? 'min-w-0' : 'min-w-0 sm:col-span-2'}>
        {inputOf(field)}
      </div>
    ))}
  </div>
)

type MoreProps = {
  fields: readonly FormField[]
  values: FormValues
  errors: Record<string, string>
  inputOf: InputOf
}

/** The optional parameters; opens by itself when one of them has an error. */
function More({ fields, values, errors, inputOf }: MoreProps) {
  const [isOpen, setOpen] = useState(false)
  const isInvalid = fields.some(({ name }) => errors[name] !== undefined)
  const set = fields.filter(({ name }) => (values[name] ?? '') !== '').length
  return (
    <details open={isOpen || isInvalid} onToggle={(e) => setOpen(e.currentTarget.open)} className="min-w-0">
      <summary className="py-1 text-table font-medium">
        More parameters ({fields.length}
        {set > 0 && `, ${set} set`})
      </summary>
      <div className="mt-3">
        <Fields of={fields} inputOf={inputOf} />
      </div>
    </details>
  )
}
