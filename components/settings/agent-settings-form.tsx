'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CheckOption, Field, Select } from '../ui/field'
import { Notice, Section } from '../ui/page'
import type { AgentSettingsChoices, SavedAgentSettings } from './shape'

const APPROVALS: readonly { value: SavedAgentSettings['outsideApproval']; label: string }[] = [
  { value: 'ask', label: 'After a run has read untrusted text and private data' },
  { value: 'always', label: 'After a run has read untrusted text' },
  { value: 'never', label: 'Never' },
]

type Props = { settings: SavedAgentSettings } & AgentSettingsChoices

/** The default model of agent runs, when they ask for approval, and the tools they may use. */
export function AgentSettingsForm({ settings, groups, models }: Props) {
  const [off, setOff] = useState<ReadonlySet<string>>(new Set(settings.disabledTools))
  const save = useMutation(useTRPC().settings.save.mutationOptions())
  const set = (ids: readonly string[], isOn: boolean) => {
    save.reset()
    setOff((now) => {
      const next = new Set(now)
      for (const id of ids) isOn ? next.delete(id) : next.add(id)
      return next
    })
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const model = String(form.get('model') ?? '')
    const outsideApproval = APPROVALS.find(({ value }) => value === form.get('outsideApproval'))?.value
    const autoModel = form.get('autoModel') === 'on'
    save.mutate({ defaultModel: model === '' ? null : model, disabledTools: [...off], outsideApproval, autoModel })
  }
  return (
    <form onSubmit={submit} onChange={() => save.isSuccess && save.reset()} className="grid gap-8">
      <Section title="Model">
        <Field
          label="Default model"
          hint="For runs that do not name a model. A key restricted to other models cannot start such a run."
          className="max-w-96"
        >
          {(control) => (
            <Select {...control} name="model" defaultValue={settings.defaultModel ?? ''}>
              <option value="">{models[0] ? `First available: ${models[0].name}` : 'No model available'}</option>
              {models.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <CheckOption
          type="checkbox"
          name="autoModel"
          defaultChecked={settings.autoModel}
          label="Allow cheaper models"
          note="Runs started with the model “auto” take the cheapest one that fits a small goal, and every run has its long history summarized by the cheapest one that fits. Each step shows its model."
        />
      </Section>
      <Section title="Approval before sending data">
        <Field
          label="Ask for approval"
          hint="Pages, posts and other untrusted text can persuade an agent to give away what it knows: in a public site, a URL, an export link or an actor's input. You are asked once for each of them in a run. Unless you choose never, what looks like a password or key always waits for you."
          className="max-w-prose"
        >
          {(control) => (
            <Select {...control} name="outsideApproval" defaultValue={settings.outsideApproval}>
              {APPROVALS.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </Section>
      <Section title="Tools for agent runs">
        <div className="divide-y rounded border bg-raised">
          {groups.map(({ id, label, tools }) => {
            const ids = tools.map((tool) => tool.id)
            const count = ids.filter((tool) => !off.has(tool)).length
            return (
              <details key={id} className="group px-3 py-2">
                <summary className="flex cursor-pointer items-center justify-between gap-3">
                  <span className="font-medium">{label}</span>
                  <span className="num text-caption text-muted">
                    {count} of {ids.length}
                  </span>
                </summary>
                <div className="mt-2 grid gap-2 pb-1">
                  <div className="flex gap-2">
                    <Button size="small" onClick={() => set(ids, true)}>
                      All
                    </Button>
                    <Button size="small" onClick={() => set(ids, false)}>
                      None
                    </Button>
                  </div>
                  {tools.map((tool) => (
                    <CheckOption
                      key={tool.id}
                      type="checkbox"
                      checked={!off.has(tool.id)}
                      onChange={(e) => set([tool.id], e.target.checked)}
                      label={tool.label}
                      note={<span className="num">{tool.id}</span>}
                    />
                  ))}
                </div>
              </details>
            )
          })}
        </div>
      </Section>
      <ActionError
        error={save.error}
        kept="Nothing was changed."
        unsure="Reload the page to see the current settings."
      />
      <div className="flex items-center gap-3">
        <Button type="submit" kind="primary" busy={save.isPending}>
          Save settings
        </Button>
        {save.isSuccess && <Notice tone="good">Saved. New runs use these settings.</Notice>}
      </div>
    </form>
  )
}
