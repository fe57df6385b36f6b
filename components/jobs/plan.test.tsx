import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { PlanDetails } from '@/server/agent/shape'
import { Plan } from './plan'

const plan: PlanDetails = {
  summary: 'Find homes.',
  steps: [
    { title: 'Search the web', tools: ['web_search'], credits: 1 },
    { title: 'Sum it up', tools: [], credits: 0 },
  ],
  totalCredits: 1,
  creditsLeft: 900,
}
const textOf = (shown: PlanDetails) =>
  renderToStaticMarkup(<Plan plan={shown} />)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

describe('a plan on its page', () => {
  it('shows each step with its tools and its estimate, and the total', () => {
    const text = textOf(plan)
    expect(text).toMatch(/Find homes\. 1 Search the web web_search 1 credit 2 Sum it up Free/)
    expect(text).toMatch(/Its calls: 1 credit , besides the model&#x27;s own steps\. 900 left/)
    expect(text).not.toContain('Your feedback')
  })

  it('shows the feedback that it answers', () => {
    const text = textOf({ ...plan, feedback: 'Only look.', answers: 'Nothing is bought.' })
    expect(text).toMatch(/Your feedback Only look\. What has changed Nothing is bought\./)
  })

  it('says so where it may cost more than is left', () => {
    expect(textOf({ ...plan, creditsLeft: 0 })).toContain('It may cost more than what is left.')
    expect(textOf(plan)).not.toContain('more than what is left')
  })
})
