'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { ConfirmSpend } from '../price/confirm-spend'
import { PriceNow } from '../price/price-now'
import { spendLabel } from '../price/price-text'
import { useRunPrice } from '../price/use-run-price'
import { useSpendGuard } from '../price/use-spend-guard'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { Field, Textarea } from '../ui/field'
import { useDraft } from '../ui/use-draft'
import { CheckFields, readChecks } from './check-fields'
import { judgesOf } from './check-text'
import { comparePath } from './compare-path'
import { GoalFiles, readGoalFiles } from './goal-files'
import { PermissionFields, readPermissions } from './permission-fields'
import { ResultFields, readOutputSchema } from './result-fields'
import { MaxCredits, NoRunKey, RunChoices, UsesNotes } from './run-choices'
import type { GivenCheck, RunKey } from './shape'

type Props = {
  /** The key to begin with; null: no key may start runs. */
  runKey: RunKey | null
  models: { id: string; name: string }[]
  /** The conversation to continue; omitted: a new one. */
  conversationId?: string
  /** The initial mode. */
  mode?: 'autonomous' | 'interactive'
  /** The initial goal. */
  goal?: string
  /** The initial model; null: the owner's default. */
  model?: string | null
  /** The initial checks. */
  checks?: readonly GivenCheck[]
  /** The step from which on the first of `compareWith` runs again, and whether it has a schema. */
  rerun?: { fromStep: number; hasSchema: boolean }
  /** The jobs that the new one is compared with: their page follows, not the new run's. */
  compareWith?: readonly string[]
  onStarted?: () => void
}

const newId = () => `dashboard-${crypto.randomUUID()}`

/** Starts a run under one of the owner's keys. Submitting a form twice starts one run. */
export function RunForm({ runKey, models, conversationId, mode = 'autonomous', goal, ...rest }: Props) {
  const { model, checks: firstChecks, rerun, compareWith, onStarted } = rest
  const router = useRouter()
  const [idempotencyKey, setIdempotencyKey] = useState(newId)
  const draft = useDraft(`goal ${conversationId ?? compareWith?.join() ?? 'new'}`)
  const { price, isOld, priceOf, onChange } = useRunPrice({
    keyId: runKey?.id,
    conversationId,
    judges: judgesOf(firstChecks),
  })
  const [fileError, setFileError] = useState<string | null>(null)
  const [schemaError, setSchemaError] = useState<string | null>(null)
  const [checkError, setCheckError] = useState<string | null>(null)
  const { question, guard, answer, dismiss } = useSpendGuard()
  const { jobs } = useTRPC()
  const onSuccess = ({ jobId }: { jobId: string }) => {
    setIdempotencyKey(newId())
    draft.clear()
    if (conversationId) onStarted?.()
    else router.push(compareWith ? comparePath([...compareWith, jobId]) : `/jobs/${jobId}`)
  }
  const start = useMutation(jobs.start.mutationOptions({ onSuccess }))
  const startAgain = useMutation(jobs.rerun.mutationOptions({ onSuccess }))
  if (!runKey)
    return <NoRunKey>A run needs a key that may call agents, which also limits what the run may spend.</NoRunKey>
  const verb = conversationId ? 'Continue' : 'Start run'
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (question) return
    const form = event.currentTarget
    const given = new FormData(form)
    const text = (name: string) => String(given.get(name) ?? '')
    const { attachments, error } = await readGoalFiles(given)
    setFileError(error ?? null)
    if (error) return
    const schema = readOutputSchema(given)
    setSchemaError(schema.error ?? null)
    if (schema.error) return
    const checks = readChecks(given, schema.value !== undefined || rerun?.hasSchema === true)
    setCheckError(checks.error ?? null)
    if (checks.error) return
    const permissions = readPermissions(given)
    const callbackUrl = text('callbackUrl').trim()
    const request = {
      ...(!given.has('memory') && { memory: false }),
      ...(permissions && { permissions }),
      ...(callbackUrl && { callbackUrl }),
      ...(schema.value && { outputSchema: schema.value }),
      ...(checks.value && { checks: checks.value }),
      ...(attachments && { attachments }),
      goal: text('goal'),
      idempotencyKey,
      keyId: Number(text('key')),
      mode: text('mode') === 'interactive' ? ('interactive' as const) : ('autonomous' as const),
      ...(text('model') && { model: text('model') }),
      ...(conversationId && { conversationId }),
      ...(text('maxCredits') && { maxCredits: Number(text('maxCredits')) }),
    }
    const [of] = compareWith ?? []
    if (rerun && of) {
      const { goal: words, mode: asked, keyId, model: named, maxCredits = null } = request
      const changed = { jobId: of, fromStep: rerun.fromStep, goal: words, mode: asked, keyId, model: named, maxCredits }
      return guard(await priceOf(form), () =>
        startAgain.mutate({ ...changed, idempotencyKey, checks: checks.value }, { onSuccess: () => form.reset() }),
      )
    }
    guard(await priceOf(form), () => start.mutate(request, { onSuccess: () => form.reset() }))
  }
  return (
    <form
      onSubmit={submit}
      onChange={(event) => {
        onChange(event.currentTarget)
        dismiss()
      }}
      className="grid gap-3"
    >
      <Field label={conversationId ? 'What next?' : 'Goal'} hint={conversationId ? undefined : 'What to accomplish'}>
        {(fieldProps) => (
          <Textarea
            {...fieldProps}
            {...draft.area}
            name="goal"
            rows={conversationId ? 3 : 5}
            required
            maxLength={100_000}
            defaultValue={goal}
          />
        )}
      </Field>
      <RunChoices runKey={runKey} models={models} mode={mode} model={model} />
      {!rerun && <GoalFiles />}
      {fileError && (
        <p role="alert" className="text-caption text-bad">
          {fileError}
        </p>
      )}
      <MaxCredits />
      {!rerun && (
        <>
          <UsesNotes />
          <PermissionFields />
          <ResultFields error={schemaError} />
        </>
      )}
      <CheckFields models={models} of={firstChecks} error={checkError} />
      <ActionError
        error={start.error ?? startAgain.error}
        kept="Nothing was started or charged."
        unsure="Submit again: the same run is never started twice."
      />
      <PriceNow of={price} isOld={isOld} />
      <ConfirmSpend
        price={question}
        what={conversationId ? 'Continue this run' : 'Start this run'}
        verb={verb}
        onAnswer={answer}
      />
      <div>
        <Button
          type="submit"
          kind="primary"
          busy={start.isPending || startAgain.isPending}
          disabled={question !== null}
        >
          {spendLabel(verb, price)}
        </Button>
      </div>
    </form>
  )
}
