'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CheckOption, Field, Input } from '../ui/field'
import { Notice } from '../ui/page'
import { parsePercentages } from './parse-percentages'
import type { NoticeChoices } from './shape'

/** At which percentages there is a notice, and what is sent to a webhook. */
export function NoticeSettingsForm({
  saved,
  kinds,
}: {
  saved: NoticeChoices['settings']
  kinds: NoticeChoices['kinds']
}) {
  const trpc = useTRPC()
  const [percentages, setPercentages] = useState(saved.alertAt.join(', '))
  const [url, setUrl] = useState(saved.callbackUrl ?? '')
  const [problem, setProblem] = useState<string>()
  const save = useMutation(trpc.notices.saveSettings.mutationOptions())
  const tried = useMutation(trpc.notices.testWebhook.mutationOptions())
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const alertAt = parsePercentages(percentages)
    setProblem(alertAt === null ? 'Write up to five numbers from 1 to 100, with commas between them.' : undefined)
    if (alertAt === null) return
    const form = new FormData(event.currentTarget)
    const sent = kinds.map(({ id }) => id).filter((id) => form.get(id) === 'on')
    save.mutate({ alertAt, callbackUrl: url.trim() === '' ? null : url.trim(), kinds: sent })
  }
  return (
    <form onSubmit={submit} onChange={() => save.isSuccess && save.reset()} className="grid gap-4">
      <Field
        label="Notice at these percentages of a limit"
        hint="Of the balance since credits were last added, and of the budgets of the account and its keys. A budget may have its own. Empty: never."
        error={problem}
        className="max-w-96"
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={percentages}
            onChange={(event) => setPercentages(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Webhook URL"
        hint="Gets a signed POST for each notice, as callback URLs of runs do, with the same signing secret. Empty: none."
        className="max-w-prose"
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            placeholder="https://example.com/notices"
            value={url}
            onChange={(event) => {
              setUrl(event.target.value)
              tried.reset()
            }}
          />
        )}
      </Field>
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-table font-medium">Sent there</legend>
        {kinds.map(({ id, label }) => (
          <CheckOption key={id} type="checkbox" name={id} defaultChecked={saved.kinds.includes(id)} label={label} />
        ))}
      </fieldset>
      <ActionError
        error={save.error ?? tried.error}
        kept="Nothing was changed."
        unsure="Reload the page to see the current settings."
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" busy={save.isPending}>
          Save settings
        </Button>
        {url.trim() !== '' && (
          <Button busy={tried.isPending} onClick={() => tried.mutate({ url: url.trim() })}>
            Send test event
          </Button>
        )}
        {save.isSuccess && <Notice tone="good">Saved.</Notice>}
        {tried.data && (
          <Notice tone={tried.data.isDelivered ? 'good' : 'bad'}>
            {tried.data.isDelivered ? 'The receiver took it.' : tried.data.error}
          </Notice>
        )}
      </div>
    </form>
  )
}
