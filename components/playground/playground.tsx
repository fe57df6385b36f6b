'use client'

import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import type { OfferedModel } from '@/server/models/shape'
import { ConfirmSpend } from '../price/confirm-spend'
import { PriceNow } from '../price/price-now'
import { priceText, spendLabel } from '../price/price-text'
import { useSpendGuard } from '../price/use-spend-guard'
import { Credits, formatUsd } from '../ui/amount'
import { Button } from '../ui/button'
import { Composer } from './composer'
import { CopyAsCode } from './copy-code'
import { NoMessages } from './no-messages'
import { checkChatSettings, previewPlaygroundRequest } from './request'
import { SettingsForm } from './settings-form'
import { ToolSettings, useOfferedTools } from './tool-settings'
import { type ChatDraft, type ChatSettings, type ChatTurn, sumCharges } from './turn'
import { useChat } from './use-chat'
import { useChatPrice } from './use-chat-price'
import { useKeptConversation } from './use-kept-conversation'
import { useSettings } from './use-settings'
import { useStickToBottom } from './use-stick-to-bottom'

// What an empty page does not show is loaded with what it shows.
const ChatTurnView = lazy(() => import('./turn-view').then(({ ChatTurnView }) => ({ default: ChatTurnView })))
const ConversationList = lazy(() =>
  import('./conversation-list').then(({ ConversationList }) => ({ default: ConversationList })),
)

const EMPTY: ChatDraft = { text: '', images: [] }

type Props = {
  models: OfferedModel[]
  /** The model to begin with, and whether the address asks for it. */
  first: string
  isAsked: boolean
  /** Under which name this browser keeps the owner's conversations. */
  account: string
  baseUrl: string
  rate: number
}

/** A chat with one model or several side by side, paid by the owner, with every charge. */
export function Playground({ models, first, isAsked, account, baseUrl, rate }: Props) {
  const known = useMemo(() => models.map(({ id }) => id), [models])
  const { settings, change, setSettings } = useSettings({ account, first, isAsked, known })
  const [draft, setDraft] = useState(EMPTY)
  const { turns, isBusy, send, stop, stopAnswer, decide, load } = useChat()
  const show = useCallback(
    (next: readonly ChatTurn[], its?: ChatSettings) => {
      load(next)
      if (its) setSettings(its)
    },
    [load, setSettings],
  )
  const conversation = useKeptConversation({ account, settings, turns, known, show })
  useStickToBottom(turns)
  const tools = useOfferedTools(settings.tools)
  const wrong = checkChatSettings(settings)
  const isValid = Object.keys(wrong).length === 0 && tools !== null
  const asked = { turns, draft, tools: tools ?? [] }
  const { price, isOld, isEmpty, priceNow, refresh } = useChatPrice({ settings, ...asked, isValid })
  const { question, guard, answer, dismiss } = useSpendGuard()
  const chosen = models.filter(({ id }) => settings.models.includes(id))
  const blind = chosen.filter(({ vision }) => !vision).map(({ name }) => name)
  const sum = sumCharges(turns)

  const submit = async () => {
    if (question) return
    const sent = draft
    guard(await priceNow(), async () => {
      setDraft(EMPTY)
      // A failed message is restored, unless something else was written meanwhile.
      if (!(await send(settings, sent, asked.tools)))
        setDraft((now) => (now.text === '' && now.images.length === 0 ? sent : now))
      refresh()
    })
  }
  const edit = (next: ChatDraft) => {
    dismiss()
    setDraft(next)
  }
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_300px] lg:items-start">
      <aside
        aria-label="Settings"
        className="grid gap-4 lg:sticky lg:top-[calc(var(--bar)+24px)] lg:col-start-2 lg:row-start-1 lg:max-h-[calc(100dvh-var(--bar)-48px)] lg:overflow-y-auto lg:px-1"
      >
        {conversation.list.length > 0 && (
          <Suspense>
            <ConversationList
              of={conversation.list}
              current={conversation.id}
              isBusy={isBusy}
              onOpen={conversation.open}
              onRename={conversation.rename}
              onRemove={conversation.remove}
              onRemoveAll={conversation.removeAll}
            />
          </Suspense>
        )}
        <SettingsForm models={models} settings={settings} wrong={wrong} onChange={change}>
          <ToolSettings settings={settings} error={wrong.toolLimit} onChange={change} />
          <CopyAsCode
            code={() => ({ baseUrl, request: previewPlaygroundRequest(settings, settings.models[0] ?? first, asked) })}
          />
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
          {turns.length === 0 && <NoMessages isScript={chosen.some(({ simulated }) => simulated)} />}
          <Suspense>
            {turns.map((turn) => (
              <ChatTurnView key={turn.id} of={turn} rate={rate} onStop={stopAnswer} onDecide={decide} />
            ))}
          </Suspense>
        </div>
        <div className="sticky bottom-0 z-10 grid gap-1 border-t bg-surface pt-1 pb-3 max-md:bottom-[calc(51px+env(safe-area-inset-bottom))] md:pb-5">
          <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-3 text-table text-muted">
            <p data-testid="sum">
              This conversation: <Credits value={sum} className="font-semibold text-text" />{' '}
              {sum === 1 ? 'credit' : 'credits'} <span className="whitespace-nowrap">≈ {formatUsd(sum, rate)}</span>
            </p>
            {turns.length > 0 && (
              <Button kind="quiet" size="small" disabled={isBusy} onClick={conversation.begin}>
                New conversation
              </Button>
            )}
          </div>
          <PriceNow of={isEmpty ? undefined : price} isOld={isOld} unknown="The price appears as you write." />
          {!isEmpty && price && price.each.length > 1 && (
            <p className="text-caption text-muted">
              {price.each.map((one) => `${one.model} ${priceText({ ...one, basis: price.basis })}`).join('; ')}
            </p>
          )}
          <ConfirmSpend price={question} what="Send this message" verb="Send" onAnswer={answer} />
          <Composer
            draft={draft}
            onChange={edit}
            onSend={submit}
            onStop={stop}
            isBusy={isBusy}
            blocked={!isValid || question !== null}
            noImages={
              blind.length > 0 ? `${blind.join(' and ')} ${blind.length === 1 ? 'takes' : 'take'} no images` : null
            }
            sendLabel={isEmpty ? 'Send' : spendLabel('Send', price)}
            note={<span className="max-sm:hidden">Enter sends, Shift+Enter adds a line</span>}
          />
        </div>
      </section>
    </div>
  )
}
