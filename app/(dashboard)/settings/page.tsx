import { redirect } from 'next/navigation'

/** Settings begin with their first tab. */
export default function SettingsPage() {
  redirect('/settings/agents')
}
