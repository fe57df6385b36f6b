import type { Session } from '../../accounts/shape'

/** The member who starts a run, as its turn records them. */
export const asStarter = ({ session: { personId, email } }: { session: Session }) => ({ personId, email })
