'use client'

import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useState } from 'react'
import { CheckFields, readChecks } from '../jobs/check-fields'
import { judgesOf } from '../jobs/check-text'
import { readGoalFiles } from '../jobs/goal-files'
import { PermissionFields, readPermissions } from '../jobs/permission-fields'
import { ResultFields, readOutputSchema } from '../jobs/result-fields'
import { NoRunKey } from '../jobs/run-choices'
import type { RunKey } from '../jobs/shape'
import { PriceNow } from '../price/price-now'
import { useRunPrice } from '../price/use-run-price'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button, ButtonLink } from '../ui/button'
import { Field, Input } from '../ui/field'
import { FormWithAside, Meaning } from '../ui/form-with-aside'
import { RestoredDraft } from '../ui/restored-draft'
import { useFieldsDraft } from '../ui/use-fields-draft'
import { ConductFields } from './conduct-fields'
import { cronOf, NINE_DAILY, presetOf } from './preset'
import { RunFields } from './run-fields'
import { scheduleMeaning } from './schedule-meaning'
import type { Schedule } from './shape'
import { WhenFields } from './when-fields'

type Props = {
  /** The key to begin with; null: no key may start runs. */
  runKey: RunKey | null
  models: { id: string; name: string }[]
  capabilities: { id: string; label: string }[]
  timeZones: string[]
  /** The schedule to change; omitted: a new one. */
  of?: Schedule
}

/** Makes or changes a schedule of agent runs. */
export function ScheduleForm({ runKey, models, capabilities, timeZones, of }: Props) {
  const router = useRouter()
  const [preset, setPreset] = useState(of ? presetOf(of.cron) : NINE_DAILY)
  const [timeZone, setTimeZone] = useState(of?.timeZone ?? 'UTC')
  useEffect(() => {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone
    if (!of && timeZones.includes(here)) setTimeZone(here)
  }, [of, timeZones])
  const [hasNoGroup, setHasNoGroup] = useState(false)
  const [fileError, setFileError] = useState<string | null>(null)
  const [schemaError, setSchemaError] = useState<string | null>(null)
  const [checkError, setCheckError] = useState<string | null>(null)
  const { price, isOld, onChange } = useRunPrice({
    keyId: runKey?.id,
    model: of?.model ?? undefined,
    judges: judgesOf(of?.checks),
  })
  const [runLimit, setRunLimit] = useState(of?.maxCredits ?? null)
  const { schedules } = useTRPC()
  const cron = cronOf(preset)
  const next = useQuery({
    ...schedules.preview.queryOptions({ cron, timeZone }),
    enabled: cron !== '' && runKey !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const draft = useFieldsDraft(of ? null : 'schedule')
  const onSuccess = ({ scheduleId }: { scheduleId: string }) => {
    draft.clear()
    router.push(`/jobs/schedules/${scheduleId}`)
    router.refresh()
  }
  const create = useMutation(schedules.create.mutationOptions({ onSuccess }))
  const change = useMutation(schedules.change.mutationOptions({ onSuccess }))
  if (!runKey) return <NoRunKey>Runs need a key that may call agents, which also limits what each may spend.</NoRunKey>
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const text = (name: string) => String(given.get(name) ?? '')
    const mode = text('mode') === 'interactive' ? ('interactive' as const) : ('autonomous' as const)
    const groups = given.has('confined') ? given.getAll('capability').map(String) : null
    setHasNoGroup(groups?.length === 0)
    if (groups?.length === 0) return
    const { attachments, error } = await readGoalFiles(given)
    setFileError(error ?? null)
    if (error) return
    const schema = readOutputSchema(given)
    setSchemaError(schema.error ?? null)
    if (schema.error) return
    const { value: checks, error: wrongCheck } = readChecks(given, schema.value !== undefined)
    setCheckError(wrongCheck ?? null)
    if (wrongCheck) return
    const permissions = readPermissions(given)
    const callbackUrl = text('callbackUrl').trim() || null
    const outputSchema = schema.value ?? null
    const common = {
      ...{ cron, timeZone, goal: text('goal'), mode, keyId: Number(text('key')) },
      whenWaiting: text('whenWaiting') as Schedule['whenWaiting'],
      ...(text('answerNoAfterHours') && { answerNoAfterHours: Number(text('answerNoAfterHours')) }),
    }
    const name = text('name').trim()
    if (of) {
      const { scheduleId } = of
      const maxCredits = text('maxCredits') ? Number(text('maxCredits')) : null
      const rest = {
        ...{ model: text('model') || null, capabilities: groups, maxCredits, permissions, callbackUrl, outputSchema },
        checks,
        memory: given.has('memory') ? null : false,
        ...(attachments ? { attachments } : given.has('noAttachments') && { attachments: null }),
      }
      change.mutate({ scheduleId, ...common, ...rest, ...(name && { name }) })
      return
    }
    create.mutate({
      ...common,
      ...(name && { name }),
      ...(text('model') && { model: text('model') }),
      ...(groups && { capabilities: groups }),
      ...(text('maxCredits') && { maxCredits: Number(text('maxCredits')) }),
      ...(!given.has('memory') && { memory: false }),
      ...(attachments && { attachments }),
      ...(permissions && { permissions }),
      ...(callbackUrl && { callbackUrl }),
      ...(outputSchema && { outputSchema }),
      ...(checks && { checks }),
    })
  }
  return (
    <form
      {...draft.form}
      onSubmit={submit}
      onChange={({ currentTarget }) => {
        onChange(currentTarget)
        setRunLimit(Number(new FormData(currentTarget).get('maxCredits')) || null)
      }}
    >
      <FormWithAside
        aside={
          <>
            <h2 className="font-semibold">What this schedule will do</h2>
            <Meaning
              rows={scheduleMeaning({
                preset,
                timeZone,
                nextRuns: cron === '' || next.error ? null : (next.data?.nextRuns ?? null),
                price,
                runLimit,
              })}
            />
            <PriceNow of={price} isOld={isOld} />
            <p className="text-caption text-muted">Each run is charged to its key.</p>
            <ActionError
              error={create.error ?? change.error}
              kept={of ? 'Nothing was changed.' : 'No schedule was made.'}
              unsure="The list of schedules says whether it was saved."
            />
            <div className="flex flex-wrap gap-2">
              <Button type="submit" kind="primary" busy={create.isPending || change.isPending}>
                {of ? 'Save schedule' : 'Create schedule'}
              </Button>
              <ButtonLink href={of ? `/jobs/schedules/${of.scheduleId}` : '/jobs/schedules'}>Cancel</ButtonLink>
            </div>
          </>
        }
      >
        <div className="grid gap-6">
          {draft.isRestored && <RestoredDraft onDiscard={draft.discard} />}
          <WhenFields
            preset={preset}
            timeZone={timeZone}
            timeZones={timeZones}
            cronError={next.error?.data ? next.error.message.replace(/^cron: /, '') : undefined}
            onPreset={(fields) => setPreset((before) => ({ ...before, ...fields }))}
            onTimeZone={setTimeZone}
          />
          <RunFields
            runKey={runKey}
            models={models}
            capabilities={capabilities}
            of={of}
            hasNoGroup={hasNoGroup}
            fileError={fileError}
          />
          <ConductFields of={of} />
          <PermissionFields of={of?.permissions} />
          <ResultFields callbackUrl={of?.callbackUrl} outputSchema={of?.outputSchema} error={schemaError} />
          <CheckFields models={models} of={of?.checks} error={checkError} />
          <Field label="Name" hint={of ? undefined : 'Empty: the first line of the goal'}>
            {(control) => (
              <Input {...control} name="name" defaultValue={of?.name} maxLength={80} required={of !== undefined} />
            )}
          </Field>
        </div>
      </FormWithAside>
    </form>
  )
}
