import { Fragment } from 'react'

/** A sentence in which backticks mark code. */
export const InlineCode = ({ text }: { text: string }) =>
  text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
      <code key={at} className="num text-text">
        {part}
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
      <Fragment key={at}>{part}</Fragment>
    ),
  )
