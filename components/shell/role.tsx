'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { LeastRole } from '@/server/accounts/shape'

/** Which least roles whoever is signed in meets in the account that is looked at. */
const RoleContext = createContext<readonly LeastRole[]>([])
export const RoleProvider = RoleContext

/** Whether whoever is signed in has at least a role. The server decides again at each call. */
export const useMay = (least: LeastRole): boolean => useContext(RoleContext).includes(least)

/** Shows something only to members with at least a role. */
export const May = ({ as, children }: { as: LeastRole; children: ReactNode }) => (useMay(as) ? children : null)
