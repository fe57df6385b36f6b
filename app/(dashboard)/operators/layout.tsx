import type { ReactNode } from 'react'
import { OperatorTabs } from '@/components/operators/operator-tabs'
import { operatorsApi } from './operators-api'

/** Asks who it is before anything is sent, so that others get 404. */
export default async function OperatorsLayout({ children }: { children: ReactNode }) {
  await operatorsApi()
  return (
    <>
      <OperatorTabs />
      {children}
    </>
  )
}
