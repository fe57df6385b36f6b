import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../../errors'
import { isSystemPath, POD_HOME, type PodEntry, type PodFiles } from './pod-files'

export const podPathParam = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^\P{Cc}*$/u, 'must be one line')
  .refine((text) => text.isWellFormed(), 'must be valid text')

/** The absolute form of a path in the pod, from the current folder, with ~ for the home folder. */
export function resolvePodPath(cwd: string, given: string): string {
  const fromHome = given === '~' || given.startsWith('~/') ? POD_HOME + given.slice(1) : given
  return path.posix.resolve(cwd, fromHome)
}

/** A path with its links resolved. Throws `invalid_request` for a loop. */
export function followLinks(files: PodFiles, at: string): string {
  let parts = at.split('/').slice(1)
  let walked = ''
  for (let links = 0; parts.length > 0; ) {
    const [part = '', ...rest] = parts
    const next = `${walked}/${part}`
    const entry = files.get(next)
    if (entry?.kind !== 'link') {
      walked = next
      parts = rest
      continue
    }
    if (++links > 40) throw new AppError('invalid_request', `${at} is a link that leads to itself.`)
    parts = [
      ...path.posix
        .resolve(walked || '/', entry.to)
        .split('/')
        .slice(1),
      ...rest,
    ]
    walked = ''
  }
  return walked || '/'
}

/** A file of the pod. Throws `not_found`. */
export function podFileAt(files: PodFiles, at: string): Extract<PodEntry, { kind: 'file' }> {
  const entry = files.get(followLinks(files, at))
  if (entry?.kind === 'file') return entry
  throw new AppError('not_found', entry ? `${at} is a folder: pod_list_files lists it.` : `There is no file ${at}.`)
}

/** Throws `invalid_request` for a path where no file can be written. */
export function checkWritablePath(files: PodFiles, at: string): void {
  if (isSystemPath(at)) throw new AppError('invalid_request', `${at} is a system path: write in ${POD_HOME} or /tmp.`)
  if (at === '/' || at === POD_HOME || at === '/tmp' || files.get(at)?.kind === 'folder') {
    throw new AppError('invalid_request', `${at} is a folder.`)
  }
  for (let folder = path.posix.dirname(at); folder !== '/'; folder = path.posix.dirname(folder)) {
    if (files.get(folder)?.kind === 'file') throw new AppError('invalid_request', `${folder} is a file, not a folder.`)
  }
}
