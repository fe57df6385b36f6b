'use client'

import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { cn } from './cn'
import { Field, Input } from './field'

export type ComboboxOption = { id: string; label: string; note?: string; group: string; words: string }

type Props = {
  label: string
  hint?: React.ReactNode
  options: readonly ComboboxOption[]
  value: string
  onChange: (id: string) => void
  /** Whether an option matches what was typed. */
  matches: (words: string, typed: string) => boolean
  /** For options that a server finds: what is typed, and null when the list closes. */
  onType?: (typed: string | null) => void
  /** Shown below the options, such as how many more there are. */
  footer?: string
}

/** A choice among many, with search. Arrow keys move, Enter selects, Escape cancels. */
export function Combobox({ label, hint, options, value, onChange, matches, onType, footer }: Props) {
  const list = useId()
  const [typed, keepTyped] = useState<string | null>(null)
  const [at, setAt] = useState(0)
  const isOpen = typed !== null
  const shown = options.filter(({ words }) => matches(words, typed ?? ''))
  const chosen = options.find(({ id }) => id === value)
  const active = isOpen ? shown[Math.min(at, shown.length - 1)] : undefined
  const idOf = (option: ComboboxOption) => `${list}-${options.indexOf(option)}`

  const setTyped = (text: string | null) => {
    keepTyped(text)
    onType?.(text)
  }
  const open = () => {
    setTyped('')
    setAt(
      Math.max(
        0,
        options.findIndex(({ id }) => id === value),
      ),
    )
  }
  const select = (option: ComboboxOption | undefined) => {
    if (option) onChange(option.id)
    setTyped(null)
  }
  const move = (step: number) =>
    setAt((now) => Math.max(0, Math.min(shown.length - 1, Math.min(now, shown.length - 1) + step)))
  const actionOf = (key: string): (() => void) | null => {
    if (!isOpen) return ['ArrowDown', 'ArrowUp', 'Enter'].includes(key) ? open : null
    if (key === 'ArrowDown') return () => move(1)
    if (key === 'ArrowUp') return () => move(-1)
    if (key === 'Enter') return () => select(active)
    return key === 'Escape' ? () => setTyped(null) : null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    // Typing starts a search instead of editing the current name.
    if (!isOpen && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) return open()
    const action = actionOf(event.key)
    if (!action) return
    event.preventDefault()
    action()
  }
  const activeId = active && idOf(active)
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const groups = [...new Set(shown.map(({ group }) => group))]
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <div className="relative">
          <Input
            {...control}
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={activeId}
            autoComplete="off"
            spellCheck={false}
            value={typed ?? chosen?.label ?? ''}
            placeholder={isOpen ? chosen?.label : 'Choose'}
            onClick={() => isOpen || open()}
            onChange={(e) => {
              setTyped(e.target.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setTyped(null)}
            className="truncate pr-7 select-mark"
          />
          <div
            id={list}
            role="listbox"
            aria-label={`${label}: choices`}
            hidden={!isOpen}
            className="absolute inset-x-0 top-full z-30 mt-1 max-h-80 overflow-y-auto overscroll-contain rounded border bg-raised p-1 text-table shadow-[0_8px_24px_oklch(0_0_0/0.14)]"
          >
            {shown.length === 0 && <p className="px-2 py-1.5 text-muted">No match for “{typed}”</p>}
            {groups.map((group) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of a listbox is not a fieldset
              <div key={group} role="group" aria-label={group || label}>
                {group !== '' && (
                  <p aria-hidden className="px-2 pt-2 pb-0.5 text-caption text-muted">
                    {group}
                  </p>
                )}
                {shown
                  .filter((option) => option.group === group)
                  .map((option) => (
                    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the focus stays in the field, which handles the keys
                    <div
                      key={option.id}
                      id={idOf(option)}
                      role="option"
                      aria-selected={option.id === value}
                      // Taking the focus would close the list before the click.
                      onMouseDown={(e) => e.preventDefault()}
                      onClick={() => select(option)}
                      className={cn(
                        'flex cursor-pointer items-baseline justify-between gap-3 rounded-[4px] px-2 py-1.5 hover:bg-sunken',
                        option === active && 'bg-accent-weak text-accent',
                        option.id === value && 'font-medium',
                      )}
                    >
                      <span className="min-w-0 truncate">{option.label}</span>
                      {option.note && (
                        <span className="shrink-0 text-caption font-normal text-muted">{option.note}</span>
                      )}
                    </div>
                  ))}
              </div>
            ))}
            {footer && <p className="px-2 py-1.5 text-caption text-muted">{footer}</p>}
          </div>
        </div>
      )}
    </Field>
  )
}
