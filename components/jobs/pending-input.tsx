'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { AwaitingInput } from '@/server/agent/shape'
import { RoleNote, useMay } from '../shell/role'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { Button } from '../ui/button'
import { CheckOption, Field, Textarea } from '../ui/field'
import { useDraft } from '../ui/use-draft'
import { AgentText } from './agent-text'
import { ApprovalEffect } from './approval-effect'
import { Plan } from './plan'

type Props = {
  jobId: string
  asked: AwaitingInput
  onAnswered: () => void
  /** Is called when nothing is asked any more. The form may have been removed by then. */
  onLate: (message: string) => void
}

const TITLES: Record<AwaitingInput['kind'], string> = {
  question: 'The agent has a question',
  plan: 'The agent shows its plan',
  approval: 'The agent needs your approval',
}

const WORDS: Record<AwaitingInput['kind'], { yes: string; no: string; label: string; hint: string }> = {
  question: { yes: 'Send answer', no: '', label: 'Your answer', hint: '' },
  plan: {
    yes: 'Approve plan',
    no: 'Revise plan',
    label: 'What to change',
    hint: 'Required to revise; ignored when you approve',
  },
  approval: { yes: 'Approve', no: 'Reject', label: 'Reason', hint: 'The agent gets this when you reject' },
}

const CodeBlock = ({ name, text }: { name: string; text: string }) => (
  <div>
    <p className="text-caption text-muted">{name}</p>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="num max-h-72 overflow-auto rounded border bg-raised p-2 text-table [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {text}
    </pre>
  </div>
)

function PendingDetails({
  asked: { question, plan, planDetails, price, approval },
}: {
  asked: AwaitingInput
}): ReactNode {
  if (question) return <p className="max-w-[80ch] whitespace-pre-wrap">{question}</p>
  if (planDetails) return <Plan plan={planDetails} price={price} />
  if (plan) return <AgentText text={plan} />
  if (!approval) return null
  return (
    <div className="grid gap-2">
      <p className="font-medium [overflow-wrap:anywhere]">{approval.summary}</p>
      {approval.sql && (
        <Field label="The statement that would run: you may change it">
          {(control) => (
            <Textarea
              {...control}
              name="sql"
              rows={4}
              defaultValue={approval.sql ?? undefined}
              spellCheck={false}
              className="num"
            />
          )}
        </Field>
      )}
      {approval.effect && <ApprovalEffect effect={approval.effect} />}
      {approval.command && <CodeBlock name="In full" text={approval.command} />}
      {approval.deploymentId && <CodeBlock name="Deployment" text={approval.deploymentId} />}
      <p className="text-muted [overflow-wrap:anywhere]">{approval.reason}</p>
    </div>
  )
}

/** What a person made of a call before approving it. */
function editOf(form: FormData, { approval }: AwaitingInput) {
  const without = form.getAll('without').map(String)
  const sql = String(form.get('sql') ?? '').trim()
  return {
    ...(without.length > 0 && { without }),
    ...(approval?.sql && sql !== approval.sql.trim() && { edit: { sql } }),
  }
}

/** What a paused job asks, with the form to answer. */
export function PendingInput({ jobId, asked, onAnswered, onLate }: Props) {
  const [missing, setMissing] = useState(false)
  const draft = useDraft(`answer ${jobId} ${asked.toolCallId}`)
  const answer = useMutation(
    useTRPC().jobs.answer.mutationOptions({
      onSuccess: draft.clear,
      onSettled: onAnswered,
      onError: ({ data, message }) => data?.appCode === 'conflict' && onLate(message),
    }),
  )
  const mayAnswer = useMay('jobs.answer')
  const { yes, no, label, hint } = WORDS[asked.kind]
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const pressed = (event.nativeEvent as SubmitEvent).submitter
    const form = new FormData(event.currentTarget)
    const feedback = String(form.get('feedback') ?? '').trim()
    const approved = !(pressed instanceof HTMLButtonElement && pressed.value === 'no')
    const isNeeded = asked.kind === 'question' || (asked.kind === 'plan' && !approved)
    setMissing(isNeeded && feedback === '')
    if (isNeeded && feedback === '') return
    const scope = approved && form.has('forRun') ? ('run' as const) : undefined
    answer.mutate({
      ...{ jobId, toolCallId: asked.toolCallId, approved, scope },
      ...(feedback && { feedback }),
      ...(approved && editOf(form, asked)),
    })
  }
  return (
    <section aria-labelledby="asked" className="rounded border border-warn bg-warn-weak p-4">
      <h2 id="asked" className="mb-2 font-semibold text-warn">
        {TITLES[asked.kind]}
      </h2>
      {!mayAnswer && (
        <fieldset disabled className="grid min-w-0 gap-3">
          <PendingDetails asked={asked} />
          <RoleNote to="jobs.answer" what="Answering" />
        </fieldset>
      )}
      {mayAnswer && (
        <form onSubmit={send} className="grid gap-3">
          <PendingDetails asked={asked} />
          <Field label={label} hint={hint} error={missing ? 'Enter your answer' : undefined} className="max-w-[640px]">
            {(fieldProps) => <Textarea {...fieldProps} {...draft.area} name="feedback" rows={2} maxLength={100_000} />}
          </Field>
          {asked.kind === 'approval' && (
            <CheckOption
              type="checkbox"
              name="forRun"
              label="Approve every later call of this tool in this run too"
              note="What looks like a secret is asked about all the same"
            />
          )}
          <ActionError
            error={answer.error}
            kept="The page shows the job's status."
            unsure="Check the job's status before you answer again."
          />
          <div className="flex flex-wrap gap-2">
            <Button type="submit" kind="primary" value="yes" busy={answer.isPending}>
              {yes}
            </Button>
            {no && (
              <Button type="submit" kind="danger" value="no" disabled={answer.isPending}>
                {no}
              </Button>
            )}
          </div>
        </form>
      )}
    </section>
  )
}
