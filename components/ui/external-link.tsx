import type { ComponentProps } from 'react'

export const LINK = 'text-accent underline underline-offset-2'

/** A link to another site, which learns nothing of this one. */
export const ExternalLink = ({ href, children }: Pick<ComponentProps<'a'>, 'href' | 'children'>) => (
  <a href={href} rel="noopener noreferrer nofollow" target="_blank" className={LINK}>
    {children}
  </a>
)
