import { CircleCheck, CircleDashed } from 'lucide-react'
import Link from 'next/link'
import type { FirstStepsData } from './shape'

type Step = FirstStepsData['steps'][number]

const STEPS: Record<Step['id'], { title: string; about: string; href: string }> = {
  key: {
    title: 'Make a key',
    about: 'It says what a program may call and how much it may spend.',
    href: '/keys/new?for=everything',
  },
  tool: { title: 'Call a tool', about: 'Try one in the catalog: no key needed.', href: '/catalog/web_search' },
  chat: {
    title: 'Ask a model',
    about: 'In the playground, where each answer shows what it cost.',
    href: '/playground',
  },
  agent: { title: 'Run an agent', about: 'Start an example goal, or one of your own.', href: '/jobs/new' },
  client: {
    title: 'Connect a client',
    about: 'Ask a model or use MCP from a program with your key: an SDK, a coding agent, a script.',
    href: '/connect',
  },
  live: {
    title: 'Go live',
    about: 'Real providers in place of the sandbox. Only operators see this.',
    href: '/docs/going-live',
  },
}

/** Whether a list has steps to do. Going live is one of the service: it keeps no list alone. */
export const hasFirstSteps = ({ steps }: Pick<FirstStepsData, 'steps'>): boolean =>
  steps.some(({ id, isDone }) => !isDone && id !== 'live')

const FirstStep = ({ step: { id, isDone } }: { step: Step }) => {
  const { title, about, href } = STEPS[id]
  const Icon = isDone ? CircleCheck : CircleDashed
  return (
    <li>
      <Link href={href} prefetch={false} className="flex items-start gap-2.5 px-3 py-2 hover:bg-sunken">
        <Icon className={`mt-0.5 size-4 shrink-0 ${isDone ? 'text-good' : 'text-muted'}`} aria-hidden />
        <span className="min-w-0">
          <span className={isDone ? 'text-muted' : 'font-medium'}>
            {title} <span className="sr-only">{isDone ? '(done)' : '(to do)'}</span>
          </span>
          {!isDone && <span className="block text-table text-muted">{about}</span>}
        </span>
      </Link>
    </li>
  )
}

/** What a new owner does first. A step is ticked off by what has happened, never by hand. */
export const FirstStepList = ({ steps }: { steps: Step[] }) => (
  <ul aria-label="First steps" className="divide-y rounded border bg-raised">
    {steps.map((step) => (
      <FirstStep key={step.id} step={step} />
    ))}
  </ul>
)
