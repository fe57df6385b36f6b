import Link from 'next/link'
import { CHECK_WORDS, checkText } from '../jobs/check-text'
import { listPermissions, permissionText } from '../jobs/permission-fields'
import { Credits } from '../ui/amount'
import { Facts, Notice } from '../ui/page'
import { conductText } from './labels'
import type { Schedule } from './shape'

/** Why a schedule is paused, where its owner did not pause it, and what to do. */
export const WhyPaused = ({ paused }: Pick<Schedule, 'paused'>) =>
  paused && paused.by !== 'owner' ? (
    <Notice tone="warn">
      {paused.by === 'key'
        ? `Paused: ${paused.reason} Edit the schedule to choose another key, then resume it.`
        : `Paused after three failed runs in a row. The last: ${paused.reason}`}
    </Notice>
  ) : null

type Props = { of: Schedule; capabilities: readonly { id: string; label: string }[] }

/** What each run of a schedule is started with. */
export function ScheduleFacts({ of, capabilities }: Props) {
  const labels = of.capabilities?.map((id) => capabilities.find((group) => group.id === id)?.label ?? id)
  return (
    <Facts
      rows={[
        [
          'Goal',
          <span key="goal" className="whitespace-pre-wrap wrap-anywhere">
            {of.goal}
          </span>,
        ],
        ['Mode', of.mode === 'autonomous' ? 'Autonomous: it acts' : 'Interactive: it plans and asks'],
        ['Model', of.model ?? 'Your default'],
        [
          'Key',
          <Link key="key" href={`/keys/${of.keyId}`} className="text-accent underline underline-offset-2">
            <bdi>{of.keyName}</bdi>
          </Link>,
        ],
        ['Capabilities', labels?.join(', ') ?? 'What the key allows'],
        [
          'Cron expression',
          <span key="cron" className="num">
            {of.cron}
          </span>,
        ],
        ['Time zone', of.timeZone],
        ...(of.maxCredits === undefined
          ? []
          : [['Limit of each run', <Credits key="max" value={of.maxCredits} unit />] as const]),
        ['While a run waits', conductText(of)],
        [
          'May do without asking',
          listPermissions(of.permissions).map(permissionText).join('; ') || 'Nothing that needs your approval',
        ],
        ...(of.checks
          ? [
              [
                'Checks',
                of.checks.map((check) => `${CHECK_WORDS[check.kind]}: ${checkText(check)}`).join('; '),
              ] as const,
            ]
          : []),
        ...(of.attachments.length > 0
          ? [['Attachments', of.attachments.map(({ name }) => name).join(', ')] as const]
          : []),
        ['Notes', of.memory === false ? 'Neither read nor written' : 'Read and written'],
        ...(of.callbackUrl ? [['Webhook', of.callbackUrl] as const] : []),
      ]}
    />
  )
}
