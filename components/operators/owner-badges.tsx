import { Badge } from '../ui/badge'

/** What is special about an owner: suspended, operator. */
export const OwnerBadges = ({ isAdmin, suspendedFor }: { isAdmin: boolean; suspendedFor: string | null }) => (
  <>
    {suspendedFor !== null && (
      <span title={suspendedFor}>
        <Badge tone="bad">Suspended</Badge>
      </span>
    )}
    {isAdmin && <Badge tone="accent">Operator</Badge>}
  </>
)
