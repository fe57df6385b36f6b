import type { ManagementGrant } from '@/server/keys/shape'
import { formatCredits } from '../ui/amount'
import { Card, Facts } from '../ui/page'
import { MANAGED, scopesOf } from './scopes'

function boundsOf(template: NonNullable<ManagementGrant['template']>): string {
  const { tools = 'all', llm = true, agent = true, budget, recurringBudget, rpm } = template
  return [
    scopesOf({ tools, llm, agent, management: null }),
    budget !== undefined && `${formatCredits(budget)} credits in total`,
    recurringBudget && `${formatCredits(recurringBudget.credits)} credits a ${recurringBudget.every}`,
    rpm !== undefined && `${formatCredits(rpm)} requests per minute`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** What a management key may manage, and within what. */
export const ManagementFacts = ({ of: { scopes, tag, template } }: { of: ManagementGrant }) => (
  <Card>
    <Facts
      rows={[
        [
          'Manages',
          MANAGED.filter(({ id }) => scopes.includes(id))
            .map(({ label }) => label)
            .join(', '),
        ],
        ['Only keys with the tag', tag === null ? 'Every key' : <bdi key="t">{tag}</bdi>],
        ['Its keys may have at most', template ? boundsOf(template) : 'Anything'],
      ]}
    />
  </Card>
)
