'use client'

import type { inferRouterInputs } from '@trpc/server'
import { createContext, type ReactNode, useContext } from 'react'
import type { LeastRole, Role } from '@/server/accounts/shape'
import type { AppRouter } from '@/server/api/router'

type Inputs = inferRouterInputs<AppRouter>
/** The path of a procedure, as `keys.create`. */
type Act = { [Part in keyof Inputs]: `${Part}.${string & keyof Inputs[Part]}` }[keyof Inputs]

/**
 * The role of whoever is signed in, in the account that is looked at: which least roles it meets,
 * and what it may not do, with the role that each asks for. Both come from the procedures.
 */
export type RoleHere = {
  role: Role | null
  may: readonly LeastRole[]
  refused: Readonly<Record<string, LeastRole>>
}

const RoleContext = createContext<RoleHere>({ role: null, may: [], refused: {} })
export const RoleProvider = RoleContext

/** Which least roles whoever is signed in meets. */
export const useLevels = (): readonly LeastRole[] => useContext(RoleContext).may

/** Whether the role lets in to what calls a procedure. The server decides again at each call. */
export const useMay = (to: Act): boolean => !(to in useContext(RoleContext).refused)

type MayProps = { to: Act; otherwise?: ReactNode; children: ReactNode }

/** Shows something only to members whose role may call a procedure. */
export const May = ({ to, otherwise = null, children }: MayProps) => (useMay(to) ? children : otherwise)

type MayOpenProps = { as: LeastRole; otherwise?: ReactNode; children: ReactNode }

/** Shows a link only to members whose role has its page; visitors have no role, and see all. */
export function MayOpen({ as, otherwise = null, children }: MayOpenProps) {
  const { role, may } = useContext(RoleContext)
  return role === null || may.includes(as) ? children : otherwise
}

type ForRoleProps = { to: Act; what: string; children: ReactNode }

/** A form that a role may not send: it is disabled, and the reason is under it. */
export const ForRole = ({ to, what, children }: ForRoleProps) => (
  <fieldset disabled={!useMay(to)} className="grid min-w-0 gap-3">
    {children}
    <RoleNote to={to} what={what} />
  </fieldset>
)

/** In place of what a role may not do: which role it needs. Nothing for those who may. */
export function RoleNote({ to, what }: { to: Act; what: string }) {
  const { role, refused } = useContext(RoleContext)
  const needed = refused[to]
  if (needed === undefined) return null
  return (
    <p className="text-table text-muted">
      {what} needs the role {needed}. Yours in this account is {role}.
    </p>
  )
}
