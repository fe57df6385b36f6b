import type { ReactNode } from 'react'
import { loadLibraryDataset } from '../../../load'

type Props = { params: Promise<{ name: string }>; children: ReactNode }

/** Loads the dataset before anything is sent: a page that streams can be no 404 any more. */
export default async function DatasetLayout({ params, children }: Props) {
  await loadLibraryDataset((await params).name)
  return children
}
