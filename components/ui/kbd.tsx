import { Fragment } from 'react'

/** Keys to press, one after the other or together. */
export const Keys = ({ keys }: { keys: readonly string[] }) => (
  <span className="inline-flex gap-1 whitespace-nowrap">
    {keys.map((key, at) => (
      <Fragment key={key}>
        {at > 0 && <span className="sr-only"> then </span>}
        <kbd className="min-w-5 rounded-[4px] border bg-sunken px-1 text-center font-sans text-caption leading-[18px] text-muted">
          {key}
        </kbd>
      </Fragment>
    ))}
  </span>
)
