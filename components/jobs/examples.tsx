'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Building2, Globe, Image as ImageIcon, type LucideIcon, Search, Sparkles } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmSpend } from '../price/confirm-spend'
import type { PriceInfo } from '../price/shape'
import { useSpendGuard } from '../price/use-spend-guard'
import { useTRPC } from '../trpc'
import { ActionError } from '../ui/action-error'
import { formatCredits } from '../ui/amount'
import { Button, ButtonLink } from '../ui/button'
import type { ExampleGoalCard } from './shape'

const ICONS: Record<string, LucideIcon> = { research: Search, homes: Building2, site: Globe, image: ImageIcon }

/** What a start costs, as far as it is known before. */
function priceText({ usualCredits, maxCredits }: ExampleGoalCard): { usual: string; max: string } {
  const max = `at most ${formatCredits(maxCredits)} credits`
  return usualCredits === null
    ? { usual: max, max: '' }
    : { usual: `about ${formatCredits(usualCredits)} credits`, max }
}

type ExampleProps = {
  example: ExampleGoalCard
  isEditable: boolean
  isBusy: boolean
  /** Its price, while the owner is asked about it. */
  question: PriceInfo | null
  onAnswer: (isYes: boolean) => void
  onStart: () => void
}

function Example({ example, isEditable, isBusy, question, onAnswer, onStart }: ExampleProps) {
  const Icon = ICONS[example.id] ?? Sparkles
  const { usual, max } = priceText(example)
  return (
    <li className="flex flex-col gap-2 rounded border bg-raised p-4">
      <h3 className="flex items-center gap-2 font-medium">
        <Icon className="size-4 shrink-0 text-accent" aria-hidden />
        {example.title}
      </h3>
      <p className="text-table text-muted">{example.shows}</p>
      <p className="border-l-2 pl-3 text-table [overflow-wrap:anywhere]">{example.goal}</p>
      <ConfirmSpend price={question} what={`Start “${example.title}”`} verb="Start" onAnswer={onAnswer} />
      <div className="mt-auto flex flex-wrap items-center gap-x-2 gap-y-1.5 pt-1">
        <Button
          kind="primary"
          size="small"
          busy={isBusy}
          onClick={onStart}
          aria-label={`Start, ${usual}: ${example.title}`}
        >
          Start, {usual}
        </Button>
        {max && <span className="text-caption whitespace-nowrap text-muted">{max}</span>}
        {isEditable && (
          <ButtonLink
            size="small"
            kind="quiet"
            href={`/jobs/new?example=${example.id}`}
            prefetch={false}
            aria-label={`Edit first: ${example.title}`}
          >
            Edit first
          </ButtonLink>
        )}
      </div>
    </li>
  )
}

/**
 * Goals to begin with, each started by one click, with its price on the button. Where there is a
 * form for them, they can be edited before.
 */
export function Examples({ examples, isEditable = false }: { examples: ExampleGoalCard[]; isEditable?: boolean }) {
  const router = useRouter()
  const [idempotencyKey] = useState(() => `example-${crypto.randomUUID()}`)
  const start = useMutation(
    useTRPC().examples.start.mutationOptions({ onSuccess: ({ jobId }) => router.push(`/jobs/${jobId}`) }),
  )
  const queries = useQueryClient()
  const trpc = useTRPC()
  const [asked, setAsked] = useState<string | null>(null)
  const { question, guard, answer } = useSpendGuard()
  const begin = async (example: string) => {
    if (started !== null || question) return
    const price = await queries.fetchQuery(trpc.examples.estimate.queryOptions({ example })).catch(() => null)
    setAsked(example)
    guard(price, () => start.mutate({ example, idempotencyKey: `${idempotencyKey}-${example}` }))
  }
  const started = start.isPending || start.isSuccess ? start.variables.example : null
  return (
    <div className="grid gap-3">
      <ul className="grid gap-3 sm:grid-cols-2">
        {examples.map((example) => (
          <Example
            key={example.id}
            example={example}
            isEditable={isEditable}
            isBusy={started === example.id}
            question={asked === example.id ? question : null}
            onAnswer={answer}
            onStart={() => void begin(example.id)}
          />
        ))}
      </ul>
      <p className="text-caption text-muted">
        They run under a key of their own, made at the first start, with this limit for each run.
      </p>
      <ActionError
        error={start.error}
        kept="Nothing was started or charged."
        unsure="Start it again: the same run is never started twice."
      />
    </div>
  )
}
