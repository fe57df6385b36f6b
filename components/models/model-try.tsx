'use client'

import type { OfferedModel } from '@/server/models/shape'
import { May } from '../shell/role'
import { ButtonLink } from '../ui/button'
import { MEDIA_TOOLS } from './snippets'

type Props = { of: OfferedModel; tools: readonly string[] }

/** The way to a first answer, whose price is said there before it is asked for. */
export function ModelTry({ of: { id, kind }, tools }: Props) {
  if (kind === 'chat') {
    return (
      <May to="playground.chat">
        <ButtonLink kind="primary" href={`/playground?model=${encodeURIComponent(id)}`}>
          Try it
        </ButtonLink>
      </May>
    )
  }
  const tool = kind === 'embedding' ? undefined : MEDIA_TOOLS[kind]
  if (!tool || !tools.includes(tool)) return null
  return (
    <May to="tools.run">
      <ButtonLink kind="primary" href={`/catalog/${tool}`}>
        Try it
      </ButtonLink>
    </May>
  )
}
