'use client'

import { Check, CircleUserRound } from 'lucide-react'
import { type ComponentProps, useState, useTransition } from 'react'
import { Button } from '../ui/button'
import { cn } from '../ui/cn'
import { forgetStored } from './recent'
import { applyTheme, THEMES, type Theme } from './theme'

const Item = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button
    type="button"
    className={cn('flex items-center justify-between gap-4 rounded px-2.5 py-1.5 text-left hover:bg-sunken', className)}
    {...rest}
  />
)

type Props = { email: string; theme: Theme; onSignOut: (everywhere: boolean) => Promise<void> }

/**
 * The account, the theme and sign-out. The browser's popover closes on Escape and on clicks
 * outside.
 */
export function AccountMenu({ email, theme, onSignOut }: Props) {
  const [shown, setShown] = useState(theme)
  const [isConfirming, setConfirming] = useState(false)
  const [leaving, leave] = useTransition()
  const signOut = (everywhere: boolean) => {
    forgetStored()
    leave(() => onSignOut(everywhere))
  }
  return (
    <>
      <Button kind="quiet" size="icon" aria-label={`Account: ${email}`} busy={leaving} popoverTarget="account">
        <CircleUserRound className="size-4.5" aria-hidden />
      </Button>
      <div
        id="account"
        popover="auto"
        onToggle={() => setConfirming(false)}
        className="inset-auto top-(--bar) right-3 m-0 mt-1 w-60 rounded border bg-raised p-1 text-table text-text shadow-[0_8px_24px_oklch(0_0_0/0.14)]"
      >
        <p className="truncate px-2.5 py-1.5 text-muted">{email}</p>
        <fieldset className="grid border-y py-1">
          <legend className="sr-only">Theme</legend>
          {THEMES.map(({ id, label }) => (
            <Item
              key={id}
              aria-pressed={shown === id}
              onClick={() => {
                applyTheme(id)
                setShown(id)
              }}
            >
              {label}
              {shown === id && <Check className="size-3.5 text-accent" aria-hidden />}
            </Item>
          ))}
        </fieldset>
        <div className="grid pt-1">
          <Item onClick={() => signOut(false)}>Sign out</Item>
          {isConfirming ? (
            <Item className="text-bad" onClick={() => signOut(true)}>
              Sign out on every device
            </Item>
          ) : (
            <Item onClick={() => setConfirming(true)}>Sign out everywhere…</Item>
          )}
        </div>
      </div>
    </>
  )
}
