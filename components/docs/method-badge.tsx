import { Badge } from '../ui/badge'

/** The method of an operation: the colours of what is read, changed and deleted. */
export const MethodBadge = ({ method }: { method: string }) => (
  <Badge tone={method === 'GET' ? 'plain' : method === 'DELETE' ? 'bad' : 'accent'}>{method}</Badge>
)
