import type { ReactNode } from 'react'
import { SettingsTabs } from '@/components/settings/settings-tabs'
import { Title } from '@/components/ui/page'

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <Title title="Settings" />
      <SettingsTabs />
      {children}
    </>
  )
}
