import { expect, test } from 'vitest'
import { checkAttachment, MAX_ATTACHMENT_BYTES } from './attachments'

test.each([
  ['a.png', 'image/png', 10, null],
  ['a.png', 'image/png', MAX_ATTACHMENT_BYTES, null],
  ['a.png', 'image/png', MAX_ATTACHMENT_BYTES + 1, /^a\.png has 5\.0 MiB: /],
  ['a.svg', 'image/svg+xml', 10, /no picture/],
  ['a.pdf', 'application/pdf', 10, /no picture/],
  ['a.jpg', 'image/jpeg', 0, /empty/],
])('%s of %s and %i bytes', (name, type, size, wrong) => {
  const told = checkAttachment({ name, type, size })
  if (wrong) expect(told).toMatch(wrong)
  else expect(told).toBeNull()
})
