'use client'

import { type ComponentType, useEffect, useState } from 'react'
import { answerStepUp, useStepUpAsked } from './step-up'

/** Shows the dialog of a step-up while one is asked for. It is loaded then. */
export function StepUpHost() {
  const isAsked = useStepUpAsked()
  const [Dialog, setDialog] = useState<ComponentType | null>(null)
  useEffect(() => {
    if (!isAsked) return
    import('./step-up-dialog').then(
      ({ StepUpDialog }) => setDialog(() => StepUpDialog),
      () => answerStepUp(false),
    )
  }, [isAsked])
  return isAsked && Dialog ? <Dialog /> : null
}
