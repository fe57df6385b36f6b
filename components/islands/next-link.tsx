import type { ComponentProps } from 'react'

type LinkProps = ComponentProps<'a'> & { prefetch?: boolean }

/** `next/link` in the script of the public pages, where a link loads its page. */
export default function PlainLink({ prefetch: _, ...rest }: LinkProps) {
  return <a {...rest} />
}
