'use client'

import { useState } from 'react'
import type { OfferedModel } from '@/server/models/shape'
import { chatCurl } from '../models/snippets'
import { Credits, formatUsd } from '../ui/amount'
import { Button } from '../ui/button'
import { CopyBox } from '../ui/copy'
import { Empty } from '../ui/page'
import { Composer } from './composer'
import { checkChatSettings, previewPlaygroundRequest } from './request'
import { SettingsForm } from './settings-form'
import { type ChatDraft, type ChatSettings, sumCharges } from './turn'
import { ChatTurnView } from './turn-view'
import { useChat } from './use-chat'
import { useStickToBottom } from './use-stick-to-bottom'

const EMPTY: ChatDraft = { text: '', images: [] }

type Props = { models: OfferedModel[]; first: string; baseUrl: string; rate: number }

/**
 * A chat with any model, paid by the owner, with the charge of each turn. Lost when the page
 * closes.
 */
export function Playground({ models, first, baseUrl, rate }: Props) {
  const [settings, setSettings] = useState<ChatSettings>({ model: first, system: '', temperature: '', maxOutput: '' })
  const [draft, setDraft] = useState(EMPTY)
  const [spent, setSpent] = useState(0)
  const { turns, isBusy, send, stop, clear } = useChat()
  useStickToBottom(turns)
  const wrong = checkChatSettings(settings)
  const model = models.find(({ id }) => id === settings.model)
  const hasVision = model?.vision ?? false
  const isScript = model?.simulated ?? false
  const sum = spent + sumCharges(turns)

  const submit = async () => {
    const sent = draft
    setDraft(EMPTY)
    // A failed message is restored, unless something else was written meanwhile.
    if (!(await send(settings, sent))) setDraft((now) => (now.text === '' && now.images.length === 0 ? sent : now))
  }
  const change = (next: ChatSettings) => {
    if (next.model !== settings.model) window.history.replaceState(null, '', `?model=${encodeURIComponent(next.model)}`)
    setSettings(next)
  }
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_300px] lg:items-start">
      <aside
        aria-label="Settings"
        className="grid gap-4 lg:sticky lg:top-[calc(var(--bar)+24px)] lg:col-start-2 lg:row-start-1"
      >
        <SettingsForm models={models} settings={settings} wrong={wrong} onChange={change}>
          <AsCurl code={() => chatCurl(baseUrl, previewPlaygroundRequest(settings, turns, draft))} />
        </SettingsForm>
      </aside>
      <section
        aria-label="Conversation"
        className="flex min-h-[calc(100dvh-var(--bar)-220px)] min-w-0 flex-col lg:col-start-1 lg:row-start-1 lg:min-h-[calc(100dvh-var(--bar)-140px)]"
      >
        <div
          role="log"
          aria-label="Turns"
          aria-busy={isBusy}
          className="grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-5 pb-4"
        >
          {turns.length === 0 && (
            <Empty title="No messages yet">
              <p>
                Responses stream in here with their tokens and their charge. They are paid from your balance, without a
                key, and are listed in Usage as “playground”.
              </p>
              {isScript && (
                <p>
                  This model is a script of the sandbox. It remembers the conversation, does sums and knows a little
                  about Tollgate, and nothing about the world.
                </p>
              )}
            </Empty>
          )}
          {turns.map((turn) => (
            <ChatTurnView key={turn.id} of={turn} rate={rate} />
          ))}
        </div>
        <div className="sticky bottom-0 z-10 border-t bg-surface pt-1 pb-3 max-md:bottom-[calc(51px+env(safe-area-inset-bottom))] md:pb-5">
          <div className="flex min-h-8 items-center justify-between gap-3 text-table text-muted">
            <p data-testid="sum">
              This session: <Credits value={sum} className="font-semibold text-text" />{' '}
              {sum === 1 ? 'credit' : 'credits'} <span className="whitespace-nowrap">≈ {formatUsd(sum, rate)}</span>
            </p>
            {turns.length > 0 && (
              <Button
                kind="quiet"
                size="small"
                disabled={isBusy}
                onClick={() => {
                  setSpent(sum)
                  clear()
                }}
              >
                New conversation
              </Button>
            )}
          </div>
          <Composer
            draft={draft}
            onChange={setDraft}
            onSend={submit}
            onStop={stop}
            isBusy={isBusy}
            blocked={Object.keys(wrong).length > 0}
            hasVision={hasVision}
            note={<span className="max-sm:hidden">Enter sends, Shift+Enter adds a line</span>}
          />
        </div>
      </section>
    </div>
  )
}

/** The next request as a curl command; generated only while it is open. */
function AsCurl({ code }: { code: () => string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="min-w-0" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="mb-2 text-table font-medium">Next request as curl</summary>
      {isOpen && <CopyBox narrow label="curl" code={code()} />}
    </details>
  )
}
