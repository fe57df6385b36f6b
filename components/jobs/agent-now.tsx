'use client'

import { Brain, Wrench } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Credits } from '../ui/amount'
import { cn } from '../ui/cn'
import { AgentText } from './agent-text'
import { Elapsed } from './elapsed'
import { agentNow, type ShownStep } from './live'

/** A box that follows its end while it grows, unless its reader scrolled up. */
function Following({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight
  })
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
      className={cn('overflow-y-auto [overflow-wrap:anywhere]', className)}
    >
      {children}
    </section>
  )
}

type Props = {
  steps: ShownStep[]
  /** When the latest step ended, or the turn began: how long there has been nothing to show. */
  idleSince: string
  /** Credits of this turn's steps so far. */
  credits: number
}

/**
 * What the agent does right now: what it thinks and writes as it comes, the tools that run and for
 * how long, and what the turn has cost. Screen readers get what it does, not every word.
 */
export function AgentNow({ steps, idleSince, credits }: Props) {
  const { state, since, reasoning, text, tools } = agentNow(steps)
  return (
    <section
      aria-label="The agent at work"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded border bg-raised p-4"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
        <Brain className="size-4 animate-pulse text-accent" aria-hidden />
        <h3 role="status" className="min-w-0 font-medium [overflow-wrap:anywhere]">
          {state}
        </h3>
        <Elapsed since={since ?? idleSince} />
        <span className="ml-auto text-muted">
          <Credits value={credits} /> {credits === 1 ? 'credit' : 'credits'} so far
        </span>
      </div>
      {reasoning && (
        <Following label="Thoughts" className="max-h-40 border-l-2 pl-3 text-table whitespace-pre-wrap text-muted">
          {reasoning}
        </Following>
      )}
      {text && (
        <Following label="Text so far" className="max-h-96">
          <AgentText text={text} />
        </Following>
      )}
      {tools.length > 0 && (
        <ul aria-label="Running tools" className="grid gap-1 text-table">
          {tools.map(({ index, name, line, since: began }) => (
            <li key={index} className="grid grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-2.5">
              <Wrench className="size-4 text-muted" aria-hidden />
              <span className="flex min-w-0 items-baseline gap-2">
                <span className="num shrink-0 font-medium">{name}</span>
                <span className="min-w-0 truncate text-muted">{line}</span>
              </span>
              <Elapsed since={began} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
