'use client'

import { useTRPCClient } from '../trpc'
import { Act } from './act'
import { changesText } from './settings-changes'
import type { OperatorSettingsAnswer } from './views'

/** What came of it, a line for each that read or should have read. */
const Answer = ({ of: { attempts, silent } }: { of: OperatorSettingsAnswer }) => (
  <ul aria-live="polite" className="grid gap-2 wrap-anywhere">
    {attempts.map((attempt) => (
      <li key={attempt.id} className={attempt.isRefused ? 'text-bad' : undefined}>
        <span className="font-medium">{attempt.process}</span>{' '}
        {attempt.isRefused
          ? `refused them and keeps the ones before: ${attempt.problem}`
          : `has read them: ${changesText(attempt.changed)}.`}
      </li>
    ))}
    {silent.map((name) => (
      <li key={name} className="text-warn">
        <span className="font-medium">{name}</span> has not read them. Restart it.
      </li>
    ))}
  </ul>
)

/** Has every process read its settings again. */
export function SettingsAct({ count }: { count: number }) {
  const { settings } = useTRPCClient().operators
  return (
    <div className="flex flex-wrap gap-2">
      <Act
        label="Read settings again"
        question={
          <>
            Read settings and models again on every machine? {count === 1 ? '1 process is' : `${count} processes are`}{' '}
            replaced one after another, which takes up to a minute and a half. Calls in progress end with the settings
            they began with. Wrong files change nothing.
          </>
        }
        kept="The settings are unchanged."
        run={() => settings.read.mutate()}
        result={(answer) => <Answer of={answer} />}
      />
    </div>
  )
}
