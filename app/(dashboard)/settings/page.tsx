import { redirect } from 'next/navigation'
import { currentSession } from '../../session'

/** Settings begin with their first tab, of those that the role has. */
export default async function SettingsPage() {
  const account = (await currentSession())?.account
  redirect(!account || account.may.includes('admin') ? '/settings/agents' : '/settings/account')
}
