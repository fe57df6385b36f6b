import { expect, test } from 'vitest'
import { checkAttachment, MAX_FILE_BYTES } from './attachments'

test.each([
  ['a.png', 'image/png', 10, null],
  ['a.png', 'image/png', MAX_FILE_BYTES, null],
  ['a.png', 'image/png', MAX_FILE_BYTES + 1, /^a\.png has 5\.0 MiB: /],
  ['a.svg', 'image/svg+xml', 10, /not a supported image/],
  ['a.pdf', 'application/pdf', 10, /not a supported image/],
  ['a.jpg', 'image/jpeg', 0, /empty/],
])('%s of %s and %i bytes', (name, type, size, wrong) => {
  const error = checkAttachment({ name, type, size })
  if (wrong) expect(error).toMatch(wrong)
  else expect(error).toBeNull()
})
