'use client'

import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn'
import { useEarlyInput } from './early-input'

const controlClass =
  'w-full min-w-0 rounded border border-line-strong bg-raised px-2.5 text-text placeholder:text-muted aria-invalid:border-bad disabled:opacity-60'

/** An input without a look of its own. */
export const PlainInput = ({ ref, ...rest }: ComponentProps<'input'>) => <input ref={useEarlyInput(ref)} {...rest} />

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <PlainInput className={cn(controlClass, 'h-9', className)} {...rest} />
)

/** A text of several lines. */
export const Textarea = ({ className, ref, ...rest }: ComponentProps<'textarea'>) => (
  <textarea ref={useEarlyInput(ref)} className={cn(controlClass, 'block resize-y py-2', className)} {...rest} />
)

/** Never filled in by the browser over a reload: choices may be saved as they are made. */
export const Select = ({ className, ref, ...rest }: ComponentProps<'select'>) => (
  <select
    ref={useEarlyInput(ref)}
    autoComplete="off"
    className={cn(controlClass, 'h-9 truncate pr-7 select-mark', className)}
    {...rest}
  />
)

type ControlProps = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }

/**
 * A label, its control, a hint and an error. The control gets the ids that connect them: `id` on
 * pages whose islands begin one by one, which cannot share a count.
 */
export function Field({
  id: given,
  label,
  hint,
  error,
  className,
  children,
}: {
  id?: string
  label: ReactNode
  hint?: ReactNode
  error?: string
  className?: string
  children: (control: ControlProps) => ReactNode
}) {
  const made = useId()
  const id = given ?? made
  const note = `${id}-note`
  return (
    <div className={cn('grid content-start gap-1', className)}>
      <label htmlFor={id} className="text-table font-medium">
        {label}
      </label>
      {children({
        id,
        ...(error && { 'aria-invalid': true as const }),
        ...((error || hint) && { 'aria-describedby': note }),
      })}
      {error ? (
        <p id={note} className="text-caption text-bad">
          {error}
        </p>
      ) : (
        hint && (
          <p id={note} className="text-caption text-muted">
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** A checkbox or radio button with a label and a note. */
export function CheckOption({
  label,
  note,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'children'> & { label: ReactNode; note?: ReactNode }) {
  return (
    <label className={cn('flex items-start gap-2.5', rest.disabled && 'opacity-60', className)}>
      <PlainInput {...rest} className="mt-[3px] size-4 shrink-0" />
      <span className="min-w-0 flex-1">
        {label}
        {note && <span className="block text-caption text-muted">{note}</span>}
      </span>
    </label>
  )
}
