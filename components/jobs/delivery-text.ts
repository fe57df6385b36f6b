import type { JobDelivery } from './shape'

const EVENTS: Record<JobDelivery['event'], string> = {
  completed: 'Run completed',
  failed: 'Run failed',
  awaiting_input: 'Run needs input',
}

/** What a delivery reports, in words. */
export const deliveryTitle = ({ event }: JobDelivery): string => EVENTS[event]

const times = (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`)

/** How the last attempt went, in a sentence. */
export function deliveryOutcome({ status, attempts, answerStatus, error }: JobDelivery): string {
  if (attempts === 0) return 'Not sent yet.'
  if (status === 'delivered') return `Answered ${answerStatus} after ${times(attempts)}.`
  const ending = status === 'failed' ? `Given up after ${times(attempts)}.` : `${times(attempts)} so far.`
  return error === null ? `Being sent: ${times(attempts)} so far.` : `${error} ${ending}`
}
