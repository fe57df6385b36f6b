'use client'

import { May } from '../shell/role'
import { Button } from '../ui/button'
import { Field, Select } from '../ui/field'
import { Empty, Section } from '../ui/page'
import { asCheck } from './check-text'
import { RunForm } from './run-form'
import type { JobTurn, ListedJob, RunKey } from './shape'

type Props = {
  jobIds: string[]
  /** The latest run on the page, which a new one is made like; null: nothing is compared yet. */
  last: JobTurn | null
  /** Recent jobs that are not on the page. */
  others: ListedJob[]
  models: { id: string; name: string }[]
  runKey: RunKey | null
}

/** Adds a job that is there to the comparison; a plain form, whose address is the page. */
const ExistingRun = ({ jobIds, others }: Pick<Props, 'jobIds' | 'others'>) => (
  <form action="/jobs/compare" className="flex max-w-[640px] flex-wrap items-end gap-3">
    {jobIds.map((id) => (
      <input key={id} type="hidden" name="job" value={id} />
    ))}
    <div className="min-w-0 flex-1 basis-60">
      <Field label="A run that is there" hint="Your latest 50 jobs">
        {(control) => (
          <Select {...control} name="job" required defaultValue="">
            <option value="" disabled>
              Choose a job
            </option>
            {others.map(({ jobId, title, creditsSpent }) => (
              <option key={jobId} value={jobId}>
                {title} ({creditsSpent} credits)
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
    <Button type="submit">Compare</Button>
  </form>
)

/** What to compare with: the goal once more, with another model or other words, or a known job. */
export const CompareChoice = ({ jobIds, last, others, models, runKey }: Props) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
    {last && (
      <May to="jobs.start">
        <Section title="The same goal with another model or other words" className="max-w-[760px]">
          {last.attachments.length > 0 && (
            <p className="mb-3 text-table text-muted">The goal came with files: attach them here too.</p>
          )}
          <RunForm
            runKey={runKey}
            models={models}
            goal={last.goal}
            mode={last.mode}
            model={last.model}
            checks={last.checks?.map(asCheck)}
            compareWith={jobIds}
          />
        </Section>
      </May>
    )}
    {others.length > 0 && (
      <Section title={last ? 'Or one that has run already' : 'Choose a run'}>
        <ExistingRun jobIds={jobIds} others={others} />
      </Section>
    )}
    {!last && others.length === 0 && (
      <Empty title="No runs yet">
        <p>Runs are compared here, with their results and what they cost. Start one under Jobs.</p>
      </Empty>
    )}
  </div>
)
