import { isRecord, type UnknownRecord } from '../../../kit/record'
import type { BodyPath, CompletionBody, MediaRef } from '../../completion'

/** Every image and file in the input of a body, at any depth and in its order. */
export const mediaInResponses = ({ input }: CompletionBody): MediaRef[] => mediaIn(input, ['input'], null)

const NO_IDS = 'names a file that is not kept here; send the file itself'

function mediaIn(value: unknown, path: BodyPath, role: unknown): MediaRef[] {
  if (Array.isArray(value)) return value.flatMap((each, i) => mediaIn(each, [...path, i], role))
  if (!isRecord(value)) return []
  const inner = value.role ?? role
  const own = [...imageIn(value, path, inner), ...fileIn(value, path)]
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, each]) =>
      name === 'image_url' || name === 'file_url' ? [] : mediaIn(each, [...path, name], inner),
    ),
  ]
}

/** Images may come from users and, as results, from tools; those have no role. */
function imageIn({ type, image_url: url }: UnknownRecord, path: BodyPath, role: unknown): MediaRef[] {
  if (url === undefined && !/^(input_)?image(_url)?$/.test(String(type))) return []
  const at = [...path, 'image_url']
  if (role != null && role !== 'user')
    return [{ kind: 'image', path: at, wrong: 'images are only allowed in messages of the role user' }]
  if (isRecord(url)) return [{ kind: 'image', path: [...at, 'url'], url: url.url }]
  return url == null
    ? [{ kind: 'image', path: at, wrong: 'must be an https URL or a data: URI' }]
    : [{ kind: 'image', path: at, url }]
}

function fileIn({ file_id: id, file_url: url, file_data: data }: UnknownRecord, path: BodyPath): MediaRef[] {
  if (id != null) return [{ kind: 'file', path: [...path, 'file_id'], wrong: NO_IDS }]
  if (url != null) return [{ kind: 'file', path: [...path, 'file_url'], url }]
  // Some put an address where the file itself belongs.
  return typeof data === 'string' && /^\s*\w+:\/\//.test(data)
    ? [{ kind: 'file', path: [...path, 'file_data'], url: data }]
    : []
}
