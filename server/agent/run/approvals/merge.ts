import type { Approval } from '../../../tools/define'

/** One approval for a call that destroys something, sends something out, or both. */
export function mergeApprovals(destructive: Approval | null, sending: Approval | null): Approval | null {
  if (!destructive || !sending) return destructive ?? sending
  return {
    ...sending,
    ...destructive,
    summary: `${destructive.summary} ${sending.summary}`,
    reason: `${destructive.reason} ${sending.reason}`,
    needs: [...(destructive.needs ?? []), ...(sending.needs ?? [])],
  }
}
