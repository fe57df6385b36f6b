import { formatChange } from '../ui/amount'
import type { JobStep } from './shape'

type Read = (page: { limit: number; cursor?: string }) => Promise<{ steps: JobStep[]; nextCursor: string | null }>

/** All steps of a job: a comparison of some of them would be of other sums. */
export async function pagesOfSteps(read: Read): Promise<JobStep[]> {
  const steps: JobStep[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read({ limit: 500, ...(cursor && { cursor }) })
    steps.push(...page.steps)
    cursor = page.nextCursor
  }
  return steps
}

/** How an amount differs from that of the first run, as percent; empty where that says nothing. */
export function differenceFrom(first: number, value: number): string {
  if (first === 0 || first === value) return ''
  const percent = Math.round((value / first - 1) * 100)
  if (percent === 0) return ''
  return percent > 999 ? `${Math.round(value / first)} times` : formatChange(percent)
}
