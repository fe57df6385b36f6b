import type { ReactNode } from 'react'
import { loadModel } from '../../load'
import { type ModelParams, modelIdOf } from './model-id'

/** Loads the model before anything is sent: once a page streams, it can no longer be 404. */
export default async function ModelLayout({ params, children }: ModelParams & { children: ReactNode }) {
  await loadModel(modelIdOf(await params))
  return children
}
