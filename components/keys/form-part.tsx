import type { ReactNode } from 'react'

/** A part of a form about a key, with a heading. */
export const FormPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid gap-5 border-t py-6 first:border-t-0 first:pt-0">
    <h2 className="font-semibold">{title}</h2>
    {children}
  </section>
)
